// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "accord/core/pair_batch.hpp"
#include "accord/core/posterior_set.hpp"

namespace accord {

/// Pairs whose consistency transform is computed together.
struct RelaxBatch {
  std::vector<PairIndex> pairs;
  std::size_t work_bytes = 0;  ///< result cells of the pairs, 4 bytes each
};

/// The pairs of a posterior set that have cells, those with most cells first.
std::vector<PairIndex> plan_relax_pairs(const PosteriorSet& posteriors);

/// Working memory that a pair of a batch takes, in bytes.
std::size_t relax_pair_bytes(const PosteriorSet& posteriors, PairIndex pair);

/// Cuts the pairs of a posterior set into batches, pairs with most cells first, so that work of
/// similar size runs together. Pure; every pair that has cells is in exactly one batch, and no
/// batch exceeds limits.batch_bytes unless it consists of one pair that alone needs more.
std::vector<RelaxBatch> plan_relax_batches(const PosteriorSet& posteriors,
                                           const BackendLimits& limits);

/// The same for some of the pairs, which stay in their order.
std::vector<RelaxBatch> plan_relax_batches(const PosteriorSet& posteriors,
                                           std::span<const PairIndex> pairs,
                                           const BackendLimits& limits);

}  // namespace accord
