// SPDX-License-Identifier: Apache-2.0
// Compiling kernels in processes of their own, which leave the programs in the disk cache: drivers
// compile the programs of one process one after another.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "engine/opencl/program.hpp"

namespace accord::ocl {

/// Runs accord once more, to compile the program of a kernel for a device into the disk cache, and
/// waits until that process has ended. At most six threads do so at a time; others wait.
/// Returns  whether the process has compiled the program. If not, the cause is not known.
bool compile_apart(const DeviceInfo& device, const KernelChoice& choice,
                   const std::string& kernel_directory);

/// Does the work of compile_apart() if these are its arguments of the program, at a low priority. A
/// compiler that does not end in two minutes is ended.
/// Returns  the exit code of the process; no value for other arguments.
/// Throws  as build_kernel().
std::optional<int> serve_compile_apart(const std::vector<std::string>& arguments);

}  // namespace accord::ocl
