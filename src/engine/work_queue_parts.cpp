// SPDX-License-Identifier: Apache-2.0
#include "engine/work_queue_parts.hpp"

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

void DeviceHealth::note_success() {
  faults_in_row_ = 0;
  burden_ = std::max(0, burden_ - 1);
  if (memory_parts_ == 1 || ++went_well_ < trial_) return;
  memory_parts_ /= 2;
  went_well_ = 0;
}

void DeviceHealth::note_fault(bool of_memory, bool is_divisible) {
  if (!of_memory || !is_divisible) ++faults_in_row_;
  if (!of_memory) {
    burden_ += kForgiving;
    return;
  }
  constexpr std::uint32_t kMostParts = 1u << 20;
  constexpr std::uint64_t kLongestTrial = std::uint64_t{1} << 30;
  memory_parts_ = std::min(2 * memory_parts_, kMostParts);
  trial_ = std::min(2 * trial_, kLongestTrial);
  went_well_ = 0;
}

bool DeviceHealth::is_hopeless() const {
  return faults_in_row_ >= kMostFaultsInRow || burden_ >= kMostFaults * kForgiving;
}

}  // namespace accord
