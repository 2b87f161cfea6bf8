// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <string>
#include <vector>

#include "engine/opencl/device.hpp"
#include "engine/opencl/opencl_settings.hpp"
#include "engine/stage.hpp"

namespace accord {

/// The result of a device's self-test, as far as it is known.
struct SelfTestResult {
  /// `unusable`: accord cannot use the device, so that there is no test.
  enum class State { passed, not_run, failed, unusable } state;
  std::string problem;  ///< why it failed or is unusable; else empty
};

/// The devices of this machine, and the one that "auto" takes.
struct DeviceSurvey {
  ocl::DeviceList list;
  std::vector<SelfTestResult> tests;   ///< one for each device
  std::string auto_name, auto_reason;  ///< "none" (the host) or "gpu0", and why
};

/// Lists the devices, with the memory limits of the settings. `runs_tests`: runs the self-test of
/// every device with these stages; otherwise only the results in the disk cache are known.
/// Throws  as list_devices. A fault of a device is not thrown; it is the problem of its test.
DeviceSurvey survey_devices(bool runs_tests, std::span<const Stage* const> stages,
                            const ocl::OpenClSettings& settings);

}  // namespace accord
