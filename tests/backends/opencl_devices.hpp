// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <doctest/doctest.h>

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "accord/opencl/device.hpp"
#include "accord/opencl/program.hpp"
#include "accord/opencl_stages/opencl_backend.hpp"

namespace accord::testing {

/// Forces a posterior kernel shape ("lanes", "group") on the backends that are made meanwhile.
class ForcedShape {
 public:
  explicit ForcedShape(const std::string& shape) {
    setenv("ACCORD_OPENCL_SHAPE", shape.c_str(), 1);
  }
  ~ForcedShape() { unsetenv("ACCORD_OPENCL_SHAPE"); }
  ForcedShape(const ForcedShape&) = delete;
  ForcedShape& operator=(const ForcedShape&) = delete;
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

/// The bytes in use, or what they are once drivers have said that released buffers are gone.
inline std::uint64_t settled_use(const ocl::Session& session, std::uint64_t expected) {
  const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (session.memory->used() != expected && std::chrono::steady_clock::now() < give_up) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return session.memory->used();
}

}  // namespace accord::testing
