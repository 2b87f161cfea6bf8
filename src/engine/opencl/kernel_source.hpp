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

/// The text of the kernel file `file`, a path below kernels/, with every `#include "..."` replaced
/// by the text of that file, each once, so that the OpenCL compiler needs no directory. Because of
/// `#line` marks, messages of the compiler name the files in kernels/. If `directory` is not empty,
/// files that it has replace those of kernels/.
/// Throws  Error{internal} if the file, or one that it includes, does not exist; Error{no_input} if
///         a file of `directory` cannot be read.
std::string expanded_source(std::string_view file, const std::string& directory = {});

/// A compiler's messages about `expanded`, a result of expanded_source(), with the file and line of
/// each place. NVIDIA's compiler ignores `#line` marks and counts the lines of the whole text
/// ("<kernel>:274:2: error"); the function replaces such places by file and line.
std::string with_kernel_places(const std::string& messages, std::string_view expanded);

}  // namespace accord::ocl
