// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "engine/progress_listener.hpp"

namespace accord {

/// Estimates the time that a run still takes, from the stages that it will have and the times of
/// those that it has had.
class RunTime {
 public:
  /// The run has these stages, and no others that take long.
  void expect(std::vector<ExpectedStage> stages);
  /// A stage begins: the next one of that name that is expected, if there is any. The stage before
  /// took `seconds`.
  void begin(const std::string& stage, double seconds);
  /// The seconds that the run still takes; negative if that is not known: no stages are expected,
  /// or too little is done. `done`: the part of the stage that is done, in [0, 1]; `seconds`: the
  /// time since the stage began.
  double left(double done, double seconds) const;

 private:
  /// Times of stages, in seconds.
  struct Times {
    double measured = 0, expected = 0;
  };
  /// The expected stage that has begun; null if the stage was not expected.
  const ExpectedStage* current() const;

  std::vector<ExpectedStage> stages_;
  std::size_t next_ = 0;       ///< stages from here on have not begun
  bool is_expected_ = false;   ///< whether the stage that has begun is stages_[next_ - 1]
  std::array<Times, 2> past_;  ///< of stages that only the host computes, and of the others
};

}  // namespace accord
