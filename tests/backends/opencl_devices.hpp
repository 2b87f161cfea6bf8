// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <doctest/doctest.h>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "base/system.hpp"
#include "engine/opencl/device.hpp"
#include "engine/opencl/opencl_backend.hpp"
#include "engine/opencl/program.hpp"
#include "support/waiting.hpp"

namespace accord::testing {

/// Forces a posterior kernel layout ("lanes", "group") on the backends that are made meanwhile.
class ForcedLayout {
 public:
  explicit ForcedLayout(const std::string& layout) {
    set_environment("ACCORD_OPENCL_LAYOUT", layout);
  }
  ~ForcedLayout() { set_environment("ACCORD_OPENCL_LAYOUT", ""); }
  ForcedLayout(const ForcedLayout&) = delete;
  ForcedLayout& operator=(const ForcedLayout&) = delete;
};

/// Every device that can be used. That there is none fails the test, unless ACCORD_TEST_NO_OPENCL
/// is set: a test that compares nothing must not pass unnoticed.
inline std::vector<ocl::DeviceInfo> devices_to_test() {
  const ocl::DeviceList list = ocl::list_devices();
  std::vector<ocl::DeviceInfo> devices;
  for (const ocl::DeviceInfo& device : list.devices) {
    if (device.unusable.empty()) devices.push_back(device);
  }
  if (devices.empty() && !std::getenv("ACCORD_TEST_NO_OPENCL")) {
    FAIL("no OpenCL device to test: " << list.problem << "; " << list.hint);
  }
  return devices;
}

/// The devices, each as a processor and as a GPU.
inline std::vector<ocl::DeviceInfo> devices_of_both_kinds() {
  std::vector<ocl::DeviceInfo> devices;
  for (ocl::DeviceInfo device : devices_to_test()) {
    for (const ocl::DeviceKind kind : {ocl::DeviceKind::cpu, ocl::DeviceKind::gpu}) {
      device.kind = kind;
      devices.push_back(device);
    }
  }
  return devices;
}

/// Calls body(backend, layout) for every device in each layout of its kernels.
template <class Body>
void for_each_layout(const Body& body) {
  for (const ocl::DeviceInfo& device : devices_to_test()) {
    for (const std::string layout : {"lanes", "group"}) {
      CAPTURE(layout);
      const ForcedLayout forced(layout);
      OpenClBackend backend(device);
      INFO(backend.name());
      body(backend, layout);
    }
  }
}

/// Returns once so many bytes are in use: that a released buffer is gone, drivers say a little
/// later.
/// Throws  std::runtime_error if it does not come to that: the test has failed.
inline void wait_for_use(const ocl::Session& session, std::uint64_t bytes) {
  wait_until([&] { return session.memory->used() == bytes; });
}

}  // namespace accord::testing
