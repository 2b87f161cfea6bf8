// SPDX-License-Identifier: Apache-2.0
#include "bench/peak_rates.hpp"

namespace accord {

double rounds_per_second(const std::function<double(std::uint32_t rounds)>& seconds_of) {
  constexpr double kLongEnough = 0.02, kClearlyLonger = 1.6;
  constexpr std::uint32_t kMostRounds = 1u << 26;
  std::uint32_t rounds = 16;
  double before = 1e300;
  while (true) {
    const double seconds = seconds_of(rounds);
    const bool is_work = seconds >= kLongEnough && seconds >= kClearlyLonger * before;
    if (is_work || rounds >= kMostRounds) return rounds / seconds;
    before = seconds;
    rounds *= 2;
  }
}

}  // namespace accord
