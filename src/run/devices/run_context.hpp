// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <optional>

#include "method/align_result.hpp"
#include "run/devices/run_devices.hpp"

namespace accord {

/// The devices, the memory budget and the listener of a run. It is the last argument of the
/// functions of src/run.
struct RunContext {
  RunDevices& devices;                       ///< must outlive this object
  std::optional<std::size_t> memory_budget;  ///< of the host, bytes; not set: not known
  RunListener listener = {};                 ///< receives stages and progress; the default: nothing
};

}  // namespace accord
