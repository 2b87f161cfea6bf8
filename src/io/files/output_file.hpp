// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "io/files/text_sink.hpp"

namespace accord {

/// What is written, and where.
struct Output {
  std::string path;  ///< "-" or empty is standard output; its suffix says how the text is packed
  TextWriter write;
};

/// A text for a path.
Output make_output(const std::string& path, std::string text);

/// What was written to a path: the packed bytes.
struct WrittenBytes {
  std::uint64_t bytes = 0;
  std::string sha256;
};

/// The files of a run, which appear together: regular files are written under temporary names in
/// their directories as they are added, then everything else is written, and only if all of that
/// worked are the files renamed, so that no reader ever sees half of one. Should the system refuse
/// a rename even then, the files renamed before it stay, and the error names them. Of a file no
/// more than a part is in memory. What is not finished leaves nothing behind.
///
/// Symbolic links are followed, an existing file keeps its permissions, a new one has the usual
/// ones. A FIFO, a device, or a descriptor of this process (/dev/stdout, /dev/fd/N) is written
/// directly, without seeking or renaming.
class OutputFiles {
 public:
  OutputFiles();
  OutputFiles(const OutputFiles&) = delete;
  OutputFiles& operator=(const OutputFiles&) = delete;
  ~OutputFiles();

  /// Adds a file. What is written directly waits for finish(), also if its checksum is asked for:
  /// the text is then written twice.
  /// Throws  Error{cannot_create} if it cannot be opened; Error{write_failed} if it cannot be
  ///         written or closed.
  void add(Output output);
  WrittenBytes add_with_checksum(Output output);

  /// Completes all files, those that were added last first.
  /// Throws  as add(), Error{write_failed} if a file cannot be renamed, Error{closed_pipe} if the
  ///         reader of a pipe went away.
  void finish();

 private:
  struct StagedFile;
  bool stage(const Output& output, const ByteTaker& watcher);

  std::vector<StagedFile> staged_;
  std::vector<Output> in_place_;
};

/// Writes the outputs of a run as OutputFiles does, but in the order given.
/// Throws  as OutputFiles.
void write_outputs(std::vector<Output> outputs);

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
