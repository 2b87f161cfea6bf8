// SPDX-License-Identifier: Apache-2.0
#include "align/profile_scores.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <utility>

#include "accord/base/error.hpp"
#include "base/parallel.hpp"

namespace accord {
namespace {

/// Up to this size in bytes, all sums of a join are held at once, and its matrices are added in any
/// order.
constexpr std::size_t kWholeBytes = std::size_t{1} << 20;
constexpr std::size_t kAllBytes = std::size_t{64} << 20;  // for the dense rows of all threads
constexpr std::size_t kParallelPairs = 50000;  // rows of pairs; fewer are not worth a parallel loop
constexpr std::uint32_t kLine = 8;             // cells per flag: 64 bytes, one cache line

/// Data that all blocks of one merge share.
struct Merge {
  std::span<const std::vector<std::uint32_t>> column_of;
  const PosteriorSet& posteriors;
  std::span<const std::uint32_t> weights;
};

/// The stored matrix of two sequences, prepared for addition.
struct Pair {
  std::span<const std::uint32_t> row_begin;  ///< as in SparseMatrix
  const std::uint32_t* packed;
  std::span<const std::uint32_t> column;  ///< of each residue of y, in the profile of y
  std::uint64_t weight;

  std::uint32_t rows() const { return static_cast<std::uint32_t>(row_begin.size() - 1); }
};

Pair pair_of(const Merge& merge, std::uint32_t x, std::uint32_t y) {
  const SparseMatrix& matrix = merge.posteriors.at(x, y);
  return {matrix.row_begin(), matrix.packed().data(), merge.column_of[y],
          std::uint64_t{merge.weights[x]} * merge.weights[y]};
}

/// The number of cells of a dense row: a multiple that allows reading its flags eight at a time.
std::size_t stride_of(const Profile& profile) {
  return (std::size_t{profile.columns} + 8 * kLine - 1) / (8 * kLine) * (8 * kLine);
}

std::uint64_t row_bytes(const Profile& profile) {
  return std::uint64_t{stride_of(profile)} * sizeof(std::uint64_t);
}

/// The number of dense rows at a time: as many as a thread has memory for, at least one. With many
/// rows each pair is visited less often, but its cells are scattered: for 62 sequences on 7,500
/// columns, rows of 2 MiB took four fifths of the time of 16 MiB.
std::size_t rows_at_a_time(const Profile& other) {
  const std::size_t bytes = std::clamp(kAllBytes / static_cast<std::size_t>(thread_count()),
                                       std::size_t{1} << 20, std::size_t{2} << 20);
  const std::uint64_t rows = bytes / std::max<std::uint64_t>(1, row_bytes(other));
  return std::max<std::size_t>(1, static_cast<std::size_t>(rows));
}

/// Some dense rows of sums, with a flag for each group of kLine cells that holds a sum.
class DenseRows {
 public:
  DenseRows(ScoreScratch& scratch, std::size_t rows, const Profile& other)
      : cells_(scratch.cells), lines_(stride_of(other) / kLine) {
    if (scratch.flags.size() < rows * lines_) {
      scratch.sums.resize(rows * lines_ * kLine, 0);
      scratch.flags.resize(rows * lines_, 0);
    }
    sums_ = scratch.sums.data();
    flags_ = scratch.flags.data();
  }

  /// One dense row, to which sums are added.
  struct Row {
    std::uint64_t* sums;
    std::uint8_t* flags;

    void add(std::uint32_t column, std::uint64_t sum) const {
      sums[column] += sum;
      flags[column / kLine] = 1;
    }
  };
  Row row(std::size_t r) const { return {sums_ + r * lines_ * kLine, flags_ + r * lines_}; }

  /// Records that sums were added between columns `first` and `last`, inclusive. extract() looks
  /// only at recorded columns.
  void reach(std::uint32_t first, std::uint32_t last) {
    first_ = std::min(first_, first);
    last_ = std::max(last_, last);
  }
  /// Forgets the recorded columns, once all rows are zero again.
  void start_over() {
    first_ = std::numeric_limits<std::uint32_t>::max();
    last_ = 0;
  }

