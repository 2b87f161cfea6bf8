// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <utility>
#include <vector>

#include "engine/backend.hpp"
#include "stages/consistency/consistency_call.hpp"

namespace accord::testing {

/// What a backend makes of pairs, in their order, in rounds with these cutoffs.
inline std::vector<SparseMatrix> transformed_by(Backend& backend, const PosteriorSet& current,
                                                const std::vector<PairIndex>& batch,
                                                const ConsistencyWeights& weights,
                                                std::span<const float> cutoffs) {
  std::vector<SparseMatrix> transformed(batch.size());
  const ConsistencySink sink = [&](std::size_t k, std::span<const std::uint16_t> units) {
    transformed[k] = current.at(batch[k].x, batch[k].y).with_units(units);
  };
  backend.compute(ConsistencyCall{current, batch, weights, cutoffs, sink});
  return transformed;
}
inline std::vector<SparseMatrix> transformed_by(Backend& backend, const PosteriorSet& current,
                                                const std::vector<PairIndex>& batch,
                                                const ConsistencyWeights& weights, float cutoff) {
  return transformed_by(backend, current, batch, weights, {&cutoff, 1});
}

/// Equal weights of a number of sequences, and the intermediates of all pairs.
inline ConsistencyWeights equal_weights(std::size_t sequences,
                                        std::vector<std::uint32_t> intermediates) {
  return {std::vector<float>(sequences, 1.0f), 1.0f, std::move(intermediates)};
}

}  // namespace accord::testing
