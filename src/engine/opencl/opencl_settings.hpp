// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>

namespace accord::ocl {

/// The settings of a user for the OpenCL devices of a run.
struct OpenClSettings {
  std::string kernel_directory;       ///< files that replace built-in kernel files; empty: none
  std::uint64_t memory_bytes = 0;     ///< device memory that may be occupied; 0: memory_percent
  std::uint32_t memory_percent = 80;  ///< the same in per cent of the memory of the device
  /// Whether kernels of a GPU may be compiled in processes of their own, see kernel_compiler.hpp.
  /// The program of this process must then be accord.
  bool compiles_apart = false;
};

}  // namespace accord::ocl