  /// Appends the nonzero cells of row r to the first `count` cells of the scratch, and sets the row
  /// to zero. Returns the new number of cells. The flags are read eight at a time, so that an empty
  /// stretch costs one byte per 64 bytes of sums.
  std::size_t extract(std::size_t r, std::size_t count) const {
    if (cells_.size() < count + lines_ * kLine) cells_.resize(2 * count + lines_ * kLine);
    ScoreCell* next = cells_.data() + count;
    const Row from = row(r);
    const std::size_t last_group = last_ / kLine;
    for (std::size_t group = first_ / (8 * kLine) * 8; group <= last_group; group += 8) {
      std::uint64_t eight_flags = 0;
      std::memcpy(&eight_flags, from.flags + group, 8);
      if (eight_flags == 0) continue;
      std::uint32_t bits = 0;
      for (std::size_t k = 0; k < 8; ++k) bits |= std::uint32_t{from.flags[group + k]} << k;
      std::fill_n(from.flags + group, 8, std::uint8_t{0});
      for (; bits != 0; bits &= bits - 1) {
        const std::size_t first =
            (group + static_cast<std::size_t>(std::countr_zero(bits))) * kLine;
        // Without a branch, since the processor cannot predict which cells are zero.
        for (std::size_t c = first; c < first + kLine; ++c) {
          *next = {from.sums[c], static_cast<std::uint32_t>(c)};
          next += from.sums[c] != 0;
          from.sums[c] = 0;
        }
      }
    }
    return static_cast<std::size_t>(next - cells_.data());
  }

 private:
  std::vector<ScoreCell>& cells_;
  std::size_t lines_;  ///< flags per row, a multiple of 8
  std::uint64_t* sums_;
  std::uint8_t* flags_;
  std::uint32_t first_ = std::numeric_limits<std::uint32_t>::max(), last_ = 0;  // see reach()
};

/// Adds rows [first, last) of a pair. The first dense row is column `begin` of the profile of x.
void add_rows(const Pair& stored, std::uint32_t first, std::uint32_t last,
              std::span<const std::uint32_t> x_column, std::uint32_t begin, DenseRows& dense) {
  const Pair pair = stored;  // a local copy: a store to a byte flag may alias any other memory
  for (std::uint32_t i = first; i < last; ++i) {
    const DenseRows::Row row = dense.row(x_column[i] - begin);
    const std::uint32_t from = pair.row_begin[i], end = pair.row_begin[i + 1];
    if (from == end) continue;
    const std::uint32_t first_column = pair.column[ACCORD_CELL_STEP(pair.packed[from])];
    std::uint32_t j = 0;
    for (std::uint32_t at = from; at < end; ++at) {
      const std::uint32_t cell = pair.packed[at];
      j += ACCORD_CELL_STEP(cell);  // a filler adds 0, to a residue before the next cell's
      row.add(pair.column[j], pair.weight * ACCORD_CELL_UNITS(cell));
    }
    dense.reach(first_column, pair.column[j]);
  }
}

/// Adds a pair whose columns (residues of y) belong to dense rows, and whose rows to their cells.
void add_transposed(const Pair& pair, std::span<const std::uint32_t> cell_column,
                    const DenseRows& dense) {
  for (std::uint32_t i = 0; i < pair.rows(); ++i) {
    const std::uint32_t column = cell_column[i];
    const std::uint32_t end = pair.row_begin[i + 1];
    std::uint32_t j = 0;
    for (std::uint32_t at = pair.row_begin[i]; at < end; ++at) {
      const std::uint32_t cell = pair.packed[at];
      j += ACCORD_CELL_STEP(cell);
      dense.row(pair.column[j]).add(column, pair.weight * ACCORD_CELL_UNITS(cell));
    }
  }
}

/// Moves the nonzero sums of the first `rows` dense rows to the scratch.
void extract(DenseRows& dense, std::size_t rows, std::vector<std::size_t>& row_begin) {
  for (std::size_t row = 0; row < rows; ++row) {
    row_begin.push_back(dense.extract(row, row_begin.back()));
  }
  dense.start_over();
}

/// Adds up all pairs of a small join.
ProfileScores whole_scores(const Merge& merge, const Profile& x_profile, const Profile& y_profile,
                           ScoreScratch& scratch) {
  DenseRows dense(scratch, x_profile.columns, y_profile);
  if (y_profile.columns > 0) dense.reach(0, y_profile.columns - 1);
  for (const std::uint32_t x : x_profile.rows) {
    for (const std::uint32_t y : y_profile.rows) {
      if (x < y) {
        const Pair pair = pair_of(merge, x, y);
        add_rows(pair, 0, pair.rows(), merge.column_of[x], 0, dense);
      } else {
        add_transposed(pair_of(merge, y, x), merge.column_of[y], dense);
      }
    }
  }
  ProfileScores scores;
  scores.columns = y_profile.columns;
  scores.row_begin.reserve(std::size_t{x_profile.columns} + 1);
  extract(dense, x_profile.columns, scores.row_begin);
  scores.cells.assign(scratch.cells.data(), scratch.cells.data() + scores.row_begin.back());
  return scores;
}

/// The pairs (x, y) of two profiles with x < y, whose matrices are stored with the rows of x. They
/// are added along these rows, so that a range of columns of x is a contiguous part of every
/// matrix.
struct Orientation {
  const Profile& x;
  const Profile& y;

