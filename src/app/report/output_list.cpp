// SPDX-License-Identifier: Apache-2.0
#include "app/report/output_list.hpp"

#include <algorithm>
#include <utility>

#include "io/files/sha256.hpp"

namespace accord {

void OutputList::add(const std::string& kind, const std::string& path, std::string text,
                     const std::string& format) {
  outputs_.push_back(make_output(path, std::move(text)));
  const std::string& bytes = outputs_.back().bytes;
  written_.push_back({kind, format, {path, bytes.size(), with_checksums_ ? sha256(bytes) : ""}});
}

void OutputList::add(const AlignmentFile& file, const AlignmentText& alignment,
                     const RunFiles& files) {
  add("alignment", file.path, format_alignment(alignment, file.format, files.wrap),
      std::string(format_name(file.format)));
}

std::vector<WrittenFile> OutputList::written_with_report(const std::string& path) const {
  std::vector<WrittenFile> written = written_;
  written.push_back({"report", {}, {path, 0, {}}});
  return written;
}

std::vector<Output> OutputList::take() {
  std::reverse(outputs_.begin(), outputs_.end());
  return std::move(outputs_);
}

std::string page_title(const FamilyInput& input) {
  FamilySource names;
  for (const FileDigest& file : input.files) {
    names.files.push_back(file.path.substr(file.path.find_last_of('/') + 1));  // npos + 1 is 0
  }
  return family_label(names);
}

}  // namespace accord
