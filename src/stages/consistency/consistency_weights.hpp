// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace accord {

/// The weights and the intermediates of the consistency transform of a family. All backends
/// compute with these floats. consistency/transform.h has the formula.
class ConsistencyWeights {
 public:
  /// `weights`: w_z, one per sequence, positive. `self_weight`: factor f of the direct evidence.
  /// `intermediates`: the sequences z that terms go through, increasing.
  ConsistencyWeights(std::vector<float> weights, float self_weight,
                     std::vector<std::uint32_t> intermediates);
  /// The same with all sequences as intermediates.
  ConsistencyWeights(std::vector<float> weights, float self_weight);

  /// The same with intermediates that differ from pair to pair: those of a pair are the sequences
  /// in the lists of both of its sequences. `lists`: one per sequence, increasing.
  ConsistencyWeights(std::vector<float> weights, float self_weight,
                     std::span<const std::vector<std::uint32_t>> lists);

  std::span<const float> weights() const noexcept { return weights_; }
  /// All sequences that are intermediates of some pair, increasing.
  std::span<const std::uint32_t> intermediates() const noexcept { return intermediates_; }
  /// Whether z, one of intermediates(), may be an intermediate of the pairs of sequence x.
  bool allows_intermediate(std::uint32_t x, std::uint32_t z) const {
    return x != z && (listed_.empty() || listed_[x * weights_.size() + z]);
  }

  /// The weight of the direct evidence of a pair, f (w_x + w_y).
  float self(std::uint32_t x, std::uint32_t y) const {
    return self_weight_ * (weights_[x] + weights_[y]);
  }
  /// 1 / W: one over the sum of the weights of all terms of the pair, x < y.
  float inverse_total(std::uint32_t x, std::uint32_t y) const {
    if (!listed_.empty()) return 1.0f / (self(x, y) + total_of_pair_[place_of_pair(x, y)]);
    return 1.0f / (self(x, y) + (total_ - through_[x] - through_[y]));
  }

 private:
  static std::size_t place_of_pair(std::size_t x, std::size_t y) { return y * (y - 1) / 2 + x; }

  std::vector<float> weights_;
  float self_weight_;
  std::vector<std::uint32_t> intermediates_;
  std::vector<float> through_;        // [sequence]: its weight if it is an intermediate, else 0
  float total_ = 0.0f;                // of all intermediates
  std::vector<bool> listed_;          // [x][z]: z is in the list of x; empty without lists
  std::vector<float> total_of_pair_;  // [place_of_pair(x, y)]: sum of its intermediates' weights
};

}  // namespace accord
