// SPDX-License-Identifier: Apache-2.0
// The fused multiply-add of the host's kernels for any processor, which is computed by doubles
// where the processor has none, against that of the C library. Not on Windows, since that of
// MinGW-w64 rounds some results wrongly.
#include <doctest/doctest.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

#include "engine/host/simd.hpp"

namespace accord::testing {
namespace {

/// Whether the lanes of accord_fma() have the bits of std::fma(), or are not numbers there.
bool is_fused(const std::array<float, 3>& values) {
  const auto [a, b, c] = values;
  const accord_vf found = accord_fma(accord_set(a), accord_set(b), accord_set(c));
  const float expected = std::fma(a, b, c);
  for (int lane = 0; lane < ACCORD_LANES; ++lane) {
    const float value = found[lane];
    if (std::isnan(expected)
            ? !std::isnan(value)
            : std::bit_cast<std::uint32_t>(value) != std::bit_cast<std::uint32_t>(expected)) {
      return false;
    }
  }
  return true;
}

/// A float whose exponent is in [least, most], with `bits` random bits of its fraction.
float random_float(std::mt19937& random, int least, int most, unsigned bits) {
  const auto fraction = static_cast<double>(random() >> (32 - bits)) + 1;
  const int exponent = least + static_cast<int>(random() % static_cast<unsigned>(most - least + 1));
  const double value = std::ldexp(1 + std::ldexp(fraction, -24), exponent);
  return static_cast<float>(random() % 2 == 0 ? value : -value);
}

TEST_CASE("host vectors: a fused multiply-add is rounded once, for all kinds of numbers") {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  constexpr float kLargest = std::numeric_limits<float>::max();
  constexpr float kSmallest = std::numeric_limits<float>::denorm_min();
  constexpr float kNone = std::numeric_limits<float>::quiet_NaN();
  const std::array special = {0.0f,      -0.0f,     1.0f,       -1.0f,      kLargest,
                              -kLargest, kInfinity, -kInfinity, kSmallest,  -kSmallest,
                              kNone,     0x1p-126f, 0x1p-75f,   0x1.8p-75f, 0x1.000002p0f};
  for (const float a : special) {
    for (const float b : special) {
      for (const float c : special) CHECK(is_fused({a, b, c}));
    }
  }
  std::mt19937 random(3);
  int wrong = 0;
  for (int k = 0; k < 400'000; ++k) {
    const float a = random_float(random, -4, 4, 1 + k % 24), b = random_float(random, -4, 4, 24);
    wrong += is_fused({a, b, random_float(random, -40, 40, 24)}) ? 0 : 1;
    // Sums that lie near the middle between two floats: half of a unit of c, and a little.
    const float half = std::ldexp(1.0f, -24), little = random_float(random, -60, -20, 24);
    wrong += is_fused({half, 1 + little, random_float(random, 0, 0, 24)}) ? 0 : 1;
    // Results below the normal numbers.
    const float tiny = std::ldexp(a, -140), tinier = std::ldexp(1 + little, -75);
    wrong += is_fused({std::ldexp(a, -70), std::ldexp(b, -76), tiny}) ? 0 : 1;
    wrong += is_fused({std::ldexp(1.0f, -75), tinier, tiny}) ? 0 : 1;
  }
  CHECK(wrong == 0);
}

}  // namespace
}  // namespace accord::testing
