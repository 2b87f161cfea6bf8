// SPDX-License-Identifier: Apache-2.0
#include "engine/batch_share.hpp"

#include <algorithm>
#include <limits>

namespace accord {

double batch_share(double remaining, double next_item, std::span<const double> rates,
                   std::size_t self, const SharePolicy& policy) {
  if (rates.size() == 1) return std::numeric_limits<double>::infinity();
  const double rate = rates[self];
  if (rate <= 0) {
    const double even_part = remaining / (2.0 * static_cast<double>(rates.size()));
    return std::max(next_item, std::min(policy.most_first_batch_work, even_part));
  }
  double others = 0, fastest_other = 0;
  for (std::size_t k = 0; k < rates.size(); ++k) {
    if (k == self) continue;
    others += rates[k];
    fastest_other = std::max(fastest_other, rates[k]);
  }
  if (others > 0) {
    const double others_need = std::max(remaining / others, next_item / fastest_other);
    if (others_need < next_item / rate) return 0;
  }
  const double fair_half = remaining * rate / (2.0 * (others + rate));
  return std::max({next_item, std::min(fair_half, rate * policy.longest_seconds),
                   rate * policy.shortest_seconds});
}

double updated_rate(double rate, double work, double seconds) {
  constexpr double kShortest = 1e-6;  // the resolution of clocks
  const double shown = work / std::max(seconds, kShortest);
  return std::max(shown, (shown + rate) / 2.0);
}

}  // namespace accord
