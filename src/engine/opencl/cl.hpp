// SPDX-License-Identifier: Apache-2.0
// The one place that includes the OpenCL headers, and the way from OpenCL's exceptions to Error.
#pragma once
#define CL_HPP_TARGET_OPENCL_VERSION 120
#define CL_HPP_MINIMUM_OPENCL_VERSION 120
#define CL_HPP_ENABLE_EXCEPTIONS
#include <CL/opencl.hpp>
#include <string>
#include <utility>

namespace accord::ocl {

/// OpenCL's own name of an error code and the number, such as "CL_OUT_OF_RESOURCES, -5".
std::string format_status(cl_int status);

/// Throws the Error for an OpenCL exception; `attempt` says what was being done and on which
/// device, such as "gpu0 (Some GPU): computing posteriors".
/// Throws  Error{out_of_memory} if the device or the host ran out of memory, else
///         Error{device_failed}.
[[noreturn]] void throw_error(const std::string& attempt, const cl::Error& error);

/// body(), with OpenCL exceptions turned into Error.
template <class Body>
decltype(auto) checked(const std::string& attempt, Body&& body) {
  try {
    return std::forward<Body>(body)();
  } catch (const cl::Error& error) {
    throw_error(attempt, error);
  }
}

/// Waits until a command has ended. The thread sleeps, because several drivers keep a CPU busy
/// while they wait; other threads may use its CPUs meanwhile.
/// Throws  cl::Error if the command failed.
void wait_for(const cl::Event& event);

}  // namespace accord::ocl
