// SPDX-License-Identifier: Apache-2.0
#include "accord/align/profile_scores.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "accord/base/error.hpp"
#include "accord/base/parallel.hpp"

namespace accord {
namespace {

constexpr std::size_t kAllBlocksBytes = std::size_t{64} << 20;
/// All sums of so small a join are added up at once, in whatever order its matrices are stored.
constexpr std::size_t kWholeBytes = std::size_t{1} << 20;
constexpr std::size_t kParallelFrom = 50000;  // rows of pairs worth a parallel loop
constexpr std::uint32_t kLine = 8;            // cells that share a flag: 64 bytes, one cache line

/// What all blocks of one merge share.
struct Merge {
  std::span<const std::vector<std::uint32_t>> column_of;
  const PosteriorSet& posteriors;
  std::span<const std::uint32_t> weights;
};

/// Columns [begin, end) of the profile `rows` against all columns of `other`. Only the pairs whose
/// matrix is stored with the rows of `rows` are added, that is (x, y) with x < y; but all of them
/// if the block is whole.
struct Block {
  const Profile* rows = nullptr;
  const Profile* other = nullptr;
  bool is_whole = false;
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  std::vector<std::size_t> cells_in_row;
  std::vector<ScoreCell> cells;
};

/// Large blocks visit each pair less often, but every thread has one, and cells are added all over
/// it: those of 2 MiB took four fifths of the time of 16 MiB for 62 sequences on 7,500 columns.
std::size_t block_bytes() {
  return std::clamp(kAllBlocksBytes / static_cast<std::size_t>(thread_count()),
                    std::size_t{1} << 20, std::size_t{2} << 20);
}

std::uint32_t stride_of(const Profile& profile) {
  return (profile.columns + kLine - 1) / kLine * kLine;
}

std::size_t row_bytes(const Profile& other) {
  return std::size_t{stride_of(other)} * sizeof(std::uint64_t);
}

/// Where the residues of a sequence lie in a dense block: column `c` of its profile at `step` c.
struct Places {
  std::span<const std::uint32_t> column;
  std::size_t step = 1;
};

/// Scatters the rows [first, last) of one pair into the dense block, which begins at place `begin`.
void add_pair(const SparseMatrix& matrix, std::uint32_t first, std::uint32_t last, Places x,
              Places y, std::size_t begin, std::uint64_t weight, ScoreScratch& scratch) {
  std::uint64_t* const sums = scratch.sums.data();
  std::uint8_t* const flags = scratch.flags.data();
  for (std::uint32_t i = first; i < last; ++i) {
    const std::size_t row = x.column[i] * x.step - begin;
    matrix.for_each_in_row(i, [&](std::uint32_t j, std::uint32_t units) {
      const std::size_t at = row + y.column[j] * y.step;
      sums[at] += weight * units;
      flags[at / kLine] = 1;
    });
  }
}

void add_all_pairs(const Merge& merge, const Block& block, ScoreScratch& scratch) {
  const std::size_t stride = stride_of(*block.other);
  for (const std::uint32_t x : block.rows->rows) {
    const std::vector<std::uint32_t>& column = merge.column_of[x];
    const auto from = std::lower_bound(column.begin(), column.end(), block.begin);
    const auto to = std::lower_bound(from, column.end(), block.end);
    const auto first = static_cast<std::uint32_t>(from - column.begin());
    const auto last = static_cast<std::uint32_t>(to - column.begin());
    if (first == last) continue;
    for (const std::uint32_t y : block.other->rows) {
      const std::uint64_t weight = std::uint64_t{merge.weights[x]} * merge.weights[y];
      const Places of_x{column, stride}, of_y{merge.column_of[y], 1};
      if (x < y) {
        const SparseMatrix& matrix = merge.posteriors.at(x, y);
        // A pair without any cell may have been left as an empty matrix without rows.
        add_pair(matrix, first, std::min(last, matrix.rows()), of_x, of_y, block.begin * stride,
                 weight, scratch);
      } else if (block.is_whole) {
        const SparseMatrix& matrix = merge.posteriors.at(y, x);
        add_pair(matrix, 0, matrix.rows(), of_y, of_x, 0, weight, scratch);
      }
    }
  }
}

/// Takes the nonzero cells out of the dense block and leaves it zero. The flags are read eight
/// at a time, so that an empty stretch costs a byte for 64 bytes of sums.
void extract(Block& block, ScoreScratch& scratch) {
  const std::size_t lines = stride_of(*block.other) / kLine;
  if (scratch.row.size() < lines * kLine) scratch.row.resize(lines * kLine);
  for (std::size_t row = 0; row < block.end - block.begin; ++row) {
    ScoreCell* next = scratch.row.data();
    std::uint8_t* const flags = scratch.flags.data() + row * lines;
    std::uint64_t* const sums = scratch.sums.data() + row * lines * kLine;
    for (std::size_t line = 0; line < lines;) {
      std::uint64_t eight_flags = 0;
      if (line + 8 <= lines) {
        std::memcpy(&eight_flags, flags + line, 8);
        if (eight_flags == 0) {
          line += 8;
          continue;
        }
      }
      const std::size_t stop = std::min(line + 8, lines);
      for (; line < stop; ++line) {
        if (flags[line] == 0) continue;
        flags[line] = 0;
        // No branch: which of them are zero cannot be foretold.
        for (std::size_t c = line * kLine; c < (line + 1) * kLine; ++c) {
          *next = {sums[c], static_cast<std::uint32_t>(c)};
          next += sums[c] != 0;
          sums[c] = 0;
        }
      }
    }
    block.cells.insert(block.cells.end(), scratch.row.data(), next);
    block.cells_in_row.push_back(static_cast<std::size_t>(next - scratch.row.data()));
  }
}

void fill_block(const Merge& merge, Block& block, ScoreScratch& scratch) {
  const std::size_t needed = (block.end - block.begin) * std::size_t{stride_of(*block.other)};
  if (scratch.sums.size() < needed) {
    scratch.sums.resize(needed, 0);
    scratch.flags.resize(needed / kLine, 0);
  }
  add_all_pairs(merge, block, scratch);
  extract(block, scratch);
}

/// Cuts one orientation into blocks that fit the scratch and keep all threads busy.
void append_blocks(const Profile& rows, const Profile& other, std::size_t threads,
                   std::vector<Block>& blocks) {
  const auto any_pair = [&] {
    return !rows.rows.empty() && !other.rows.empty() &&
           *std::min_element(rows.rows.begin(), rows.rows.end()) <
               *std::max_element(other.rows.begin(), other.rows.end());
  };
  if (rows.columns == 0 || other.columns == 0 || !any_pair()) return;
  std::size_t block_rows = std::max<std::size_t>(1, block_bytes() / row_bytes(other));
  if (threads > 1) {
    block_rows = std::min(block_rows, std::max<std::size_t>(8, rows.columns / (3 * threads)));
  }
  for (std::size_t begin = 0; begin < rows.columns; begin += block_rows) {
    Block block;
    block.rows = &rows;
    block.other = &other;
    block.begin = static_cast<std::uint32_t>(begin);
    block.end = static_cast<std::uint32_t>(std::min<std::size_t>(begin + block_rows, rows.columns));
    blocks.push_back(std::move(block));
  }
}

/// The rows of all blocks, one after the other.
ProfileScores concatenate(std::span<Block> blocks, std::uint32_t rows, std::uint32_t columns) {
  ProfileScores scores;
  scores.columns = columns;
  if (blocks.empty()) {
    scores.row_begin.assign(std::size_t{rows} + 1, 0);
    return scores;
  }
  scores.row_begin.reserve(std::size_t{rows} + 1);
  for (Block& block : blocks) {
    for (const std::size_t count : block.cells_in_row) {
      scores.row_begin.push_back(scores.row_begin.back() + count);
    }
    if (blocks.size() == 1) {
      scores.cells = std::move(block.cells);
    } else {
      scores.cells.insert(scores.cells.end(), block.cells.begin(), block.cells.end());
    }
  }
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

ProfileScores sum(const ProfileScores& a, const ProfileScores& b) {
  ProfileScores result;
  result.columns = a.columns;
  result.cells.reserve(a.cells.size() + b.cells.size());
  for (std::size_t row = 0; row + 1 < a.row_begin.size(); ++row) {
    std::size_t at = a.row_begin[row];
    std::size_t bt = b.row_begin[row];
    while (at < a.row_begin[row + 1] || bt < b.row_begin[row + 1]) {
      const bool from_a = bt == b.row_begin[row + 1] ||
                          (at < a.row_begin[row + 1] && a.cells[at].column <= b.cells[bt].column);
      const bool from_b = at == a.row_begin[row + 1] ||
                          (bt < b.row_begin[row + 1] && b.cells[bt].column <= a.cells[at].column);
      ScoreCell cell = from_a ? a.cells[at++] : ScoreCell{0, b.cells[bt].column};
      if (from_b) cell.sum += b.cells[bt++].sum;
      result.cells.push_back(cell);
    }
    result.row_begin.push_back(result.cells.size());
  }
  return result;
}

void check_range(const Profile& x_profile, const Profile& y_profile,
                 std::span<const std::uint32_t> weights) {
  double x_weight = 0;
  double y_weight = 0;
  for (const std::uint32_t x : x_profile.rows) x_weight += weights[x];
  for (const std::uint32_t y : y_profile.rows) y_weight += weights[y];
  const double columns = std::min(x_profile.columns, y_profile.columns);
  if (columns * x_weight * y_weight * ACCORD_UNITS_OF_ONE >= 18446744073709551616.0) {
    throw Error(ErrorKind::internal, "aligning two profiles: their scores exceed 64 bits");
  }
}

}  // namespace

ProfileScores profile_scores(const Profile& x_profile, const Profile& y_profile,
                             std::span<const std::vector<std::uint32_t>> column_of,
                             const PosteriorSet& posteriors, std::span<const std::uint32_t> weights,
                             std::span<ScoreScratch> scratch) {
  check_range(x_profile, y_profile, weights);
  const Merge merge{column_of, posteriors, weights};
  const std::size_t work = x_profile.rows.size() * y_profile.rows.size() *
                           std::max(x_profile.columns, y_profile.columns);
  const std::size_t threads = work < kParallelFrom ? 1 : scratch.size();
  std::vector<Block> blocks;
  if (threads == 1 && x_profile.columns * row_bytes(y_profile) <= kWholeBytes) {
    Block& whole = blocks.emplace_back();
    whole.rows = &x_profile;
    whole.other = &y_profile;
    whole.is_whole = true;
    whole.end = x_profile.columns;
    fill_block(merge, whole, scratch[0]);
    return concatenate(blocks, x_profile.columns, y_profile.columns);
  }
  // A pair is stored with the rows of its smaller index. Each orientation is added up along its
  // own rows, so that a block of rows is a contiguous part of every matrix.
  append_blocks(x_profile, y_profile, threads, blocks);
  const std::size_t x_blocks = blocks.size();
  append_blocks(y_profile, x_profile, threads, blocks);
  if (threads == 1) {
    for (Block& block : blocks) fill_block(merge, block, scratch[0]);
  } else {
    parallel_for(blocks.size(), [&](std::size_t k, int thread) {
      fill_block(merge, blocks[k], scratch[static_cast<std::size_t>(thread)]);
    });
  }
  const std::span all(blocks);
  ProfileScores by_x = concatenate(all.first(x_blocks), x_profile.columns, y_profile.columns);
  if (x_blocks == blocks.size()) return by_x;
  ProfileScores by_y =
      transposed(concatenate(all.subspan(x_blocks), y_profile.columns, x_profile.columns));
  return x_blocks == 0 ? by_y : sum(by_x, by_y);
}

}  // namespace accord
