// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>

#include "core/distance_matrix.hpp"

namespace accord {

/// Random factors of distances, for guide trees that differ from the one of the distances. The
/// factors depend on the seed and on canonical indices alone.
struct DistanceNoise {
  std::uint64_t seed = 0;
  float spread = 0;  ///< half the range of the factors, below 1; 0: there is no noise

  bool is_set() const { return spread > 0; }
  /// A factor, uniform in [1 - strength spread, 1 + strength spread). `key`: the numbers that
  /// identify the factor; `strength` is at most 1.
  float factor(const std::array<std::uint32_t, 3>& key, float strength = 1) const;
};

/// The distances, each multiplied by a factor of its own.
DistanceMatrix with_noise(DistanceMatrix distances, const DistanceNoise& noise);

}  // namespace accord
