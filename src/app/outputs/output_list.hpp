// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "app/outputs/run_outputs.hpp"
#include "io/files/output_file.hpp"
#include "run/report/report.hpp"

namespace accord {

/// What a run writes, with what the report says of it. Files are complete, under temporary names,
/// before the report is made, so that it speaks of their checksums and of the memory that they
/// took.
class OutputList {
 public:
  explicit OutputList(bool with_checksums) : with_checksums_(with_checksums) {}

  /// Adds a file; `kind` as in the schema of the report, `format` of an alignment. What the output
  /// refers to must outlive finish().
  void add(const std::string& kind, Output output, const std::string& format = {});
  /// Adds the alignment, which must outlive finish(), in the format of a file.
  void add(const AlignmentFile& file, const AlignmentText& alignment, const RunFiles& files);

  const std::vector<WrittenFile>& written() const { return written_; }
  /// The files that are written together with the report itself, which lists its own file without a
  /// checksum.
  std::vector<WrittenFile> written_with_report(const std::string& path) const;

  /// Completes the files, the last one first.
  /// Throws  as OutputFiles::finish.
  void finish() { files_.finish(); }

 private:
  bool with_checksums_;
  OutputFiles files_;
  std::vector<WrittenFile> written_;
};

}  // namespace accord
