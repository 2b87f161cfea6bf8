// SPDX-License-Identifier: Apache-2.0
#include "core/gapped_rows.hpp"

#include "accord/base/error.hpp"

namespace accord {

void GappedRows::reserve(std::size_t rows, std::size_t residues) {
  residues_.reserve(residues);
  column_of_.reserve(residues);
  begin_.reserve(rows + 1);
}

void GappedRows::add(std::string_view residues, std::span<const std::uint32_t> column_of) {
  if (column_of.size() != residues.size() || (!column_of.empty() && column_of.back() >= columns_)) {
    throw Error(ErrorKind::internal, "a row of the alignment does not fit its sequence");
  }
  residues_ += residues;
  column_of_.insert(column_of_.end(), column_of.begin(), column_of.end());
  begin_.push_back(residues_.size());
}

void GappedRows::push_back(std::string_view row) {
  if (empty()) columns_ = row.size();
  if (row.size() != columns_) {
    throw Error(ErrorKind::internal, "the rows of the alignment differ in length");
  }
  for (std::uint32_t c = 0; c < row.size(); ++c) {
    if (row[c] == '-') continue;
    residues_ += row[c];
    column_of_.push_back(c);
  }
  begin_.push_back(residues_.size());
}

std::string GappedRows::operator[](std::size_t r) const {
  std::string row;
  append(row, r, 0, columns_);
  return row;
}

void GappedRows::append(std::string& text, std::size_t r, std::size_t first, std::size_t count,
                        std::string_view characters, char gap) const {
  first = std::min(first, columns_);
  count = std::min(count, columns_ - first);
  const std::size_t at = text.size();
  text.append(count, gap);
  const std::span<const std::uint32_t> columns = column_of(r);
  for (auto next = std::lower_bound(columns.begin(), columns.end(), first);
       next != columns.end() && *next < first + count; ++next) {
    text[at + *next - first] = characters[static_cast<std::size_t>(next - columns.begin())];
  }
}

std::vector<std::size_t> GappedRows::residues_by_column() const {
  std::vector<std::size_t> counts(columns_, 0);
  for (const std::uint32_t c : column_of_) ++counts[c];
  return counts;
}

void GappedRows::keep_columns(const std::vector<bool>& kept) {
  std::vector<std::uint32_t> number(columns_, 0);
  std::uint32_t columns = 0;
  for (std::size_t c = 0; c < columns_; ++c) {
    number[c] = columns;
    columns += kept[c];
  }
  std::size_t next = 0, i = 0;
  for (std::size_t r = 0; r < size(); ++r) {
    for (; i < begin_[r + 1]; ++i) {
      if (!kept[column_of_[i]]) continue;
      residues_[next] = residues_[i];
      column_of_[next++] = number[column_of_[i]];
    }
    begin_[r + 1] = next;
  }
  residues_.resize(next);
  column_of_.resize(next);
  columns_ = columns;
}

}  // namespace accord
