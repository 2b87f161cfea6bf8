// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <chrono>
#include <cstddef>
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

}  // namespace accord
