// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "engine/backend.hpp"
#include "engine/opencl/opencl_settings.hpp"
#include "run/devices/device_choice.hpp"
#include "run/devices/device_use.hpp"

namespace accord {

/// A device that is ready to compute.
struct ReadyDevice {
  std::unique_ptr<Backend> backend;
  UsedDevice used;
};

/// A device that is to be opened.
struct DeviceOpener {
  /// Opens the device; may take minutes. Returns no backend if there is nothing to open.
  /// Throws  Error if the device cannot be used.
  std::function<ReadyDevice()> open;
  /// The entry in the report if the device cannot be used; not set: it has none.
  std::optional<UsedDevice> failed = {};
  /// Whether it computes on the processors of the host (Backend::uses_host_processors).
  bool on_host = false;
};

/// How to open the devices of a choice. A device is used only after its self-test
/// (ACCORD_SELF_TEST=off skips it, for simulators, where it takes minutes), which computes the
/// stages of the aligner and `others`.
/// Returns  an opener for each device. For "auto" a single opener: it tries the devices in turn,
///          warns of each that cannot be used, and opens the first good one; it throws only
///          Error{usage}.
std::vector<DeviceOpener> openers_of(const DeviceChoice& choice,
                                     const ocl::OpenClSettings& settings,
                                     std::span<const Stage* const> others);

}  // namespace accord
