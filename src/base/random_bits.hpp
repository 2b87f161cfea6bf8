// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <initializer_list>

namespace accord {

/// The next 64 random bits of a state, by the splitmix64 generator (Steele, Lea & Flood 2014). The
/// standard library guarantees the same numbers everywhere for its engines, but not for its
/// distributions.
inline std::uint64_t next_random(std::uint64_t& state) {
  state += 0x9e3779b97f4a7c15u;
  std::uint64_t z = state;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

/// Random bits that depend on all of the numbers and on their order.
inline std::uint64_t random_bits_of(std::initializer_list<std::uint64_t> numbers) {
  std::uint64_t bits = 0;
  for (const std::uint64_t number : numbers) {
    bits ^= number;
    bits = next_random(bits);
  }
  return bits;
}

/// A multiple of 2^-23 in [-1, 1), uniform for random bits. Exact in single precision.
inline float symmetric_unit(std::uint64_t bits) {
  constexpr std::int64_t kHalf = 1 << 23;
  constexpr int kDropped = 40;  // 24 bits stay
  return static_cast<float>(static_cast<std::int64_t>(bits >> kDropped) - kHalf) /
         static_cast<float>(kHalf);
}

}  // namespace accord
