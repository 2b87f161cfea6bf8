// SPDX-License-Identifier: Apache-2.0
#include "method/distance_noise.hpp"

#include <cstddef>

#include "base/random_bits.hpp"

namespace accord {

float DistanceNoise::factor(const std::array<std::uint32_t, 3>& key, float strength) const {
  if (!is_set()) return 1;
  return 1 + strength * spread * symmetric_unit(random_bits_of({seed, key[0], key[1], key[2]}));
}

DistanceMatrix with_noise(DistanceMatrix distances, const DistanceNoise& noise) {
  if (!noise.is_set()) return distances;
  for (std::uint32_t y = 1; y < distances.size(); ++y) {
    for (std::uint32_t x = 0; x < y; ++x) {
      distances.set(x, y, distances.at(x, y) * noise.factor({y, x, 0}));
    }
  }
  return distances;
}

}  // namespace accord
