// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/pair_set.hpp"

namespace accord {

/// The limits of the posterior tasks of a backend.
struct TaskLimits {
  std::uint32_t lanes = 1;         ///< pairs that one task computes side by side
  std::uint32_t narrow_lanes = 0;  ///< pairs of a task that takes less time in proportion; 0: none
  std::size_t task_bytes = 0;      ///< working memory that one task should not exceed
  /// Whether a task of fewer pairs than lanes can fill these in the wavefront layout
  /// (stages/posteriors/wavefront_task.h).
  bool has_wavefronts = false;
  /// Bytes of the forward values of a band that a task should not exceed, so that they stay in the
  /// caches.
  std::size_t band_bytes = SIZE_MAX;
};

/// A posterior task: the pairs (first_x, y) ... (first_x + count - 1, y), all x < y, computed side
/// by side, one per vector lane. Neighbours in canonical order have similar lengths. In the
/// wavefront layout the lanes are filled by columns of the pairs, one pair after another.
///
/// Columns (residues of y) are cut into bands. With one band all forward values are kept; with
/// several only the borders of the bands are, and the values of one band at a time are computed
/// again in the backward sweep. The results are the same bits.
struct PairTask {
  std::uint32_t y = 0;
  std::uint32_t first_x = 0;
  std::uint32_t count = 0;
  std::uint32_t lanes = 0;  ///< at least count: the rest of them are idle
  bool is_wavefront = false;
  std::uint32_t band_columns = 0;  ///< a multiple of 8; 0 for a single band
  std::size_t work_bytes = 0;      ///< working memory of the task
  /// Cells that are computed, idle lanes included; in the wavefront layout, as many of the others
  /// as take the same time.
  std::uint64_t cells = 0;
};

/// Working memory in bytes of a task whose longest x has `rows` residues and whose y has `cols`.
///
/// With R and C the sizes rounded up to tiles of 8 (border included), B the width of a band and
/// b = ceil(C / B) the number of bands, each lane needs about
///   8 R B     forward match values of two models, for one band
///   32 R (b + 1)   what bands hand on to each other
///   32 B      the row of state above the current tiles
/// and an eighth of 2 R B / 8 + ... for the exponents (posteriors/workspace.h has the exact sum).
std::size_t pair_task_bytes(std::uint32_t rows, std::uint32_t cols, std::uint32_t band_columns,
                            std::uint32_t lanes);

/// The same of a task in the wavefront layout (stages/posteriors/wavefront_workspace.h), of `pairs`
/// x's, with bands of `band_rounds` rounds, each of which has a column of tiles for each of `lanes`
/// lanes.
std::size_t wavefront_task_bytes(std::uint32_t rows, std::uint32_t cols, std::uint32_t pairs,
                                 std::uint32_t band_rounds, std::uint32_t lanes);

/// Pairs (first_x, y) ... (first_x + count - 1, y), all x < y, that are handed out together: as
/// many as the widest backend computes side by side. A backend with fewer lanes cuts the block
/// into several tasks.
struct PairBlock {
  std::uint32_t y = 0;
  std::uint32_t first_x = 0;
  std::uint32_t count = 0;
};

/// The most pairs of a block.
constexpr std::uint32_t kBlockPairs = 16;

/// Cuts all pairs x < y of a family into blocks, those with most cells first. Pure. Every pair of
/// two non-empty sequences is in exactly one block.
/// `lengths` are in canonical order (never increasing).
std::vector<PairBlock> plan_pair_blocks(std::span<const std::uint32_t> lengths);

/// The blocks in pieces of at most `lanes` pairs, in their order.
std::vector<PairBlock> cut_blocks(std::span<const PairBlock> blocks, std::uint32_t lanes);

/// Cells of the longest pair of a block times its pairs.
std::uint64_t block_cells(std::span<const std::uint32_t> lengths, const PairBlock& block);

/// Cuts blocks into tasks, largest first.
///
/// A pure function of its arguments. The tasks of a block are those that compute the fewest cells,
/// idle lanes and rows beyond the end of an x included (see PairTask::cells). A task gets a single
/// band if that fits limits.task_bytes and limits.band_bytes, else the fewest bands that fit, else
/// the bands that need the least memory. `lengths` are those of all sequences that the blocks refer
/// to, never increasing within a block.
std::vector<PairTask> plan_pair_tasks(std::span<const std::uint32_t> lengths,
                                      std::span<const PairBlock> blocks, const TaskLimits& limits);

/// The work of some pairs of a family.
struct PairWork {
  double cells = 0;       ///< sum of the products of lengths
  double rows = 0;        ///< sum of the longer lengths
  double task_cells = 0;  ///< of all tasks, idle lanes and rows beyond the end of an x included
  PairIndex largest;      ///< the first pair of the block with most cells; x == y if there is none
};

/// The work of the pairs in a set, by arithmetic: the sums over the blocks and tasks that they are
/// cut into, kBlockPairs partners of a y at a time.
/// Cost    O(N) time and memory, and no more for a list of pairs than the list.
PairWork work_of_pairs(std::span<const std::uint32_t> lengths, const PairSet& pairs,
                       const TaskLimits& limits);

}  // namespace accord
