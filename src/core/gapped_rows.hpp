// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace accord {

/// The rows of an alignment, stored as residues and the column of each residue. The text of a row,
/// with its gaps (`-`), is made on request, so an alignment takes the memory of its residues,
/// however wide it is.
/// Invariant  the columns of a row increase and are below columns().
/// Cost    9 bytes for each row and 5 for each residue.
class GappedRows {
 public:
  /// An alignment of `columns` columns without rows.
  explicit GappedRows(std::size_t columns = 0) : columns_(columns) {}

  std::size_t size() const { return begin_.size() - 1; }
  bool empty() const { return size() == 0; }
  std::size_t columns() const { return columns_; }

  /// Allocates memory for `rows` rows with `residues` residues in total.
  void reserve(std::size_t rows, std::size_t residues);

  /// Adds a row from its residues and the column of each residue.
  /// `column_of` must increase.
  /// Throws  Error{internal} if the lengths differ, or if the last column is not below columns().
  void add(std::string_view residues, std::span<const std::uint32_t> column_of);
  /// Adds a row from its text with gaps. The first row sets the number of columns.
  /// Throws  Error{internal} if a later row has another number of columns.
  void push_back(std::string_view row);

  /// The text of a row.
  std::string operator[](std::size_t r) const;
  /// Appends the text of columns [first, first + count) of row r to `text`; columns beyond the end
  /// are left out.
  void append(std::string& text, std::size_t r, std::size_t first, std::size_t count) const {
    append(text, r, first, count, residues(r), '-');
  }
  /// The same, with characters[i] for residue i, and `gap` for gaps.
  void append(std::string& text, std::size_t r, std::size_t first, std::size_t count,
              std::string_view characters, char gap) const;

  /// The residues of a row, without gaps.
  std::string_view residues(std::size_t r) const {
    return std::string_view(residues_).substr(begin_[r], begin_[r + 1] - begin_[r]);
  }
  /// The same, to change the letters.
  std::span<char> residues(std::size_t r) {
    return std::span<char>(residues_).subspan(begin_[r], begin_[r + 1] - begin_[r]);
  }
  /// The column of each residue of a row.
  std::span<const std::uint32_t> column_of(std::size_t r) const {
    return std::span(column_of_).subspan(begin_[r], begin_[r + 1] - begin_[r]);
  }
  /// Residues of all rows.
  std::size_t residue_count() const { return residues_.size(); }
  /// For each column, the number of residues in it.
  std::vector<std::size_t> residues_by_column() const;

  /// Removes the columns c with !kept[c], and the residues in them. `kept` has a value for each
  /// column.
  void keep_columns(const std::vector<bool>& kept);

  /// Iterates over the texts of the rows.
  class Iterator {
   public:
    using difference_type = std::ptrdiff_t;
    using value_type = std::string;
    using reference = std::string;
    using pointer = void;
    using iterator_category = std::input_iterator_tag;

    Iterator(const GappedRows& rows, std::size_t r) : rows_(&rows), r_(r) {}
    std::string operator*() const { return (*rows_)[r_]; }
    Iterator& operator++() {
      ++r_;
      return *this;
    }
    void operator++(int) { ++r_; }
    bool operator==(const Iterator& other) const { return r_ == other.r_; }

   private:
    const GappedRows* rows_;
    std::size_t r_;
  };
  Iterator begin() const { return {*this, 0}; }
  Iterator end() const { return {*this, size()}; }
  /// The texts of all rows. Only for alignments whose texts fit into memory.
  std::vector<std::string> texts() const { return {begin(), end()}; }

  bool operator==(const GappedRows&) const = default;
  /// Whether the texts of the rows are equal to `texts`.
  bool operator==(const std::vector<std::string>& texts) const {
    return std::equal(begin(), end(), texts.begin(), texts.end());
  }

 private:
  std::size_t columns_;
  std::string residues_;                  ///< of all rows, one after the other
  std::vector<std::uint32_t> column_of_;  ///< of each residue of residues_
  std::vector<std::size_t> begin_ = {0};  ///< offset of each row in residues_, and the end
};

}  // namespace accord
