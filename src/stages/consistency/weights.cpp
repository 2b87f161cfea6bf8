// SPDX-License-Identifier: Apache-2.0
#include "stages/consistency/weights.hpp"

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

ConsistencyWeights::ConsistencyWeights(std::vector<float> weights, float self_weight)
    : ConsistencyWeights(weights, self_weight, all_sequences(weights.size())) {}

}  // namespace accord
