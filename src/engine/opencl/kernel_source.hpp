// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <string>
#include <string_view>

namespace accord::ocl {

/// One file of the kernels directory, as it was when the program was built.
struct KernelFile {
  std::string_view name;  ///< path below kernels/, such as "shared/layout.h"
  std::string_view text;
};

/// All kernel files, sorted by name.
std::span<const KernelFile> kernel_files();

/// Checks a directory whose files replace those of the same name below kernels/.
/// Throws  Error{no_input} if it is no directory, or has none of the files.
void check_kernel_directory(const std::string& directory);

/// The text of a kernel file with every `#include "..."` replaced by the text of that file, each
/// once, so that the OpenCL compiler needs no directory. `#line` marks make its messages point to
/// the files in kernels/. A file that `directory` has is taken from there; empty: none is.
/// Throws  Error{internal} if the file, or one that it includes, does not exist; Error{no_input} if
///         one in the directory cannot be read.
std::string expanded_source(std::string_view file, const std::string& directory = {});

/// A compiler's messages about an expanded source, with the file and line of each place: NVIDIA's
/// compiler counts the lines of the whole text, whatever the marks say ("<kernel>:274:2: error").
std::string with_kernel_places(const std::string& messages, std::string_view expanded);

}  // namespace accord::ocl
