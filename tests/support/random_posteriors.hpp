// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "core/posterior_set.hpp"
#include "stages/consistency/consistency_plan.hpp"

namespace accord::testing {

/// Random sparse matrices of all pairs: each row has up to `most_cells` cells, near the diagonal
/// so that the term lists of two residues have members in common. One matrix in five is empty.
inline PosteriorSet random_posteriors(std::uint64_t seed, const std::vector<std::uint32_t>& lengths,
                                      std::uint32_t most_cells) {
  std::mt19937_64 random(seed);
  const auto below = [&](std::uint64_t count) {
    return static_cast<std::uint32_t>(random() % count);
  };
  PosteriorSet set(lengths.size());
  for (std::uint32_t y = 1; y < lengths.size(); ++y) {
    for (std::uint32_t x = 0; x < y; ++x) {
      SparseMatrixBuilder builder(lengths[y]);
      const bool empty = below(5) == 0;
      for (std::uint32_t i = 0; i < lengths[x]; ++i) {
        std::uint32_t j = i < 4 ? 0 : i - 4;
        for (std::uint32_t k = below(most_cells + 1); !empty && k > 0; --k, ++j) {
          j += below(3);
          if (j >= lengths[y]) break;
          builder.add(j, 1 + below(65535));
        }
        builder.end_row();
      }
      set.at(x, y) = builder.finish();
    }
  }
  return set;
}

/// One weight a sequence, in (0, 1].
inline std::vector<float> random_weights(std::uint64_t seed, std::size_t count) {
  std::mt19937_64 random(seed);
  std::vector<float> weights(count);
  for (float& weight : weights) weight = static_cast<float>(1 + random() % 100000) / 100000.0f;
  return weights;
}

/// All pairs of a family as one batch.
inline std::vector<PairIndex> all_pairs(std::size_t sequences) {
  std::vector<PairIndex> batch;
  for (std::uint32_t y = 1; y < sequences; ++y) {
    for (std::uint32_t x = 0; x < y; ++x) batch.push_back({x, y});
  }
  return batch;
}

}  // namespace accord::testing
