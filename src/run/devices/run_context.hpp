// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <optional>

#include "method/pipeline.hpp"
#include "run/devices/run_devices.hpp"

namespace accord {

/// What a run computes with, what it may take, and who follows it. The functions of src/run have
/// it as their last argument.
struct RunContext {
  RunDevices& devices;
  std::optional<std::size_t> memory_budget;  ///< of the host, bytes; not set: not known
  RunListener listener = {};
};

}  // namespace accord
