// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace accord {

/// The weight of each sequence in the consistency transform of a family, and the sequences it goes
/// through, in the arithmetic that all backends share (formula in consistency/transform.h).
class ConsistencyWeights {
 public:
  /// `weights`: w_z, one per sequence, positive. `self_weight`: factor f of the direct evidence.
  /// `intermediates`: the sequences z that terms go through, increasing.
  ConsistencyWeights(std::vector<float> weights, float self_weight,
                     std::vector<std::uint32_t> intermediates);
  /// The same through all sequences.
  ConsistencyWeights(std::vector<float> weights, float self_weight);

  /// The same through intermediates that differ from pair to pair: a pair goes through those that
  /// are in the lists of both of its sequences. `lists`: one per sequence, increasing.
  ConsistencyWeights(std::vector<float> weights, float self_weight,
                     std::span<const std::vector<std::uint32_t>> lists);

  std::span<const float> weights() const noexcept { return weights_; }
  /// The intermediates of all pairs, increasing.
  std::span<const std::uint32_t> intermediates() const noexcept { return intermediates_; }
  /// Whether the pairs of sequence x may go through the intermediate z.
  bool is_through(std::uint32_t x, std::uint32_t z) const {
    return x != z && (listed_.empty() || listed_[x * weights_.size() + z]);
  }

  /// f (w_x + w_y)
  float self(std::uint32_t x, std::uint32_t y) const {
    return self_weight_ * (weights_[x] + weights_[y]);
  }
  /// 1 / W: one over the weights of all terms of the pair.
  float inverse_total(std::uint32_t x, std::uint32_t y) const {
    if (!listed_.empty()) return 1.0f / (self(x, y) + total_of_pair_[place_of_pair(x, y)]);
    return 1.0f / (self(x, y) + (total_ - through_[x] - through_[y]));
  }

 private:
  static std::size_t place_of_pair(std::size_t x, std::size_t y) { return y * (y - 1) / 2 + x; }

  std::vector<float> weights_;
  float self_weight_;
  std::vector<std::uint32_t> intermediates_;
  std::vector<float> through_;        // the weight of an intermediate, 0 of the others
  float total_ = 0.0f;                // of all intermediates
  std::vector<bool> listed_;          // [x][z]: z is in the list of x; empty if all lists are alike
  std::vector<float> total_of_pair_;  // of the intermediates of each pair x < y, by y
};

}  // namespace accord
