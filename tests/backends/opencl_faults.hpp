// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <doctest/doctest.h>

#include <cstdint>
#include <memory>
#include <string>

#include "accord/base/error.hpp"
#include "backends/opencl_devices.hpp"
#include "engine/opencl/fault.hpp"

namespace accord::testing {

/// OpenCL calls fail by these rules (engine/opencl/fault.hpp) until the end of its life.
struct Faults {
  explicit Faults(const std::string& rules) { ocl::inject_faults(rules); }
  ~Faults() { ocl::inject_faults(""); }
  Faults(const Faults&) = delete;
  Faults& operator=(const Faults&) = delete;
};

/// Makes every OpenCL call of a backend's life fail once, from its opening to the end of `compute`.
/// What comes back is an Error or what is expected, and the backend is as good as before.
/// Input   compute   called with a Backend; its result is compared with `expected` by ==.
/// Returns  the number of calls.
template <class Values, class Compute>
std::uint64_t check_every_failing_call(const ocl::DeviceInfo& device, const Values& expected,
                                       const Compute& compute) {
  CAPTURE(device.description);
  std::uint64_t calls = 0;
  {
    const Faults counting("count");
    OpenClBackend backend(device);
    CHECK(compute(backend) == expected);
    calls = ocl::counted_calls().at("all");
  }
  std::uint64_t errors = 0;
  for (std::uint64_t number = 1; number <= calls; ++number) {
    CAPTURE(number);
    std::unique_ptr<OpenClBackend> backend;
    {
      const Faults faults(std::to_string(number) + ":-5");
      try {
        backend = std::make_unique<OpenClBackend>(device);
        const Values found = compute(*backend);  // apart: CHECK would take what it throws
        CHECK(found == expected);
      } catch (const Error& error) {
        ++errors;
        CHECK(std::string(error.what()).find(" failed") != std::string::npos);
        CHECK(error.kind() == ErrorKind::device_failed);
      }
    }
    if (backend) CHECK(compute(*backend) == expected);
  }
  CHECK(errors > calls / 3);  // most calls matter; those that release something do not
  return calls;
}

}  // namespace accord::testing
