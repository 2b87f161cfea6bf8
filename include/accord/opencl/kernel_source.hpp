// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <string>
#include <string_view>

namespace accord::ocl {

/// One file of the kernels folder, as it was when the program was built.
struct KernelFile {
  std::string_view name;  ///< path below kernels/, such as "shared/layout.h"
  std::string_view text;
};

/// All kernel files, sorted by name.
std::span<const KernelFile> kernel_files();

/// The text of a kernel file with every `#include "..."` replaced by the text of that file, each
/// once, so that the OpenCL compiler needs no folder. `#line` marks make its messages point to
/// the files in kernels/.
/// Errors  Error{internal} if the file, or one that it includes, does not exist.
std::string expanded_source(std::string_view file);

}  // namespace accord::ocl
