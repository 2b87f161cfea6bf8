// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

namespace accord {

/// Writes `text` to a file, or to standard output if `path` is "-" or empty.
///
/// A regular or new file is written under a temporary name in the same folder and renamed, so
/// that no reader ever sees half of it; symbolic links are followed, an existing file keeps its
/// permissions, a new one has the usual ones. A FIFO, a device, or a descriptor of this process
/// (/dev/stdout, /dev/fd/N) is written directly, without seeking or renaming.
/// Errors  Error{cannot_create} if it cannot be opened; Error{write_failed} if it cannot be
///         written, closed or renamed; the temporary is then removed.
void write_output(const std::string& path, std::string_view text);

/// Checks, before any work, that write_output can create `path`: the folder exists and can be
/// written, the path is not a folder, an existing file may be written. Leaves no file behind and
/// opens no FIFO.
/// Errors  Error{cannot_create}
void check_output_writable(const std::string& path);

}  // namespace accord
