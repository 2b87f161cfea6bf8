// SPDX-License-Identifier: Apache-2.0
#include "io/formats/record_builder.hpp"

#include <algorithm>

#include "core/alphabet.hpp"
#include "io/files/text_input.hpp"

namespace accord {

bool RecordBuilder::add(std::string_view name) {
  if (!index_.emplace(name, size()).second) return false;
  records_.push_back({std::string(name), {}, name.size()});
  return true;
}

void RecordBuilder::append(std::string_view name, std::string_view letters, std::size_t line) {
  const auto at = index_.find(std::string(name));
  if (at == index_.end()) throw Error(ErrorKind::internal, "no row " + quote(name));
  append(at->second, letters, line);
}

void RecordBuilder::append(std::size_t row, std::string_view letters, std::size_t line) {
  std::string& target = records_[row].letters;
  for (char c : letters) {
    if (is_sequence_letter(c) || c == '-' || c == '.') {
      target += c;
    } else if (c == '~') {
      target += '-';
    } else if (!is_white_space(c)) {
      if (left_out_ == nullptr) {
        throw line_error(label_, line,
                         quote(std::string_view(&c, 1)) + " cannot stand in an alignment",
                         "only letters, '*', '?' (not known) and the gaps '-', '.' and '~' can; "
                         "{lenient} reads others as gaps");
      }
      left_out_->add(c);
      target += '-';
    }
  }
}

void RecordBuilder::describe(std::string_view name, std::string_view description) {
  const auto at = index_.find(std::string(name));
  if (at == index_.end() || description.empty()) return;
  records_[at->second].header += ' ';
  records_[at->second].header += description;
}

std::vector<SequenceRecord> RecordBuilder::finish() {
  if (records_.empty()) {
    throw Error(ErrorKind::bad_input, label_ + ": there are no rows",
                "the file ends after its header: was it cut off?");
  }
  return std::move(records_);
}

std::vector<SequenceRecord> RecordBuilder::finish_aligned() {
  std::vector<SequenceRecord> records = finish();
  const auto [least, most] = std::minmax_element(
      records.begin(), records.end(), [](const SequenceRecord& a, const SequenceRecord& b) {
        return a.letters.size() < b.letters.size();
      });
  if (least->letters.size() == most->letters.size()) return records;
  throw Error(ErrorKind::bad_input,
              label_ + ": not aligned: row " + quote(least->name()) + " has " +
                  std::to_string(least->letters.size()) + " columns, row " + quote(most->name()) +
                  " has " + std::to_string(most->letters.size()),
              "every row has a line in every block: was the file cut off?");
}

Error two_rows_error(const std::string& label, std::size_t line, std::string_view name) {
  return line_error(label, line, "two rows are named " + quote(name),
                    "rename one of them; this format knows a row by its name");
}

}  // namespace accord
