// SPDX-License-Identifier: Apache-2.0
#include "core/sparse_matrix.hpp"

#include <algorithm>

namespace accord {
namespace {

struct Entry {
  std::uint32_t column;
  std::uint32_t units;
};

/// Counting sort of cells by row. It is stable.
struct RowBuckets {
  std::vector<std::size_t> begin;
  std::vector<Entry> entries;

  template <class Cells, class RowOf, class EntryOf>
  RowBuckets(std::uint32_t rows, const Cells& cells, RowOf row_of, EntryOf entry_of)
      : begin(rows + 1, 0), entries(cells.size()) {
    for (const auto& cell : cells) ++begin[row_of(cell) + 1];
    for (std::uint32_t i = 0; i < rows; ++i) begin[i + 1] += begin[i];
    std::vector<std::size_t> next(begin.begin(), begin.end() - 1);
    for (const auto& cell : cells) entries[next[row_of(cell)]++] = entry_of(cell);
  }
};

}  // namespace

SparseMatrix::SparseMatrix(std::uint32_t rows, std::uint32_t cols,
                           std::span<const PosteriorCell> cells) {
  RowBuckets buckets(
      rows, cells, [](const PosteriorCell& cell) { return cell.row; },
      [](const PosteriorCell& cell) {
        return Entry{cell.column, probability_units(cell.probability)};
      });
  SparseMatrixBuilder builder(cols, rows, cells.size());
  for (std::uint32_t i = 0; i < rows; ++i) {
    const auto first = buckets.entries.begin() + static_cast<std::ptrdiff_t>(buckets.begin[i]);
    const auto last = buckets.entries.begin() + static_cast<std::ptrdiff_t>(buckets.begin[i + 1]);
    std::sort(first, last, [](const Entry& a, const Entry& b) { return a.column < b.column; });
    for (auto entry = first; entry != last; ++entry) builder.add(entry->column, entry->units);
    builder.end_row();
  }
  *this = builder.finish();
}

SparseMatrix SparseMatrix::transposed() const {
  // Walking the rows in order fills every column of the transpose in order.
  std::vector<std::pair<std::uint32_t, Entry>> cells;
  cells.reserve(packed_.size());
  for (std::uint32_t i = 0; i < rows(); ++i) {
    for_each_in_row(i, [&](std::uint32_t column, std::uint32_t units) {
      cells.push_back({column, Entry{i, units}});
    });
  }
  const RowBuckets buckets(
      cols_, cells, [](const auto& cell) { return cell.first; },
      [](const auto& cell) { return cell.second; });
  SparseMatrixBuilder builder(rows(), cols_, packed_.size());
  for (std::uint32_t j = 0; j < cols_; ++j) {
    for (std::size_t at = buckets.begin[j]; at < buckets.begin[j + 1]; ++at) {
      builder.add(buckets.entries[at].column, buckets.entries[at].units);
    }
    builder.end_row();
  }
  return builder.finish();
}

SparseMatrix SparseMatrix::with_units(std::span<const std::uint16_t> units) const {
  if (cols_ > 0xffffu) return with_units_and_steps(units);
  const auto lost = static_cast<std::size_t>(std::ranges::count(units, std::uint16_t{0}));
  if (lost == 0) return with_all_units(units);
  SparseMatrix result;
  result.cols_ = cols_;
  result.row_begin_.resize(row_begin_.size());
  result.packed_.resize(packed_.size() - lost + 1);  // + 1: a lost cell is written, too
  std::uint32_t kept = 0;
  for (std::uint32_t i = 0; i < rows(); ++i) {
    std::uint32_t column = 0, last = 0;
    for (std::uint32_t at = row_begin_[i]; at < row_begin_[i + 1]; ++at) {
      // Without a branch, since the processor cannot predict which cells are lost.
      column += ACCORD_CELL_STEP(packed_[at]);
      result.packed_[kept] = ACCORD_CELL(column - last, std::uint32_t{units[at]});
      const bool stays = units[at] != 0;
      kept += stays;
      last = stays ? column : last;
    }
    result.row_begin_[i + 1] = kept;
  }
  result.packed_.resize(kept);
  return result;
}

SparseMatrix SparseMatrix::with_all_units(std::span<const std::uint16_t> units) const {
  std::vector<std::uint32_t> packed(packed_.size());
  for (std::size_t at = 0; at < packed.size(); ++at) {
    packed[at] = ACCORD_CELL(ACCORD_CELL_STEP(packed_[at]), std::uint32_t{units[at]});
  }
  return {cols_, row_begin_, std::move(packed)};
}

/// with_units() for columns that may become further apart than one step of a packed cell.
SparseMatrix SparseMatrix::with_units_and_steps(std::span<const std::uint16_t> units) const {
  SparseMatrixBuilder builder(cols_, rows(), packed_.size());
  for (std::uint32_t i = 0; i < rows(); ++i) {
    std::uint32_t column = 0;
    for (std::uint32_t at = row_begin_[i]; at < row_begin_[i + 1]; ++at) {
      column += ACCORD_CELL_STEP(packed_[at]);
      builder.add(column, units[at]);
    }
    builder.end_row();
  }
  return builder.finish();
}

SparseMatrix SparseMatrixBuilder::finish() {
  matrix_.packed_.shrink_to_fit();
  last_column_ = 0;
  return std::exchange(matrix_, SparseMatrix());
}

}  // namespace accord
