// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <utility>
#include <vector>

#include "accord/core/backend.hpp"

namespace accord::testing {

/// What a backend makes of the pairs of a batch, in their order.
inline std::vector<SparseMatrix> relaxed_by(Backend& backend, const PosteriorSet& current,
                                            const RelaxBatch& batch, const RelaxWeights& weights,
                                            float cutoff) {
  std::vector<SparseMatrix> relaxed(batch.pairs.size());
  backend.relax(current, batch, weights, cutoff,
                [&](std::size_t k, SparseMatrix matrix) { relaxed[k] = std::move(matrix); });
  return relaxed;
}

}  // namespace accord::testing
