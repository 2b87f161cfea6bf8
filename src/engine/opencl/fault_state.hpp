// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <atomic>

#include "engine/opencl/entry_points.hpp"

namespace accord::ocl {

/// Whether calls of OpenCL functions are counted and may fail on purpose (see fault.hpp).
extern std::atomic<bool> g_calls_are_watched;

/// Counts a call of the OpenCL function `entry`, before library.cpp passes it on to the driver.
/// library.cpp calls this only while g_calls_are_watched is true.
/// Returns  the error code with which the call has to fail, or 0 (CL_SUCCESS).
int watch_call(Entry entry);

}  // namespace accord::ocl
