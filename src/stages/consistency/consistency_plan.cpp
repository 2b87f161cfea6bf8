// SPDX-License-Identifier: Apache-2.0
#include "stages/consistency/consistency_plan.hpp"

#include <algorithm>
#include <utility>

namespace accord {

std::size_t consistency_pair_bytes(const PosteriorSet& posteriors, PairIndex pair) {
  return posteriors.at(pair.x, pair.y).packed().size() * sizeof(std::uint32_t);
}

std::vector<PairIndex> plan_consistency_pairs(const PosteriorSet& posteriors) {
  return plan_consistency_pairs(posteriors, posteriors.pairs());
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

std::vector<PairIndex> plan_consistency_pairs(const PosteriorSet& posteriors,
                                              const PairSet& wanted) {
  struct Sized {
    std::size_t cells;
    PairIndex pair;
  };
  std::vector<Sized> sized;
  sized.reserve(wanted.size());
  for (std::uint32_t y = 1; y < wanted.sequences(); ++y) {
    for (const std::uint32_t x : wanted.partners(y)) {
      const std::size_t cells = posteriors.at(x, y).packed().size();
      if (cells > 0) sized.push_back({cells, {x, y}});
    }
  }
  // The numbers of cells lie beside the pairs. Looking them up in the matrices at each comparison
  // took one thread 0.3 s for the pairs of 1000 sequences.
  std::stable_sort(sized.begin(), sized.end(),
                   [](const Sized& a, const Sized& b) { return a.cells > b.cells; });
  std::vector<PairIndex> pairs;
  pairs.reserve(sized.size());
  for (const Sized& one : sized) pairs.push_back(one.pair);
  return pairs;
}

std::vector<std::size_t> by_neighbourhood(std::span<const PairIndex> pairs) {
  // 16 neighbours: x and y are cut into 28 and 4 bits, so that one number has the place of a pair.
  constexpr int kBits = 4;
  constexpr std::uint64_t kMask = (1 << kBits) - 1;
  std::vector<std::pair<std::uint64_t, std::size_t>> numbered;
  numbered.reserve(pairs.size());
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    const std::uint64_t x = pairs[k].x, y = pairs[k].y;
    const std::uint64_t neighbourhood = x >> kBits << 32 | y >> kBits << kBits;
    numbered.emplace_back((neighbourhood | (x & kMask)) << kBits | (y & kMask), k);
  }
  std::sort(numbered.begin(), numbered.end());
  std::vector<std::size_t> numbers;
  numbers.reserve(pairs.size());
  for (const auto& one : numbered) numbers.push_back(one.second);
  return numbers;
}

}  // namespace accord
