// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "shared/layout.h"

namespace accord {

/// A posterior cell of a pair (x, y): residue `row` of x against residue `column` of y, 0-based.
using PosteriorCell = accord_cell;

/// Sparse posterior matrix of one ordered pair (x, y), compressed by rows.
///
/// Shape   rows() == length of x, cols() == length of y; no border row.
/// Units   probability, stored in units of 2^-16 (rounding error below 7.7e-6; 1 is stored as
///         65535), 4 bytes per cell (see ACCORD_CELL_* in shared/layout.h).
/// Invariant  columns strictly increasing within a row.
/// Reference  Do et al. 2005, Genome Res 15:330 (posterior matrix and cutoff).
class SparseMatrix {
 public:
  SparseMatrix() = default;

  /// A matrix of `cells`, in any order, at most one for each position. Cells whose probability
  /// rounds to 0 units are left out.
  SparseMatrix(std::uint32_t rows, std::uint32_t cols, std::span<const PosteriorCell> cells);

  /// A matrix with this row_begin() and packed(), which are not checked.
  SparseMatrix(std::uint32_t cols, std::span<const std::uint32_t> row_begin,
               std::vector<std::uint32_t> packed)
      : cols_(cols), row_begin_(row_begin.begin(), row_begin.end()), packed_(std::move(packed)) {}

  std::uint32_t rows() const noexcept { return static_cast<std::uint32_t>(row_begin_.size()) - 1; }
  std::uint32_t cols() const noexcept { return cols_; }

  /// Calls f(column, units) for the cells of row i, columns increasing; units in [1, 65535].
  template <class F>
  void for_each_in_row(std::uint32_t i, F&& f) const {
    std::uint32_t column = 0;
    for (std::uint32_t at = row_begin_[i]; at < row_begin_[i + 1]; ++at) {
      column += ACCORD_CELL_STEP(packed_[at]);
      if (ACCORD_CELL_UNITS(packed_[at]) != 0) f(column, ACCORD_CELL_UNITS(packed_[at]));
    }
  }

  /// Units of the cell (i, j); 0 if the cell is not stored.
  std::uint32_t units_at(std::uint32_t i, std::uint32_t j) const {
    std::uint32_t found = 0;
    for_each_in_row(i, [&](std::uint32_t column, std::uint32_t units) {
      if (column == j) found = units;
    });
    return found;
  }

  /// The matrix of the pair (y, x), with the same cells.
  SparseMatrix transposed() const;

  /// The same cells with new units, one value for each element of packed(), 0 for a filler; cells
  /// with 0 units are removed.
  SparseMatrix with_units(std::span<const std::uint16_t> units) const;
  /// The same, but cells with 0 units stay in packed(), as fillers.
  SparseMatrix with_all_units(std::span<const std::uint16_t> units) const;

  /// Replaces the units of each cell by f(units). f must map 0 to 0, and other units to at least 1.
  template <class F>
  void map_units(F&& f) {
    for (std::uint32_t& cell : packed_) {
      cell = ACCORD_CELL(ACCORD_CELL_STEP(cell), f(ACCORD_CELL_UNITS(cell)));
    }
  }

  /// Offsets of the rows in packed(), rows() + 1 of them.
  std::span<const std::uint32_t> row_begin() const noexcept { return row_begin_; }
  /// The packed cells, including fillers (see SparseMatrixBuilder::add).
  std::span<const std::uint32_t> packed() const noexcept { return packed_; }

  bool operator==(const SparseMatrix&) const = default;

 private:
  friend class SparseMatrixBuilder;
  SparseMatrix with_units_and_steps(std::span<const std::uint16_t> units) const;

  std::uint32_t cols_ = 0;
  std::vector<std::uint32_t> row_begin_{0};
  std::vector<std::uint32_t> packed_;
};

/// Builds a SparseMatrix row by row, columns increasing.
class SparseMatrixBuilder {
 public:
  /// Begins row 0 of a matrix with `cols` columns.
  explicit SparseMatrixBuilder(std::uint32_t cols) { matrix_.cols_ = cols; }

  /// The same, with memory for `rows` rows and `cells` cells.
  SparseMatrixBuilder(std::uint32_t cols, std::size_t rows, std::size_t cells)
      : SparseMatrixBuilder(cols) {
    matrix_.row_begin_.reserve(rows + 1);
    matrix_.packed_.reserve(cells);
  }

  /// Appends a cell to the current row, unless it has 0 units. `column` is larger than that of the
  /// cell before it in the row; `units` is at most 65535. A step that is too wide for a packed cell
  /// is split by fillers, cells of 0 units.
  void add(std::uint32_t column, std::uint32_t units) {
    if (units == 0) return;
    std::uint32_t step = column - last_column_;
    for (; step > 0xffffu; step -= 0xffffu) matrix_.packed_.push_back(0xffffu);
    matrix_.packed_.push_back(ACCORD_CELL(step, units));
    last_column_ = column;
  }
  /// Ends the current row.
  void end_row() {
    matrix_.row_begin_.push_back(static_cast<std::uint32_t>(matrix_.packed_.size()));
    last_column_ = 0;
  }
  /// The matrix of all ended rows. Call it once, after the last end_row(); the builder cannot be
  /// used afterwards.
  SparseMatrix finish();

 private:
  SparseMatrix matrix_;
  std::uint32_t last_column_ = 0;
};

/// Converts a probability in [0, 1] to units of 2^-16, rounded to nearest, at most 65535.
inline std::uint32_t probability_units(float probability) {
  const auto units = ACCORD_UNITS_OF_FRACTION(probability);
  return units < 65535u ? units : 65535u;
}

}  // namespace accord