  bool has_pairs() const {
    return !x.rows.empty() && !y.rows.empty() &&
           *std::min_element(x.rows.begin(), x.rows.end()) <
               *std::max_element(y.rows.begin(), y.rows.end());
  }
};

/// Columns [begin, end) of x, and their scores.
struct ColumnBlock {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  ProfileScores scores;
};

/// Adds up the pairs in columns [begin, end) of x.
void add_pairs(const Merge& merge, const Orientation& by, std::uint32_t begin, std::uint32_t end,
               DenseRows& dense) {
  for (const std::uint32_t x : by.x.rows) {
    const std::vector<std::uint32_t>& column = merge.column_of[x];
    const auto from = std::lower_bound(column.begin(), column.end(), begin);
    const auto to = std::lower_bound(from, column.end(), end);
    const auto first = static_cast<std::uint32_t>(from - column.begin());
    const auto last = static_cast<std::uint32_t>(to - column.begin());
    if (first == last) continue;
    for (const std::uint32_t y : by.y.rows) {
      if (x >= y) continue;
      // The matrix of a pair without cells may have no rows.
      const Pair pair = pair_of(merge, x, y);
      add_rows(pair, first, std::min(last, pair.rows()), column, begin, dense);
    }
  }
}

/// Computes the scores of a block: its pairs, plus `others`, the scores of the other orientation,
/// if there are any.
void fill_block(const Merge& merge, const Orientation& by, const ProfileScores* others,
                ColumnBlock& block, ScoreScratch& scratch) {
  const auto most = static_cast<std::uint32_t>(
      std::min<std::size_t>(rows_at_a_time(by.y), block.end - block.begin));
  DenseRows dense(scratch, most, by.y);
  std::vector<std::size_t>& row_begin = block.scores.row_begin;
  row_begin.reserve(std::size_t{block.end} - block.begin + 1);
  std::uint32_t end = block.begin;
  for (std::uint32_t begin = block.begin; begin < block.end; begin = end) {
    end = begin + std::min(most, block.end - begin);
    add_pairs(merge, by, begin, end, dense);
    for (std::uint32_t row = begin; others != nullptr && row < end; ++row) {
      const std::size_t first = others->row_begin[row], last = others->row_begin[row + 1];
      for (std::size_t at = first; at < last; ++at) {
        dense.row(row - begin).add(others->cells[at].column, others->cells[at].sum);
      }
      if (first < last) dense.reach(others->cells[first].column, others->cells[last - 1].column);
    }
    extract(dense, end - begin, row_begin);
  }
  block.scores.cells.assign(scratch.cells.data(), scratch.cells.data() + row_begin.back());
}

/// Appends the rows of all blocks to each other.
ProfileScores concatenate(std::span<ColumnBlock> blocks) {
  std::size_t cells = 0;
  for (const ColumnBlock& block : blocks) cells += block.scores.cells.size();
  ProfileScores scores = std::move(blocks[0].scores);
  scores.cells.reserve(cells);
  for (const ColumnBlock& block : blocks.subspan(1)) {
    const std::size_t before = scores.cells.size();
    for (const std::size_t begin : std::span(block.scores.row_begin).subspan(1)) {
      scores.row_begin.push_back(before + begin);
    }
    scores.cells.insert(scores.cells.end(), block.scores.cells.begin(), block.scores.cells.end());
  }
  return scores;
}

/// Computes the scores of all columns of x, in enough blocks to keep all threads busy.
ProfileScores scores_of(const Merge& merge, const Orientation& by, const ProfileScores* others,
                        std::span<ScoreScratch> scratch) {
  const std::uint32_t columns = by.x.columns;
  std::uint32_t block_rows = columns;
  if (scratch.size() > 1) {
    block_rows = std::max(8u, columns / (3 * static_cast<std::uint32_t>(scratch.size())));
  }
  std::vector<ColumnBlock> blocks(1);
  blocks[0].end = std::min(block_rows, columns);
  while (blocks.back().end < columns) {
    const std::uint32_t begin = blocks.back().end;
    blocks.push_back({begin, begin + std::min(block_rows, columns - begin), {}});
  }
  if (blocks.size() == 1) {
    fill_block(merge, by, others, blocks[0], scratch[0]);
  } else {
    parallel_for(blocks.size(), [&](std::size_t k, int thread) {
      fill_block(merge, by, others, blocks[k], scratch[static_cast<std::size_t>(thread)]);
    });
  }
  ProfileScores scores = concatenate(blocks);
  scores.columns = by.y.columns;
  return scores;
}

ProfileScores transposed(const ProfileScores& scores) {
  const std::size_t rows = scores.row_begin.size() - 1;
  ProfileScores result;
  result.columns = static_cast<std::uint32_t>(rows);
  result.row_begin.assign(std::size_t{scores.columns} + 1, 0);
  for (const ScoreCell& cell : scores.cells) ++result.row_begin[cell.column + 1];
  for (std::size_t c = 0; c < scores.columns; ++c) result.row_begin[c + 1] += result.row_begin[c];
  std::vector<std::size_t> next(result.row_begin.begin(), result.row_begin.end() - 1);
  result.cells.resize(scores.cells.size());
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t at = scores.row_begin[row]; at < scores.row_begin[row + 1]; ++at) {
      const ScoreCell& cell = scores.cells[at];
      result.cells[next[cell.column]++] = {cell.sum, static_cast<std::uint32_t>(row)};
    }
  }
  return result;
}

