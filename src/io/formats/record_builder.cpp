// SPDX-License-Identifier: Apache-2.0
#include "io/formats/record_builder.hpp"

#include <algorithm>
#include <utility>

#include "base/text.hpp"
#include "core/alphabet.hpp"
#include "io/files/reading_memory.hpp"
#include "io/files/text_input.hpp"

namespace accord {

void RecordBuilder::count(std::size_t bytes) {
  constexpr std::size_t kOften = std::size_t{1} << 16;
  bytes_ += bytes;
  if (bytes_ - checked_ < kOften) return;
  check_reading(bytes_, label_, counted(size(), "row") + " or more");
  checked_ = bytes_;
}

bool RecordBuilder::add(std::string_view name) {
  constexpr std::size_t kOfRow = 3 * sizeof(SequenceRecord) + 128;  // while the list grows
  count(kOfRow + 2 * name.size());
  if (!index_.emplace(name, size()).second) return false;
  records_.push_back({std::string(name), {}, name.size()});
  block_begin_.push_back(0);
  return true;
}

void RecordBuilder::append(std::string_view name, std::string_view letters, std::size_t line) {
  const auto at = index_.find(std::string(name));
  if (at == index_.end()) throw Error(ErrorKind::internal, "no row " + quote(name));
  append(at->second, letters, line);
}

void RecordBuilder::append(std::size_t row, std::string_view letters, std::size_t line) {
  count(2 * letters.size());
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

void RecordBuilder::append_line(std::string_view name, std::string_view letters, std::size_t line) {
  append(name, letters, line);
  block_rows_.push_back(row_of(name));
}

void RecordBuilder::end_block(std::size_t line) {
  std::vector<std::size_t> rows = std::exchange(block_rows_, {});
  if (rows.empty()) return;
  const auto columns_of = [&](std::size_t row) { return length(row) - block_begin_[row]; };
  const std::size_t first = rows[0];
  const auto other = std::find_if(rows.begin(), rows.end(), [&](std::size_t row) {
    return columns_of(row) != columns_of(first);
  });
  std::vector<std::size_t> sorted = rows;
  std::sort(sorted.begin(), sorted.end());
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice != sorted.end()) throw two_rows_error(label_, line, records_[*twice].header);
  if (other != rows.end()) {
    throw line_error(
        label_, line,
        "not aligned: in the block that ends here row " + quote(records_[*other].header) + " has " +
            counted(columns_of(*other), "column") + ", row " + quote(records_[first].header) +
            " has " + std::to_string(columns_of(first)),
        "every line of a block has as many columns");
  }
  for (const std::size_t row : rows) block_begin_[row] = length(row);
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
                  counted(least->letters.size(), "column") + ", row " + quote(most->name()) +
                  " has " + std::to_string(most->letters.size()),
              "every row has a line in every block: was the file cut off?");
}

Error two_rows_error(const std::string& label, std::size_t line, std::string_view name) {
  return line_error(label, line, "two rows are named " + quote(name),
                    "rename one of them; this format knows a row by its name");
}

}  // namespace accord
