// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "accord/opencl/fault.hpp"

namespace accord::testing {

/// OpenCL calls fail by these rules (accord/opencl/fault.hpp) until the end of its life.
struct Faults {
  explicit Faults(const std::string& rules) { ocl::inject_faults(rules); }
  ~Faults() { ocl::inject_faults(""); }
  Faults(const Faults&) = delete;
  Faults& operator=(const Faults&) = delete;
};

}  // namespace accord::testing
