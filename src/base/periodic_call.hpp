// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace accord {

/// Calls a function every `seconds` on another thread, the first time after `seconds`, until this
/// object is destroyed. The destructor waits until a running call returns. Makes no calls if the
/// system gives no thread.
class PeriodicCall {
 public:
  /// `call` must not throw.
  PeriodicCall(double seconds, std::function<void()> call);
  ~PeriodicCall();
  PeriodicCall(const PeriodicCall&) = delete;
  PeriodicCall& operator=(const PeriodicCall&) = delete;

 private:
  void run(double seconds);

  const std::function<void()> call_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_over_ = false;
  std::thread thread_;  // last: it uses the other members
};

}  // namespace accord
