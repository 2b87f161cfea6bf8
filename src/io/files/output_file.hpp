// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace accord {

/// What is written, and where.
struct Output {
  std::string path;  ///< "-" or empty is standard output
  std::string bytes;
};

/// A text for a path: packed if its suffix says so (see packing_of_suffix).
Output make_output(const std::string& path, std::string text);

/// Writes the outputs of a run so that they appear together: regular files are written under
/// temporary names in their directories, then everything else is written, and only if all of that
/// worked are the files renamed, so that no reader ever sees half of one. Should the system refuse
/// a rename even then, the files renamed before it stay, and the error names them.
///
/// Symbolic links are followed, an existing file keeps its permissions, a new one has the usual
/// ones. A FIFO, a device, or a descriptor of this process (/dev/stdout, /dev/fd/N) is written
/// directly, in the order given, without seeking or renaming.
/// Throws  Error{cannot_create} if one cannot be opened; Error{write_failed} if one cannot be
///         written, closed or renamed, Error{closed_pipe} if its reader went away; temporary files
///         are then removed.
void write_outputs(const std::vector<Output>& outputs);

/// Writes one text; see make_output and write_outputs.
void write_output(const std::string& path, std::string text);

/// Makes a directory and those above it, if they are not there; "" is the current one.
/// Throws  Error{cannot_create}
void make_directory(const std::string& path);

/// Checks, before any work, that write_output can create `path`: the directory exists and can be
/// written, the path is not a directory, an existing file may be written. Leaves no file behind and
/// opens no FIFO.
/// Throws  Error{cannot_create}
void check_output_writable(const std::string& path);

/// What a path of an output leads to, the same text for all paths that lead there: relative ones,
/// links of both kinds, descriptors of this process ("-" is standard output), also if nothing is
/// there yet. Empty for a device or a FIFO, which several may use.
std::string file_identity(const std::string& path);

}  // namespace accord
