// SPDX-License-Identifier: Apache-2.0
#include "app/outputs/output_list.hpp"

#include <utility>

namespace accord {

void OutputList::add(const std::string& kind, Output output, const std::string& format) {
  WrittenFile file{kind, format, {output.path, 0, {}}};
  if (with_checksums_) {
    const WrittenBytes written = files_.add_with_checksum(std::move(output));
    file.file.bytes = written.bytes;
    file.file.sha256 = written.sha256;
  } else {
    files_.add(std::move(output));
  }
  written_.push_back(std::move(file));
}

void OutputList::add(const AlignmentFile& file, const AlignmentText& alignment,
                     const RunFiles& files) {
  warn_of_format(alignment, file.format);
  add("alignment", alignment_output(alignment, file, files), std::string(format_name(file.format)));
}

std::vector<WrittenFile> OutputList::written_with_report(const std::string& path) const {
  std::vector<WrittenFile> written = written_;
  written.push_back({"report", {}, {path, 0, {}}});
  return written;
}

}  // namespace accord
