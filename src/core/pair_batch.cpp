// SPDX-License-Identifier: Apache-2.0
#include "accord/core/pair_batch.hpp"

#include <algorithm>

#include "shared/workspace.h"

namespace accord {
namespace {

/// Band width of a task, in columns; 0 for a single band.
std::uint32_t choose_band_columns(std::uint32_t rows, std::uint32_t cols, std::uint32_t lanes,
                                  std::size_t task_bytes) {
  const auto bytes = [&](std::uint32_t band) { return pair_task_bytes(rows, cols, band, lanes); };
  const std::uint32_t all_columns = (cols / ACCORD_TILE + 1) * ACCORD_TILE;
  if (bytes(0) <= task_bytes) return 0;
  // Halving the width from the top finds the widest of the usual widths that fits; memory falls
  // with the width until the borders of the many bands outweigh the values of one.
  std::uint32_t best = 0;
  for (std::uint32_t tiles = all_columns / ACCORD_TILE / 2; tiles > 0; tiles /= 2) {
    const std::uint32_t band = tiles * ACCORD_TILE;
    if (bytes(band) < bytes(best)) best = band;
    if (bytes(best) <= task_bytes) break;
  }
  return best;
}

/// Some of the x's of a block, for one task.
struct Cut {
  std::uint32_t count = 0;
  std::uint32_t lanes = 0;
};

/// The cheapest cuts of the first x's of a block, for each number of them.
struct BlockCuts {
  std::vector<std::uint64_t> cost;  ///< lanes times rows, summed over the cuts
  std::vector<Cut> last;            ///< the cut that ends there
};

/// The cuts of a block with the fewest cells: shortest paths over the numbers of x's that are done,
/// where a cut costs its lanes times the rows of its longest x.
BlockCuts cut_block(std::span<const std::uint32_t> rows, const BackendLimits& limits) {
  BlockCuts cuts{std::vector<std::uint64_t>(rows.size() + 1, UINT64_MAX),
                 std::vector<Cut>(rows.size() + 1)};
  cuts.cost[0] = 0;
  for (std::uint32_t done = 0; done < rows.size(); ++done) {
    for (const std::uint32_t lanes : {limits.lanes, limits.narrow_lanes}) {
      for (std::uint32_t count = 1; count <= lanes && done + count <= rows.size(); ++count) {
        const std::uint64_t cost = cuts.cost[done] + std::uint64_t{lanes} * rows[done];
        if (cost >= cuts.cost[done + count]) continue;
        cuts.cost[done + count] = cost;
        cuts.last[done + count] = {count, lanes};
      }
    }
  }
  return cuts;
}

/// Appends the tasks of a block.
void add_tasks(std::span<const std::uint32_t> lengths, const PairBlock& block,
               const BackendLimits& limits, std::vector<PairTask>& tasks) {
  const std::uint32_t cols = lengths[block.y];
  const BlockCuts cuts = cut_block(lengths.subspan(block.first_x, block.count), limits);
  for (std::uint32_t end = block.count; end > 0; end -= cuts.last[end].count) {
    const Cut cut = cuts.last[end];
    PairTask task;
    task.y = block.y;
    task.first_x = block.first_x + end - cut.count;
    task.count = cut.count;
    task.lanes = cut.lanes;
    const std::uint32_t rows = lengths[task.first_x];
    task.band_columns = choose_band_columns(rows, cols, cut.lanes, limits.task_bytes);
    task.work_bytes = pair_task_bytes(rows, cols, task.band_columns, cut.lanes);
    task.cells = std::uint64_t{rows} * cols * cut.lanes;
    tasks.push_back(task);
  }
}

}  // namespace

std::size_t pair_task_bytes(std::uint32_t rows, std::uint32_t cols, std::uint32_t band_columns,
                            std::uint32_t lanes) {
  return accord_plan_workspace(rows, cols, band_columns).size * lanes * sizeof(float);
}

std::vector<PairBlock> plan_pair_blocks(std::span<const std::uint32_t> lengths) {
  std::vector<PairBlock> blocks;
  for (std::uint32_t y = 1; y < lengths.size() && lengths[y] > 0; ++y) {
    for (std::uint32_t x = 0; x < y; x += kBlockPairs) {
      blocks.push_back({y, x, std::min(kBlockPairs, y - x)});
    }
  }
  std::stable_sort(blocks.begin(), blocks.end(), [&](const PairBlock& a, const PairBlock& b) {
    return block_cells(lengths, a) > block_cells(lengths, b);
  });
  return blocks;
}

std::uint64_t block_cells(std::span<const std::uint32_t> lengths, const PairBlock& block) {
  return std::uint64_t{lengths[block.first_x]} * lengths[block.y] * block.count;
}

std::size_t block_bytes(std::span<const std::uint32_t> lengths, const PairBlock& block,
                        const BackendLimits& limits) {
  std::vector<PairTask> tasks;
  add_tasks(lengths, block, limits, tasks);
  std::size_t bytes = 0;
  for (const PairTask& task : tasks) bytes += task.work_bytes;
  return bytes;
}

std::vector<PairBatch> plan_pair_batches(std::span<const std::uint32_t> lengths,
                                         std::span<const PairBlock> blocks,
                                         const BackendLimits& limits) {
  std::vector<PairTask> tasks;
  for (const PairBlock& block : blocks) add_tasks(lengths, block, limits, tasks);
  std::stable_sort(tasks.begin(), tasks.end(),
                   [](const PairTask& a, const PairTask& b) { return a.cells > b.cells; });
  std::vector<PairBatch> batches;
  for (const PairTask& task : tasks) {
    if (batches.empty() || batches.back().work_bytes + task.work_bytes > limits.batch_bytes) {
      batches.emplace_back();
    }
    batches.back().tasks.push_back(task);
    batches.back().work_bytes += task.work_bytes;
  }
  return batches;
}

std::vector<PairBatch> plan_pair_batches(std::span<const std::uint32_t> lengths,
                                         const BackendLimits& limits) {
  return plan_pair_batches(lengths, plan_pair_blocks(lengths), limits);
}

double all_pairs_task_cells(std::span<const std::uint32_t> lengths, const BackendLimits& limits) {
  double cells = 0, full_cost = 0;  // of the full blocks below y, against one column
  std::uint32_t first_x = 0;        // of the block that ends before y
  BlockCuts cuts =
      cut_block(lengths.first(std::min<std::size_t>(kBlockPairs, lengths.size())), limits);
  for (std::uint32_t y = 1; y < lengths.size() && lengths[y] > 0; ++y) {
    if (y - first_x > kBlockPairs) {
      full_cost += static_cast<double>(cuts.cost[kBlockPairs]);
      first_x += kBlockPairs;
      cuts = cut_block(
          lengths.subspan(first_x, std::min<std::size_t>(kBlockPairs, lengths.size() - first_x)),
          limits);
    }
    cells += lengths[y] * (full_cost + static_cast<double>(cuts.cost[y - first_x]));
  }
  return cells;
}

PairBlock largest_block(std::span<const std::uint32_t> lengths) {
  PairBlock largest;
  std::uint64_t most = 0;
  for (std::uint32_t y = 1; y < lengths.size() && y <= kBlockPairs && lengths[y] > 0; ++y) {
    const PairBlock block{y, 0, y};
    if (block_cells(lengths, block) <= most) continue;
    most = block_cells(lengths, block);
    largest = block;
  }
  return largest;
}

}  // namespace accord
