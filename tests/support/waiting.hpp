// SPDX-License-Identifier: Apache-2.0
// For tests with threads: waiting for what another thread does, and time that only tests advance.
#pragma once
#include <atomic>
#include <chrono>
#include <functional>
#include <stdexcept>
#include <thread>

namespace accord::testing {

/// Long enough for any machine that is busy with other work; only a test that fails waits so long.
constexpr std::chrono::seconds kLongestWait{120};

/// Returns once the condition holds.
/// Throws  std::runtime_error if it does not come to hold: the test has failed.
template <class Condition>
void wait_until(Condition condition) {
  const auto end = std::chrono::steady_clock::now() + kLongestWait;
  while (!condition()) {
    if (std::chrono::steady_clock::now() > end) {
      throw std::runtime_error("what a test waits for does not happen");
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

/// Time that passes when a test says so, for all threads that see it.
class FakeTime {
 public:
  double now() const { return seconds_.load(); }
  /// A clock on this time, which must outlive it.
  std::function<double()> clock() const {
    return [this] { return now(); };
  }
  void pass(double seconds) { seconds_.fetch_add(seconds); }
  /// Until the given moment, unless that is over.
  void pass_until(double moment) {
    double before = seconds_.load();
    while (before < moment && !seconds_.compare_exchange_weak(before, moment)) {
    }
  }

 private:
  std::atomic<double> seconds_{0};
};

}  // namespace accord::testing
