// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "app/report/report.hpp"
#include "app/report/run_outputs.hpp"
#include "io/files/output_file.hpp"

namespace accord {

/// What a run writes, with what the report says of it.
class OutputList {
 public:
  explicit OutputList(bool with_checksums) : with_checksums_(with_checksums) {}

  /// Adds a file; `kind` as in the schema of the report, `format` of an alignment.
  void add(const std::string& kind, const std::string& path, std::string text,
           const std::string& format = {});
  /// Adds the alignment in the format of a file.
  void add(const AlignmentFile& file, const AlignmentText& alignment, const RunFiles& files);

  const std::vector<WrittenFile>& written() const { return written_; }
  /// What is written together with the report itself, which lists its own file without a checksum.
  std::vector<WrittenFile> written_with_report(const std::string& path) const;

  /// The outputs, the last one first.
  std::vector<Output> take();

 private:
  bool with_checksums_;
  std::vector<Output> outputs_;
  std::vector<WrittenFile> written_;
};

/// The inputs without their directories.
std::string page_title(const FamilyInput& input);

}  // namespace accord
