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

/// The rows of an alignment, held as their residues and the column of each. A row with its gaps
/// (`-`), or a part of it, is made when it is asked for: an alignment takes the memory of its
/// residues, however wide it is.
///
/// Invariant  the columns of a row increase and are below columns().
/// Cost    9 bytes for each row and 5 for each residue.
class GappedRows {
 public:
  /// No rows yet, of so many columns.
  explicit GappedRows(std::size_t columns = 0) : columns_(columns) {}

  std::size_t size() const { return begin_.size() - 1; }
  bool empty() const { return size() == 0; }
  std::size_t columns() const { return columns_; }

  /// Makes place for so many rows and residues in all.
  void reserve(std::size_t rows, std::size_t residues);

  /// Adds a row.
  /// Throws  Error{internal} if it does not have a column below columns() for each residue.
  void add(std::string_view residues, std::span<const std::uint32_t> column_of);
  /// Adds a row from its text; the first one says how many columns there are.
  /// Throws  Error{internal} if it has another number of columns than the rows before it.
  void push_back(std::string_view row);

  /// The text of a row.
  std::string operator[](std::size_t r) const;
  /// Appends the text of columns [first, first + count) of a row, as far as there are columns.
  void append(std::string& text, std::size_t r, std::size_t first, std::size_t count) const {
    append(text, r, first, count, residues(r), '-');
  }
  /// The same with other characters for the residues, and for the gaps.
  void append(std::string& text, std::size_t r, std::size_t first, std::size_t count,
              std::string_view characters, char gap) const;

  /// The residues of a row, without gaps.
  std::string_view residues(std::size_t r) const {
    return std::string_view(residues_).substr(begin_[r], begin_[r + 1] - begin_[r]);
  }
  std::span<char> residues(std::size_t r) {
    return std::span<char>(residues_).subspan(begin_[r], begin_[r + 1] - begin_[r]);
  }
  /// The column of each residue of a row.
  std::span<const std::uint32_t> column_of(std::size_t r) const {
    return std::span(column_of_).subspan(begin_[r], begin_[r + 1] - begin_[r]);
  }
  /// Residues of all rows.
  std::size_t residue_count() const { return residues_.size(); }
  /// Residues of all rows, by column.
  std::vector<std::size_t> residues_by_column() const;

  /// Leaves out the other columns, with their residues.
  void keep_columns(const std::vector<bool>& kept);

  /// Goes through the texts of the rows.
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
  /// The texts of all rows, for an alignment of which they fit into memory.
  std::vector<std::string> texts() const { return {begin(), end()}; }

  bool operator==(const GappedRows&) const = default;
  /// Whether the texts of the rows are these.
  bool operator==(const std::vector<std::string>& texts) const {
    return std::equal(begin(), end(), texts.begin(), texts.end());
  }

 private:
  std::size_t columns_;
  std::string residues_;                  ///< of all rows, one after the other
  std::vector<std::uint32_t> column_of_;  ///< of each residue
  std::vector<std::size_t> begin_ = {0};  ///< where each row begins in them, and the end
};

}  // namespace accord
