// SPDX-License-Identifier: Apache-2.0
#include "run/devices/self_test.hpp"

#include <algorithm>

#include "accord/base/error.hpp"
#include "engine/host/host_backend.hpp"
#include "engine/opencl/disk_cache.hpp"
#include "engine/opencl/opencl_backend.hpp"

namespace accord {
namespace {

/// Raise the number when the self-tests change, since results of earlier tests then prove nothing.
constexpr const char* kTasks = "self-test 7\n";

std::string test_key(const Stage& stage, const ocl::DeviceInfo& device,
                     const ocl::OpenClSettings& settings) {
  return kTasks + std::string(stage.name) + "\n" + ocl::kernel_identity(stage, device, settings);
}

}  // namespace

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
