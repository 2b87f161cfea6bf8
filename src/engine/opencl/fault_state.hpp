// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <atomic>

#include "engine/opencl/entry_points.hpp"

namespace accord::ocl {

/// True while calls are counted and may fail on purpose (fault.hpp).
extern std::atomic<bool> g_calls_are_watched;

/// Counts a call; the code with which it is to fail, or 0 (CL_SUCCESS).
int watch_call(Entry entry);

}  // namespace accord::ocl
