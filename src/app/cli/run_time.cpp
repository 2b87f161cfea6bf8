// SPDX-License-Identifier: Apache-2.0
#include "app/cli/run_time.hpp"

#include <algorithm>
#include <utility>

namespace accord {
namespace {

constexpr double kLeastPart = 1e-3;  // no estimate below: the first families of a batch are small

}  // namespace

void RunTime::expect(std::vector<ExpectedStage> stages) {
  stages_ = std::move(stages);
  next_ = 0;
  is_expected_ = false;
  past_ = {};
}

const ExpectedStage* RunTime::current() const {
  return is_expected_ ? &stages_[next_ - 1] : nullptr;
}

void RunTime::begin(const std::string& stage, double seconds) {
  if (const ExpectedStage* last = current()) {
    Times& times = past_[last->on_devices];
    times.measured += seconds;
    times.expected += last->seconds;
  }
  const auto found =
      std::find_if(stages_.begin() + static_cast<std::ptrdiff_t>(next_), stages_.end(),
                   [&](const ExpectedStage& one) { return one.name == stage; });
  is_expected_ = found != stages_.end();
  if (is_expected_) next_ = static_cast<std::size_t>(found - stages_.begin()) + 1;
}

double RunTime::left(double done, double seconds) const {
  if (stages_.empty()) return -1;
  const ExpectedStage* const now = current();
  std::array<Times, 2> times = past_;
  if (now != nullptr && done >= kLeastPart) {
    times[now->on_devices].measured += seconds;
    times[now->on_devices].expected += done * now->seconds;
  }
  if (times[0].measured + times[1].measured == 0) return -1;
  // A machine is as much slower than expected in what follows as in what was measured. Stages of
  // one kind say nothing of the other, since devices may be of any speed.
  constexpr double kUsual = 0.05;  // seconds as expected, so that short times weigh little
  const auto pace = [&](bool on_devices) {
    const Times& of_kind = times[on_devices];
    return (of_kind.measured + kUsual) / (of_kind.expected + kUsual);
  };
  double left = 0;
  if (done >= kLeastPart) {
    left = seconds * (1 - done) / done;
  } else if (now != nullptr) {
    left = std::max(0.0, now->seconds * pace(now->on_devices) - seconds);
  }
  for (std::size_t k = next_; k < stages_.size(); ++k) {
    left += stages_[k].seconds * pace(stages_[k].on_devices);
  }
  return left;
}

}  // namespace accord
