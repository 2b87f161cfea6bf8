// SPDX-License-Identifier: Apache-2.0
// Includes the OpenCL headers, which no other file may do, and turns OpenCL's exceptions into
// Error.
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

/// Turns an OpenCL exception into an Error, and throws it. `attempt`: the device and the action
/// that failed, such as "gpu0 (Some GPU): computing posteriors".
/// Throws  Error{out_of_memory} if the device or the host ran out of memory, else
///         Error{device_failed}.
[[noreturn]] void throw_error(const std::string& attempt, const cl::Error& error);

/// Calls body() and returns its result. Turns OpenCL exceptions into Error (see throw_error).
template <class Body>
decltype(auto) checked(const std::string& attempt, Body&& body) {
  try {
    return std::forward<Body>(body)();
  } catch (const cl::Error& error) {
    throw_error(attempt, error);
  }
}

/// Waits until a command has ended. The thread sleeps meanwhile, since the waiting functions of
/// several drivers keep a CPU busy; other threads may use its CPUs.
/// Throws  cl::Error if the command failed.
void wait_for(const cl::Event& event);

}  // namespace accord::ocl
