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
  enum class State { passed, not_run, failed, unusable } state;
  std::string problem;  ///< of a device that failed, or cannot be used; else empty
};

/// The devices of this machine, and the one that "auto" takes.
struct DeviceSurvey {
  ocl::DeviceList list;
  std::vector<SelfTestResult> tests;   ///< one for each device
  std::string auto_name, auto_reason;  ///< "none" (the host) or "gpu0", and why
};

/// Lists the devices, with the memory that the settings leave each of them. `runs_tests` runs the
/// self-test of every device with these stages now; else it is the kept result.
/// Throws  none from OpenCL: a fault of a device is the problem of its test.
DeviceSurvey survey_devices(bool runs_tests, std::span<const Stage* const> stages,
                            const ocl::OpenClSettings& settings);

}  // namespace accord
