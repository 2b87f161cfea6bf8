// SPDX-License-Identifier: Apache-2.0
#include "stages/consistency/consistency_weights.hpp"

#include <numeric>
#include <utility>

namespace accord {
namespace {

std::vector<std::uint32_t> all_sequences(std::size_t count) {
  std::vector<std::uint32_t> all(count);
  std::iota(all.begin(), all.end(), 0u);
  return all;
}

}  // namespace

ConsistencyWeights::ConsistencyWeights(std::vector<float> weights, float self_weight,
                                       std::vector<std::uint32_t> intermediates)
    : weights_(std::move(weights)),
      self_weight_(self_weight),
      intermediates_(std::move(intermediates)),
      through_(weights_.size(), 0.0f) {
  for (std::uint32_t z : intermediates_) {
    through_[z] = weights_[z];
    total_ += weights_[z];
  }
}

ConsistencyWeights::ConsistencyWeights(std::vector<float> weights, float self_weight,
                                       std::span<const std::vector<std::uint32_t>> lists)
    : weights_(std::move(weights)), self_weight_(self_weight) {
  const std::size_t n = weights_.size();
  listed_.assign(n * n, false);
  std::vector<bool> is_intermediate(n, false);
  for (std::size_t x = 0; x < n; ++x) {
    for (const std::uint32_t z : lists[x]) listed_[x * n + z] = is_intermediate[z] = true;
  }
  for (std::uint32_t z = 0; z < n; ++z) {
    if (is_intermediate[z]) intermediates_.push_back(z);
  }
  total_of_pair_.assign(n * (n - (n > 0)) / 2, 0.0f);
  for (std::size_t y = 1; y < n; ++y) {
    for (std::size_t x = 0; x < y; ++x) {
      float& total = total_of_pair_[place_of_pair(x, y)];
      for (const std::uint32_t z : lists[y]) {
        if (z != x && z != y && listed_[x * n + z]) total += weights_[z];
      }
    }
  }
}

ConsistencyWeights::ConsistencyWeights(std::vector<float> weights, float self_weight)
    : ConsistencyWeights(weights, self_weight, all_sequences(weights.size())) {}

}  // namespace accord
