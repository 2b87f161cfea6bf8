// SPDX-License-Identifier: Apache-2.0
#include "run/devices/device_survey.hpp"

#include <algorithm>
#include <cstddef>

#include "accord/base/error.hpp"
#include "engine/host/host_backend.hpp"
#include "engine/opencl/disk_cache.hpp"
#include "engine/opencl/opencl_backend.hpp"
#include "run/devices/device_choice.hpp"

namespace accord {
namespace {

using ocl::DeviceInfo;

SelfTestResult test_device(const DeviceInfo& device, bool runs_tests,
                           std::span<const Stage* const> stages,
                           const ocl::OpenClSettings& settings) {
  using State = SelfTestResult::State;
  if (!device.unusable.empty()) return {State::unusable, device.unusable};
  if (!runs_tests) {
    const bool has_passed = has_passed_self_test(stages, device, settings);
    return {has_passed ? State::passed : State::not_run, ""};
  }
  std::string problem;
  try {
    OpenClBackend backend(device, settings);
    problem = run_self_test(backend, stages, device, settings);
  } catch (const Error& error) {
    problem = error.what();
  }
  return {problem.empty() ? State::passed : State::failed, problem};
}

/// Raise the number when the self-tests change, since results of earlier tests then prove nothing.
constexpr const char* kTasks = "self-test 7\n";

std::string test_key(const Stage& stage, const ocl::DeviceInfo& device,
                     const ocl::OpenClSettings& settings) {
  return kTasks + std::string(stage.name) + "\n" + ocl::kernel_identity(stage, device, settings);
}

}  // namespace

DeviceSurvey survey_devices(bool runs_tests, std::span<const Stage* const> stages,
                            const ocl::OpenClSettings& settings) {
  DeviceSurvey survey{ocl::list_devices(), {}, "none", ""};
  for (DeviceInfo& device : survey.list.devices) {
    ocl::limit_memory(device, settings);
    survey.tests.push_back(test_device(device, runs_tests, stages, settings));
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

std::string compare_with_host(Backend& backend, std::span<const Stage* const> stages) {
  HostBackend host;
  for (const Stage* stage : stages) {
    if (!backend.limits(*stage)) continue;
    if (std::string problem = stage->self_test(backend, host); !problem.empty()) return problem;
  }
  return "";
}

bool has_passed_self_test(std::span<const Stage* const> stages, const ocl::DeviceInfo& device,
                          const ocl::OpenClSettings& settings) {
  return std::ranges::all_of(stages, [&](const Stage* stage) {
    return ocl::read_cache(test_key(*stage, device, settings)).has_value();
  });
}

std::string run_self_test(Backend& backend, std::span<const Stage* const> stages,
                          const ocl::DeviceInfo& device, const ocl::OpenClSettings& settings) {
  try {
    for (const Stage* stage : stages) {
      std::string problem = compare_with_host(backend, {&stage, 1});
      if (!problem.empty()) return problem;
      ocl::write_cache(test_key(*stage, device, settings), "passed");
    }
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

}  // namespace accord
