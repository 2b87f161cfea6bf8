// SPDX-License-Identifier: Apache-2.0
#include "accord/core/pair_batch.hpp"

#include <algorithm>

#include "shared/workspace.h"

namespace accord {
namespace {

/// Band width of a task, in columns; 0 for a single band.
std::uint32_t choose_band_columns(std::uint32_t rows, std::uint32_t cols,
                                  const BackendLimits& limits) {
  const auto bytes = [&](std::uint32_t band) {
    return pair_task_bytes(rows, cols, band, limits.lanes);
  };
  const std::uint32_t all_columns = (cols / ACCORD_TILE + 1) * ACCORD_TILE;
  const bool one_band_allowed = limits.group_columns == 0 || all_columns <= limits.group_columns;
  if (one_band_allowed && bytes(0) <= limits.task_bytes) return 0;
  if (limits.group_columns != 0) return one_band_allowed ? 0 : limits.group_columns;
  // Halving the width from the top finds the widest of the usual widths that fits; memory falls
  // with the width until the borders of the many bands outweigh the values of one.
  std::uint32_t best = 0;
  for (std::uint32_t tiles = all_columns / ACCORD_TILE / 2; tiles > 0; tiles /= 2) {
    const std::uint32_t band = tiles * ACCORD_TILE;
    if (bytes(band) < bytes(best)) best = band;
    if (bytes(best) <= limits.task_bytes) break;
  }
  return best;
}

std::vector<PairTask> make_tasks(std::span<const std::uint32_t> lengths,
                                 const BackendLimits& limits) {
  std::vector<PairTask> tasks;
  for (std::uint32_t y = 1; y < lengths.size() && lengths[y] > 0; ++y) {
    for (std::uint32_t x = 0; x < y; x += limits.lanes) {
      PairTask task;
      task.y = y;
      task.first_x = x;
      task.count = std::min(limits.lanes, y - x);
      task.band_columns = choose_band_columns(lengths[x], lengths[y], limits);
      task.work_bytes = pair_task_bytes(lengths[x], lengths[y], task.band_columns, limits.lanes);
      task.cells = std::uint64_t{lengths[x]} * lengths[y] * limits.lanes;
      tasks.push_back(task);
    }
  }
  std::stable_sort(tasks.begin(), tasks.end(),
                   [](const PairTask& a, const PairTask& b) { return a.cells > b.cells; });
  return tasks;
}

}  // namespace

std::size_t pair_task_bytes(std::uint32_t rows, std::uint32_t cols, std::uint32_t band_columns,
                            std::uint32_t lanes) {
  return accord_plan_workspace(rows, cols, band_columns).size * lanes * sizeof(float);
}

std::vector<PairBatch> plan_pair_batches(std::span<const std::uint32_t> lengths,
                                         const BackendLimits& limits) {
  std::vector<PairBatch> batches;
  for (const PairTask& task : make_tasks(lengths, limits)) {
    if (batches.empty() || batches.back().work_bytes + task.work_bytes > limits.batch_bytes) {
      batches.emplace_back();
    }
    batches.back().tasks.push_back(task);
    batches.back().work_bytes += task.work_bytes;
  }
  return batches;
}

}  // namespace accord
