// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "io/files/text_sink.hpp"

namespace accord {

/// A text to write, and its path.
struct Output {
  std::string path;  ///< "-" or empty is standard output; the suffix selects the packing
  TextWriter write;
};

/// An output that writes `text` to a path.
Output make_output(const std::string& path, std::string text);

/// The size and the checksum of the packed bytes written to a path.
struct WrittenBytes {
  std::uint64_t bytes = 0;
  std::string sha256;
};

/// The output files of a run, which appear together or not at all. Regular files are written under
/// temporary names in their directories when they are added. finish() writes all other outputs, and
/// only if that worked, renames the files, so that no reader sees an incomplete file. If the system
/// refuses a rename, the files renamed before stay, and the error names them. Only a part of a file
/// is in memory at a time. Unfinished files are removed.
///
/// Symbolic links are followed; an existing file keeps its permissions, and a new one has the usual
/// ones. A FIFO, a device, a descriptor of this process (/dev/stdout, /dev/fd/N), and an existing
/// file in a directory that forbids new files are written directly, without seeking or renaming.
class OutputFiles {
 public:
  /// Begins without outputs.
  OutputFiles();
  OutputFiles(const OutputFiles&) = delete;
  OutputFiles& operator=(const OutputFiles&) = delete;
  /// Removes the temporary files that finish() has not renamed; writes nothing.
  ~OutputFiles();

  /// Adds an output: calls its writer and writes a regular file under a temporary name. An output
  /// that is written directly is kept, and finish() writes it. add_with_checksum() returns size and
  /// checksum of the output; one that is written directly is generated twice for that.
  /// Throws  Error{cannot_create} if the file cannot be opened; Error{write_failed} if it cannot be
  ///         written or closed; what the writer of the output throws.
  void add(Output output);
  WrittenBytes add_with_checksum(Output output);

  /// Completes all outputs, the last added first.
  /// Throws  as add(); Error{write_failed} if a file cannot be renamed; Error{closed_pipe} if the
  ///         reader of a pipe went away.
  void finish();

 private:
  struct StagedFile;
  bool stage(const Output& output, const ByteTaker& watcher);

  std::vector<StagedFile> staged_;
  std::vector<Output> in_place_;
};

/// Writes the outputs of a run by OutputFiles. The files appear in the order of the list, but the
/// texts of regular files are generated before, the last one first.
/// Throws  as OutputFiles::add and OutputFiles::finish.
void write_outputs(std::vector<Output> outputs);

/// Writes one text to a path; the suffix of the path selects the packing.
/// Throws  as write_outputs.
void write_output(const std::string& path, std::string text);

/// The same without a temporary file, while a process ends: an interruption leaves a part of the
/// text.
/// Throws  as write_output.
void write_output_in_place(const std::string& path, std::string text);

/// Creates a directory and its parents, unless they exist; "" is the current directory.
/// Throws  Error{cannot_create}
void make_directory(const std::string& path);

/// Checks, before any work, that write_output can create `path`. The path must not be a directory.
/// An existing file must allow writing. For a new file, the directory must exist and allow new
/// files. Leaves no file behind and opens no FIFO.
/// Throws  Error{cannot_create}
void check_output_writable(const std::string& path);

/// Identifies the file that a path leads to: equal texts for all paths to one file, through
/// relative paths, symbolic and hard links, and descriptors of this process ("-" is standard
/// output), even if it does not exist yet. Empty for the path of a device or a FIFO, which several
/// outputs may share; a descriptor of a device or a FIFO has a text.
std::string file_identity(const std::string& path);

/// Whether writing to a path may wait for a reader: a FIFO, a device, or such a descriptor.
bool may_wait_for_reader(const std::string& path);

}  // namespace accord
