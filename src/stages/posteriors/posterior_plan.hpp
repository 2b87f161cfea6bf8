// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/pair_set.hpp"
#include "engine/host/kernels.hpp"

namespace accord {

/// The limits of the posterior tasks of a backend.
struct TaskLimits {
  std::uint32_t lanes = 1;         ///< pairs that one task computes side by side
  std::uint32_t narrow_lanes = 0;  ///< pairs of a task with narrower vectors; 0: there are none
  std::size_t task_bytes = 0;      ///< working memory that one task should not exceed
  /// Whether a task with fewer pairs than lanes may use the wavefront layout
  /// (stages/posteriors/wavefront_task.h), which fills the lanes.
  bool has_wavefronts = false;
  /// Bytes of the forward values of a band that a task should not exceed, so that they stay in the
  /// caches.
  std::size_t band_bytes = SIZE_MAX;
};

/// A posterior task: the pairs (first_x, y) ... (first_x + count - 1, y), all x < y, computed side
/// by side, one per vector lane. Neighbours in canonical order have similar lengths. In the
/// wavefront layout the lanes are filled by columns of the pairs, one pair after another.
///
/// Columns (residues of y) are cut into bands. With one band, all forward values are kept. With
/// several bands, only their borders are kept, and the backward sweep computes the forward values
/// of one band at a time again. The results are the same bits.
struct PairTask {
  std::uint32_t y = 0;
  std::uint32_t first_x = 0;
  std::uint32_t count = 0;
  std::uint32_t lanes = 0;  ///< at least `count`; the other lanes are idle
  bool is_wavefront = false;
  std::uint32_t band_columns = 0;  ///< a multiple of 8; 0 for a single band
  std::uint64_t work_bytes = 0;    ///< working memory of the task
  /// Cells that are computed, idle lanes included. In the wavefront layout, the number of cells of
  /// the other layout that take the same time.
  std::uint64_t cells = 0;
};

/// Working memory in bytes of a task whose longest x has `rows` residues and whose y has `cols`.
///
/// With R and C the sizes rounded up to tiles of 8 (border included), B the width of a band and
/// b = ceil(C / B) the number of bands, each lane needs about
///   8 R B     forward match values of two models, for one band
///   32 R (b + 1)   borders between bands
///   32 B      the row of state above the current tiles
/// and a few per cent more for the exponents (posteriors/workspace.h has the exact sum). The number
/// has 64 bits on every system, since it may exceed what the system can address.
std::uint64_t pair_task_bytes(std::uint32_t rows, std::uint32_t cols, std::uint32_t band_columns,
                              std::uint32_t lanes);

/// The same for a task in the wavefront layout (stages/posteriors/wavefront_workspace.h), with
/// `pairs` x's, and bands of `band_rounds` rounds. In a round, each of `lanes` lanes computes a
/// column of tiles.
std::uint64_t wavefront_task_bytes(std::uint32_t rows, std::uint32_t cols, std::uint32_t pairs,
                                   std::uint32_t band_rounds, std::uint32_t lanes);

/// Pairs (first_x, y) ... (first_x + count - 1, y), all x < y, that a backend gets together, at
/// most kBlockPairs. A backend with fewer lanes cuts the block into several tasks.
struct PairBlock {
  std::uint32_t y = 0;
  std::uint32_t first_x = 0;
  std::uint32_t count = 0;
};

/// The most pairs of a block: as many as the widest backend computes side by side.
constexpr std::uint32_t kBlockPairs = 16;

/// Cuts all pairs x < y of a family into blocks, those with most cells first. Pure. Every pair of
/// two non-empty sequences is in exactly one block.
/// `lengths` are in canonical order (never increasing).
std::vector<PairBlock> plan_pair_blocks(std::span<const std::uint32_t> lengths);

/// The blocks in pieces of at most `lanes` pairs, in their order.
std::vector<PairBlock> cut_blocks(std::span<const PairBlock> blocks, std::uint32_t lanes);

/// The cells of the longest pair of a block, times the number of its pairs.
std::uint64_t block_cells(std::span<const std::uint32_t> lengths, const PairBlock& block);

/// Cuts blocks into tasks, largest first.
///
/// A pure function of its arguments. A block is cut into the tasks that compute the fewest cells,
/// including idle lanes and rows behind the end of an x (see PairTask::cells). A task gets a single
/// band if that fits limits.task_bytes and limits.band_bytes, else the fewest bands that fit, else
/// the bands that need the least memory. `lengths`: of all sequences to which the blocks refer,
/// never increasing within a block.
std::vector<PairTask> plan_pair_tasks(std::span<const std::uint32_t> lengths,
                                      std::span<const PairBlock> blocks, const TaskLimits& limits);

/// The work of some pairs of a family.
struct PairWork {
  double cells = 0;       ///< sum of the products of lengths
  double rows = 0;        ///< sum of the longer lengths
  double task_cells = 0;  ///< sum of PairTask::cells over all tasks
  PairIndex largest;      ///< the first pair of the block with most cells; x == y if there is none
};

/// The work of the pairs in a set: sums over the blocks and tasks of the pairs. A block has at most
/// kBlockPairs pairs with one y. The function does not make a list of the pairs. `lengths`: of all
/// sequences of the family, never increasing.
/// Cost    O(N) time and memory; for a listed set, in proportion to the list.
PairWork work_of_pairs(std::span<const std::uint32_t> lengths, const PairSet& pairs,
                       const TaskLimits& limits);

/// The sizes of teams for which there are kernels, the smallest first. A team is a number of
/// work-items that compute a pair together in the group layout, and take strips of 8 columns in
/// turn. NVIDIA's compiler needs 1.7 s for each
/// kernel; a kernel for teams of 16 made nothing faster on an H200.
inline constexpr std::array<std::uint32_t, 2> kTeams = {8, 64};

/// The fewest work-items of a group. Most GPUs compute this number of items in step, so that
/// barriers cost little.
inline constexpr std::uint32_t kTeamGroup = 32;
/// Work-items of a group for teams of a size: a larger team is a group by itself.
constexpr std::uint32_t group_of(std::uint32_t team) { return std::max(kTeamGroup, team); }

/// The longest sequence for which the exponents of the group layout have room
/// (kernels/posteriors/group_match.h).
inline constexpr std::uint32_t kGroupResidues = 3'000'000;

/// Pairs with at least this number of cells are long: they may get larger teams than
/// others.
inline constexpr std::uint64_t kLongCells = 1'000'000;

/// The lengths of the sequences of a pair; the residues of x are the rows.
struct PairLengths {
  std::uint32_t x, y;
};

/// Chooses the size of the team of each pair, for a device that computes `groups` groups of
/// kTeamGroup items at the same time; `groups` is at least 1. The result has one of kTeams for each
/// pair, in the order of `pairs`.
///
/// In a small team, fewer items are without a strip: with 300 x 300 residues, the items of a
/// team of 8
/// work in 92 % of the steps, and those of a team of 64 in 30 %. A large team finishes a pair
/// sooner, which counts if the pairs are too few to fill the device: a pair of 1000 x 1000 residues
/// takes 2022 steps in a team of 8, and 314 steps in a team of 64. The time of
/// a team size is estimated in steps, and is the larger of two numbers: the steps of the longest
/// pair, and the steps of all pairs divided among the items of the device. A step of a group of
/// more than kTeamGroup items counts 1.2. Long pairs may get another team than the others, and are
/// then computed after them, so that the two times are added. A choice replaces the best one before
/// it only if it saves a quarter of its time. Pure.
std::vector<std::uint32_t> plan_teams(std::span<const PairLengths> pairs, std::size_t groups);

}  // namespace accord

namespace accord::host {

/// The limits of the posterior tasks on the host, for plan_pair_tasks(): the lanes are those of the
/// processor's kernels; task_bytes is SIZE_MAX, no limit, unless the caller sets another one.
TaskLimits task_limits(const Processor& processor);

}  // namespace accord::host
