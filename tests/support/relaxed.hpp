// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <utility>
#include <vector>

#include "engine/backend.hpp"
#include "stages/consistency/call.hpp"

namespace accord::testing {

/// What a backend makes of pairs, in their order, in rounds with these cutoffs.
inline std::vector<SparseMatrix> relaxed_by(Backend& backend, const PosteriorSet& current,
                                            const std::vector<PairIndex>& batch,
                                            const RelaxWeights& weights,
                                            std::span<const float> cutoffs) {
  std::vector<SparseMatrix> relaxed(batch.size());
  const RelaxSink sink = [&](std::size_t k, std::span<const std::uint16_t> units) {
    relaxed[k] = current.at(batch[k].x, batch[k].y).with_units(units);
  };
  backend.compute(RelaxCall{current, batch, weights, cutoffs, sink});
  return relaxed;
}
inline std::vector<SparseMatrix> relaxed_by(Backend& backend, const PosteriorSet& current,
                                            const std::vector<PairIndex>& batch,
                                            const RelaxWeights& weights, float cutoff) {
  return relaxed_by(backend, current, batch, weights, {&cutoff, 1});
}

}  // namespace accord::testing
