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
  /// Whether processes of their own compile the kernels (kernel_compiler.hpp), if the disk cache is
  /// on. The main() of this process must then call serve_compile_apart().
  bool compiles_apart = false;
};

}  // namespace accord::ocl
