// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "app/outputs/run_outputs.hpp"
#include "io/files/output_file.hpp"
#include "run/report/report.hpp"

namespace accord {

/// The files that a run writes, with their lines in the report. A file is written, under a
/// temporary name, when it is added, so that the report can have its checksum and the memory that
/// writing took.
class OutputList {
 public:
  /// `with_checksums`: whether written() has the size and the SHA-256 of each file.
  explicit OutputList(bool with_checksums) : with_checksums_(with_checksums) {}

  /// Adds a file. `kind`: its kind in the schema of the report; `format`: the format of an
  /// alignment, else empty. Objects that the output refers to must outlive finish().
  /// Throws  as OutputFiles::add.
  void add(const std::string& kind, Output output, const std::string& format = {});
  /// Adds the alignment, which must outlive finish(), in the format of a file. Warns as
  /// warn_of_format().
  /// Throws  as OutputFiles::add.
  void add(const AlignmentFile& file, const AlignmentText& alignment, const RunFiles& files);

  /// The added files, in order; with their sizes and checksums if the constructor got
  /// `with_checksums`.
  const std::vector<WrittenFile>& written() const { return written_; }
  /// written() and the report itself at `path`, without a checksum.
  std::vector<WrittenFile> written_with_report(const std::string& path) const;

  /// Completes the files (see OutputFiles::finish), the last one first.
  /// Throws  as OutputFiles::finish.
  void finish() { files_.finish(); }

 private:
  bool with_checksums_;
  OutputFiles files_;
  std::vector<WrittenFile> written_;
};

}  // namespace accord
