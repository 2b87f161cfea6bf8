// SPDX-License-Identifier: Apache-2.0
#include "accord/core/relax_batch.hpp"

#include <algorithm>

namespace accord {

std::size_t relax_pair_bytes(const PosteriorSet& posteriors, PairIndex pair) {
  return posteriors.at(pair.x, pair.y).packed().size() * sizeof(std::uint32_t);
}

std::vector<PairIndex> plan_relax_pairs(const PosteriorSet& posteriors) {
  std::vector<PairIndex> pairs;
  for (std::uint32_t y = 1; y < posteriors.sequences(); ++y) {
    for (std::uint32_t x = 0; x < y; ++x) {
      if (!posteriors.at(x, y).packed().empty()) pairs.push_back({x, y});
    }
  }
  std::stable_sort(pairs.begin(), pairs.end(), [&](PairIndex a, PairIndex b) {
    return relax_pair_bytes(posteriors, a) > relax_pair_bytes(posteriors, b);
  });
  return pairs;
}

}  // namespace accord
