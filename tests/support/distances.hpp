// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/distance_matrix.hpp"
#include "support/align_cases.hpp"

namespace accord::testing {

/// Distances drawn from 0, 1/levels, ..., 1: few levels make many ties.
inline DistanceMatrix random_distances(Random& random, std::uint32_t leaves, std::uint32_t levels) {
  DistanceMatrix d(leaves);
  for (std::uint32_t i = 0; i < leaves; ++i) {
    for (std::uint32_t j = 0; j < i; ++j) {
      d.set(i, j, static_cast<float>(draw(random, 0, levels)) / static_cast<float>(levels));
    }
  }
  return d;
}

/// Path lengths of a random tree whose branches are 1/256 to 16/256, and up to `noise`/4096 more.
inline DistanceMatrix tree_like_distances(Random& random, std::uint32_t leaves,
                                          std::uint32_t noise) {
  DistanceMatrix d(leaves);
  std::vector<float> depth(leaves, 0.0f);
  std::vector<std::vector<std::uint32_t>> cluster(leaves);
  for (std::uint32_t x = 0; x < leaves; ++x) cluster[x] = {x};
  while (cluster.size() > 1) {
    const auto any = [&] {
      return draw(random, 0, static_cast<std::uint32_t>(cluster.size()) - 1);
    };
    std::swap(cluster.back(), cluster[any()]);
    const std::vector<std::uint32_t> joined = std::move(cluster.back());
    cluster.pop_back();
    std::vector<std::uint32_t>& other = cluster[any()];
    for (const std::vector<std::uint32_t>* side : {&joined, &std::as_const(other)}) {
      const float branch = static_cast<float>(draw(random, 1, 16)) / 256.0f;
      for (const std::uint32_t x : *side) depth[x] += branch;
    }
    for (const std::uint32_t x : joined) {
      for (const std::uint32_t y : other) {
        const float more = static_cast<float>(draw(random, 0, noise)) / 4096.0f;
        d.set(x, y, std::min(32.0f, depth[x] + depth[y] + more));
      }
    }
    other.insert(other.end(), joined.begin(), joined.end());
  }
  return d;
}

}  // namespace accord::testing
