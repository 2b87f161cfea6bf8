// SPDX-License-Identifier: Apache-2.0
#include "run/devices/device_survey.hpp"

#include <algorithm>
#include <cstddef>

#include "accord/base/error.hpp"
#include "engine/opencl/opencl_backend.hpp"
#include "run/devices/device_choice.hpp"
#include "run/devices/self_test.hpp"

namespace accord {
namespace {

using ocl::DeviceInfo;

SelfTestResult test_device(const DeviceInfo& device, bool runs_tests,
                           const ocl::OpenClSettings& settings) {
  using State = SelfTestResult::State;
  if (!device.unusable.empty()) return {State::unusable, device.unusable};
  if (!runs_tests) {
    const bool has_passed = has_passed_self_test(device, settings);
    return {has_passed ? State::passed : State::not_run, ""};
  }
  std::string problem;
  try {
    OpenClBackend backend(device, settings);
    problem = run_self_test(backend, device, settings);
  } catch (const Error& error) {
    problem = error.what();
  }
  return {problem.empty() ? State::passed : State::failed, problem};
}

}  // namespace

DeviceSurvey survey_devices(bool runs_tests, const ocl::OpenClSettings& settings) {
  DeviceSurvey survey{ocl::list_devices(), {}, "none", ""};
  for (DeviceInfo& device : survey.list.devices) {
    ocl::limit_memory(device, settings);
    survey.tests.push_back(test_device(device, runs_tests, settings));
  }
  const std::vector<std::size_t> gpus = auto_devices(survey.list);
  const auto good = std::find_if(gpus.begin(), gpus.end(), [&](std::size_t k) {
    return survey.tests[k].state != SelfTestResult::State::failed;
  });
  if (good != gpus.end()) {
    survey.auto_name = survey.list.devices[*good].name;
    survey.auto_reason = "the first GPU that can be used, for what takes the host over a second";
  } else if (!gpus.empty()) {
    survey.auto_reason = "no GPU passed its self-test";
  } else if (survey.list.devices.empty()) {
    survey.auto_reason = survey.list.problem;
  } else {
    survey.auto_reason = "there is no GPU to use";
  }
  return survey;
}

}  // namespace accord
