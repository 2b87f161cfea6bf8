// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <string>
#include <vector>

#include "engine/backend.hpp"
#include "engine/opencl/device.hpp"
#include "engine/opencl/opencl_settings.hpp"
#include "engine/stage.hpp"

namespace accord {

/// The result of a device's self-test, as far as it is known.
struct SelfTestResult {
  /// passed: in this run of accord, or in an earlier one by the disk cache; not_run: no test ran,
  /// and the cache has none that passed; unusable: accord cannot use the device, so that there is
  /// no test.
  enum class State { passed, not_run, failed, unusable } state;
  std::string problem;  ///< why it failed or is unusable; else empty
};

/// The devices of this machine, and the one that "auto" takes.
struct DeviceSurvey {
  ocl::DeviceList list;
  std::vector<SelfTestResult> tests;  ///< one for each device
  /// The name of the device that "auto" takes, such as "gpu0", or "none" (the host); and the
  /// reason, a text for messages.
  std::string auto_name, auto_reason;
};

/// Lists the devices, with the memory limits of the settings. `runs_tests`: runs the self-test of
/// every device with these stages; otherwise only the results in the disk cache are known.
/// Throws  as list_devices. A fault of a device is not thrown; it is the problem of its test.
DeviceSurvey survey_devices(bool runs_tests, std::span<const Stage* const> stages,
                            const ocl::OpenClSettings& settings);

/// Compares a backend with the host: runs the self-test of each of these stages that the backend
/// computes.
/// Returns  an empty text if all bits agree, else the place of the first difference.
/// Throws  what the backend throws.
/// Cost    a fraction of a second on a processor.
std::string compare_with_host(Backend& backend, std::span<const Stage* const> stages);

/// Whether the disk cache says that the device has passed the test of each stage, with the same
/// driver and kernels.
bool has_passed_self_test(std::span<const Stage* const> stages, const ocl::DeviceInfo& device,
                          const ocl::OpenClSettings& settings);

/// Tests a device with these stages by compare_with_host(). The disk cache keeps the stages that
/// have passed; the others are tested again at the next use of the device.
/// Returns  the fault that was found; empty if there is none.
/// Throws  nothing from OpenCL: an Error of the backend is returned as a fault.
std::string run_self_test(Backend& backend, std::span<const Stage* const> stages,
                          const ocl::DeviceInfo& device, const ocl::OpenClSettings& settings);

}  // namespace accord
