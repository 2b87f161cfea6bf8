// SPDX-License-Identifier: Apache-2.0
#pragma once
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

  std::span<const float> weights() const noexcept { return weights_; }
  std::span<const std::uint32_t> intermediates() const noexcept { return intermediates_; }

  /// f (w_x + w_y)
  float self(std::uint32_t x, std::uint32_t y) const {
    return self_weight_ * (weights_[x] + weights_[y]);
  }
  /// 1 / W: one over the weights of all terms of the pair.
  float inverse_total(std::uint32_t x, std::uint32_t y) const {
    return 1.0f / (self(x, y) + (total_ - through_[x] - through_[y]));
  }

 private:
  std::vector<float> weights_;
  float self_weight_;
  std::vector<std::uint32_t> intermediates_;
  std::vector<float> through_;  // the weight of an intermediate, 0 of the others
  float total_ = 0.0f;          // of all intermediates
};

}  // namespace accord
