// SPDX-License-Identifier: Apache-2.0
#include "engine/work_queue_parts.hpp"

#include <limits>

namespace accord {

double batch_share(const StageWork& work, std::span<const double> rates, std::size_t self,
                   const SharePolicy& policy, double slowness) {
  if (rates.size() == 1) return std::numeric_limits<double>::infinity();
  double others = 0, fastest_other = 0;
  for (std::size_t k = 0; k < rates.size(); ++k) {
    if (k == self) continue;
    others += rates[k];
    fastest_other = std::max(fastest_other, rates[k]);
  }
  const bool is_known = rates[self] > 0;
  const double rate = is_known ? rates[self] : fastest_other / slowness;  // at least
  if (others > 0) {
    double may_last = std::max(work.remaining / others, work.next_item / fastest_other);
    if (!is_known)
      may_last = std::max({may_last, policy.shortest_seconds, work.done / others / 10});
    if (may_last < work.next_item / rate) return 0;
  }
  double share = rate * policy.longest_seconds;
  if (is_known) {
    share = std::min(share, work.remaining * rate / (2.0 * (others + rate)));
    share = std::max(share, rate * policy.shortest_seconds);
  } else {
    if (others <= 0) share = policy.most_first_batch_work;
    const double even_part = work.remaining / static_cast<double>(rates.size());
    share = std::min({share, policy.most_first_batch_work, even_part / std::max(2.0, slowness)});
  }
  return std::max(work.next_item, share);
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
