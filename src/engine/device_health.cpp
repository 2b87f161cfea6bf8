// SPDX-License-Identifier: Apache-2.0
#include "engine/device_health.hpp"

#include <algorithm>

namespace accord {

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
