// SPDX-License-Identifier: Apache-2.0
// Faults on purpose, for tests: OpenCL calls that fail although the driver is healthy.
//
// The environment variable ACCORD_OPENCL_FAULT of a run (or inject_faults() within a process)
// holds rules with commas between them:
//   clEnqueueReadBuffer:3:-5    the third call of this function fails with code -5
//   clCreateBuffer:1+:-4        every call of it from the first on does
//   40:-6                       the 40th OpenCL call of the process, whatever it is
//   40+:-36                     the 40th and all later ones: the device is lost
//   count                       prints how often each function was called, when the program ends:
//                               "accord: opencl calls clCreateBuffer 12", sorted by name, and
//                               the number of all as "accord: opencl calls all 340"
// Calls of clGetEventInfo, which a wait repeats as long as it waits, are counted by name,
// and not among all.
// A call that fails does not reach the driver.
#pragma once
#include <atomic>
#include <cstdint>
#include <map>
#include <string>

#include "engine/opencl/entry_points.hpp"

namespace accord::ocl {

/// Replaces the rules, and resets all call counts; an empty text ends the injection.
/// Throws  Error{usage} for a text that cannot be read.
void inject_faults(const std::string& rules);

/// How often each function was called since inject_faults(); "all" are all but clGetEventInfo.
std::map<std::string, std::uint64_t> counted_calls();

/// Whether calls of OpenCL functions are counted and may fail on purpose (see fault.hpp).
extern std::atomic<bool> g_calls_are_watched;

/// Counts a call of the OpenCL function `entry`, before library.cpp passes it on to the driver.
/// library.cpp calls this only while g_calls_are_watched is true.
/// Returns  the error code with which the call has to fail, or 0 (CL_SUCCESS).
int watch_call(Entry entry);

}  // namespace accord::ocl
