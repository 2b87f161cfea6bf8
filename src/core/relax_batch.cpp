// SPDX-License-Identifier: Apache-2.0
#include "accord/core/relax_batch.hpp"

#include <algorithm>

namespace accord {

std::vector<RelaxBatch> plan_relax_batches(const PosteriorSet& posteriors,
                                           const BackendLimits& limits) {
  std::vector<PairIndex> pairs;
  for (std::uint32_t y = 1; y < posteriors.sequences(); ++y) {
    for (std::uint32_t x = 0; x < y; ++x) {
      if (!posteriors.at(x, y).packed().empty()) pairs.push_back({x, y});
    }
  }
  const auto cells = [&](PairIndex pair) { return posteriors.at(pair.x, pair.y).packed().size(); };
  std::stable_sort(pairs.begin(), pairs.end(),
                   [&](PairIndex a, PairIndex b) { return cells(a) > cells(b); });
  std::vector<RelaxBatch> batches;
  for (PairIndex pair : pairs) {
    const std::size_t bytes = cells(pair) * sizeof(std::uint32_t);
    if (batches.empty() || batches.back().work_bytes + bytes > limits.batch_bytes) {
      batches.emplace_back();
    }
    batches.back().pairs.push_back(pair);
    batches.back().work_bytes += bytes;
  }
  return batches;
}

}  // namespace accord