/// The score of two columns with a residue of each row, all surely aligned.
std::uint64_t certain_score(const Profile& x_profile, const Profile& y_profile,
                            std::span<const std::uint32_t> weights) {
  std::uint64_t x_weight = 0;
  std::uint64_t y_weight = 0;
  for (const std::uint32_t x : x_profile.rows) x_weight += weights[x];
  for (const std::uint32_t y : y_profile.rows) y_weight += weights[y];
  const double columns = std::max(1u, std::min(x_profile.columns, y_profile.columns));
  if (columns * static_cast<double>(x_weight) * static_cast<double>(y_weight) *
          ACCORD_UNITS_OF_ONE >=
      18446744073709551616.0) {
    throw Error(ErrorKind::internal, "aligning two profiles: their scores exceed 64 bits");
  }
  return x_weight * y_weight * ACCORD_UNITS_OF_ONE;
}

/// The sums of profile_scores(), without the score of certain pairs.
ProfileScores sums_of(const Merge& merge, const Profile& x_profile, const Profile& y_profile,
                      std::span<ScoreScratch> scratch) {
  const std::uint64_t work = std::uint64_t{x_profile.rows.size()} * y_profile.rows.size() *
                             std::max(x_profile.columns, y_profile.columns);
  const std::size_t threads = work < kParallelPairs ? 1 : scratch.size();
  if (threads == 1 && x_profile.columns * row_bytes(y_profile) <= kWholeBytes) {
    return whole_scores(merge, x_profile, y_profile, scratch[0]);
  }
  const std::span used = scratch.first(threads);
  const Orientation by_x{x_profile, y_profile};
  const Orientation by_y{y_profile, x_profile};
  if (!by_y.has_pairs()) return scores_of(merge, by_x, nullptr, used);
  ProfileScores others = transposed(scores_of(merge, by_y, nullptr, used));
  if (!by_x.has_pairs()) return others;
  return scores_of(merge, by_x, &others, used);
}

}  // namespace

ProfileScores profile_scores(const Profile& x_profile, const Profile& y_profile,
                             std::span<const std::vector<std::uint32_t>> column_of,
                             const PosteriorSet& posteriors, std::span<const std::uint32_t> weights,
                             std::span<ScoreScratch> scratch) {
  const std::uint64_t certain = certain_score(x_profile, y_profile, weights);
  ProfileScores scores = sums_of({column_of, posteriors, weights}, x_profile, y_profile, scratch);
  scores.certain = certain;
  return scores;
}

}  // namespace accord
