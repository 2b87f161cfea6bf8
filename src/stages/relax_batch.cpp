// SPDX-License-Identifier: Apache-2.0
#include "accord/stages/relax_batch.hpp"

#include <algorithm>

namespace accord {

std::size_t relax_pair_bytes(const PosteriorSet& posteriors, PairIndex pair) {
  return posteriors.at(pair.x, pair.y).packed().size() * sizeof(std::uint32_t);
}

std::vector<PairIndex> plan_relax_pairs(const PosteriorSet& posteriors) {
  return plan_relax_pairs(posteriors, posteriors.pairs());
}

void check_intermediates(const PairSet& present, const PairSet& wanted,
                         std::span<const std::uint32_t> intermediates) {
  if (present.is_all()) return;
  std::vector<bool> is_needed(wanted.sequences(), false);
  for (std::uint32_t y = 0; y < wanted.sequences(); ++y) {
    for (const std::uint32_t x : wanted.partners(y)) is_needed[x] = is_needed[y] = true;
  }
  for (std::uint32_t x = 0; x < is_needed.size(); ++x) {
    if (!is_needed[x]) continue;
    for (const std::uint32_t z : intermediates) {
      if (z != x) present.number(std::min(x, z), std::max(x, z));
    }
  }
}

std::vector<PairIndex> plan_relax_pairs(const PosteriorSet& posteriors, const PairSet& wanted) {
  std::vector<PairIndex> pairs;
  for (std::uint32_t y = 1; y < wanted.sequences(); ++y) {
    for (const std::uint32_t x : wanted.partners(y)) {
      if (!posteriors.at(x, y).packed().empty()) pairs.push_back({x, y});
    }
  }
  std::stable_sort(pairs.begin(), pairs.end(), [&](PairIndex a, PairIndex b) {
    return relax_pair_bytes(posteriors, a) > relax_pair_bytes(posteriors, b);
  });
  return pairs;
}

}  // namespace accord
