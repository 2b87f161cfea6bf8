// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <chrono>
#include <functional>

namespace accord {

/// Wall-clock stopwatch, started on construction.
class Timer {
 public:
  /// Seconds since construction.
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// Seconds of the fastest of `repeats` calls of `body`, at least 1, after one uncounted call that
/// compiles and allocates.
double fastest(int repeats, const std::function<void()>& body);

/// Returns the seconds since a fixed moment. Monotone and thread-safe.
using Clock = std::function<double()>;

/// The monotone clock of the machine, as a Clock.
inline double clock_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace accord
