// SPDX-License-Identifier: Apache-2.0
#include "io/families/aligned_records.hpp"

#include <algorithm>
#include <iterator>

#include "accord/base/error.hpp"
#include "base/text.hpp"
#include "core/alphabet.hpp"
#include "io/files/text_input.hpp"

namespace accord {
namespace {

void check_aligned(const std::vector<SequenceRecord>& rows, const std::string& label) {
  const bool has_columns = std::any_of(
      rows.begin(), rows.end(), [](const SequenceRecord& row) { return !row.letters.empty(); });
  if (!has_columns) {
    throw Error(ErrorKind::bad_input, label + ": an alignment without columns",
                "give an alignment with at least one column");
  }
  for (const SequenceRecord& row : rows) {
    if (row.letters.size() == rows[0].letters.size()) continue;
    throw Error(ErrorKind::bad_input,
                label + ": not aligned: row " + quote(row.name()) + " has " +
                    counted(row.letters.size(), "column") + ", row " + quote(rows[0].name()) +
                    " has " + std::to_string(rows[0].letters.size()),
                "'accord align' aligns it; {in-format=a3m} reads A3M that is named otherwise");
  }
}

}  // namespace

std::vector<SequenceRecord> aligned_records_of(std::string_view text, const std::string& label,
                                               const ReadOptions& options) {
  ReadOptions aligned = options;
  aligned.is_aligned = true;
  std::vector<SequenceRecord> rows = records_of(text, label, aligned);
  check_aligned(rows, label);
  return rows;
}

std::string letters_alone(std::string_view row) {
  std::string letters;
  letters.reserve(static_cast<std::size_t>(
      std::count_if(row.begin(), row.end(), [](char c) { return !is_gap(c); })));
  std::copy_if(row.begin(), row.end(), std::back_inserter(letters),
               [](char c) { return !is_gap(c); });
  return letters;
}

std::vector<SequenceRecord> without_gaps(const std::vector<SequenceRecord>& rows) {
  std::vector<SequenceRecord> records;
  records.reserve(rows.size());
  for (const SequenceRecord& row : rows) {
    records.push_back({row.header, letters_alone(row.letters), row.name_bytes, row.track});
  }
  return records;
}

std::vector<std::uint32_t> columns_of_row(std::string_view row) {
  std::vector<std::uint32_t> columns;
  columns.reserve(static_cast<std::size_t>(
      std::count_if(row.begin(), row.end(), [](char c) { return !is_gap(c); })));
  for (std::uint32_t c = 0; c < row.size(); ++c) {
    if (!is_gap(row[c])) columns.push_back(c);
  }
  return columns;
}

}  // namespace accord
