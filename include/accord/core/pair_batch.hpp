// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace accord {

/// What the batch planner needs to know of the place that will run a batch.
struct BackendLimits {
  std::size_t batch_bytes = 0;   ///< working memory that the tasks of one batch may occupy
  std::size_t buffer_bytes = 0;  ///< largest single allocation
  std::uint32_t lanes = 1;       ///< pairs that one posterior task computes side by side
  std::uint32_t band_columns = 0;  ///< width of a column band, a multiple of 8 (see PairTask)
};

/// A posterior task: the pairs (first_x, y) ... (first_x + count - 1, y), all x < y, computed
/// side by side, one a vector lane. Neighbours in canonical order have similar lengths.
///
/// Columns (residues of y) are cut into bands. The forward values of all bands are kept if the
/// memory allows; otherwise only the borders of the bands are, and the values of one band at a
/// time are computed again in the backward sweep. Results are the same.
struct PairTask {
  std::uint32_t y = 0;
  std::uint32_t first_x = 0;
  std::uint32_t count = 0;
  bool keep_all_bands = true;
  std::size_t work_bytes = 0;  ///< working memory of the task
};

/// Tasks that are sent to a backend together.
struct PairBatch {
  std::vector<PairTask> tasks;
  std::size_t work_bytes = 0;  ///< sum over the tasks
};

/// Working memory of one task whose longest x has `rows` residues and whose y has `cols`:
/// forward match values of two models (8 bytes a cell and lane) for the bands that are kept,
/// 28 bytes a row and lane for the border of each band, 56 bytes a column for two rows of state,
/// and the tile exponents.
std::size_t pair_task_bytes(std::uint32_t rows, std::uint32_t cols, const BackendLimits& limits,
                            bool keep_all_bands);

/// Cuts all pairs x < y of a family into tasks and the tasks, largest first, into batches.
///
/// A pure function of its arguments. Every pair is in exactly one task; no batch exceeds
/// limits.batch_bytes unless it consists of one task that alone needs more.
/// `lengths` are in canonical order (never increasing). Pairs with an empty sequence are left
/// out: they have no cells.
std::vector<PairBatch> plan_pair_batches(std::span<const std::uint32_t> lengths,
                                         const BackendLimits& limits);

}  // namespace accord
