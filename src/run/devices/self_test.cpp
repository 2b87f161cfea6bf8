// SPDX-License-Identifier: Apache-2.0
#include "run/devices/self_test.hpp"

#include "accord/base/error.hpp"
#include "engine/host/host_backend.hpp"
#include "engine/opencl/disk_cache.hpp"
#include "engine/opencl/opencl_backend.hpp"
#include "stages/consistency/consistency_call.hpp"
#include "stages/likelihood/call.hpp"
#include "stages/local_fit/call.hpp"
#include "stages/local_pairs/local_pairs_call.hpp"
#include "stages/neighbor_joining/neighbor_joining_call.hpp"
#include "stages/posteriors/posterior_call.hpp"

namespace accord {
namespace {

/// Raise the number when the self-tests change, since results of earlier tests then prove nothing.
constexpr const char* kTasks = "self-test 7\n";

std::string test_key(const ocl::DeviceInfo& device, const ocl::OpenClSettings& settings) {
  return kTasks + ocl::kernel_identity(device, settings);
}

}  // namespace

std::string compare_with_host(Backend& backend) {
  HostBackend host;
  const auto problems = for_each_call([&](auto type) {
    using Call = typename decltype(type)::type;
    return backend.limits(Call::stage) ? Call::self_test(backend, host) : std::string();
  });
  for (const std::string& problem : problems) {
    if (!problem.empty()) return problem;
  }
  return "";
}

bool has_passed_self_test(const ocl::DeviceInfo& device, const ocl::OpenClSettings& settings) {
  return ocl::read_cache(test_key(device, settings)).has_value();
}

std::string run_self_test(Backend& backend, const ocl::DeviceInfo& device,
                          const ocl::OpenClSettings& settings) {
  try {
    std::string problem = compare_with_host(backend);
    if (problem.empty()) ocl::write_cache(test_key(device, settings), "passed");
    return problem;
  } catch (const Error& error) {
    return error.what();
  }
}

}  // namespace accord
