// SPDX-License-Identifier: Apache-2.0
#include "base/periodic_call.hpp"

#include <chrono>
#include <system_error>
#include <utility>

namespace accord {

PeriodicCall::PeriodicCall(double seconds, std::function<void()> call) : call_(std::move(call)) {
  try {
    thread_ = std::thread([this, seconds] { run(seconds); });
  } catch (const std::system_error&) {
    // Without a thread there are no calls; the rest of the run goes on all the same.
  }
}

PeriodicCall::~PeriodicCall() {
  {
    const std::lock_guard lock(mutex_);
    is_over_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void PeriodicCall::run(double seconds) {
  std::unique_lock lock(mutex_);
  while (!changed_.wait_for(lock, std::chrono::duration<double>(seconds),
                            [this] { return is_over_; })) {
    lock.unlock();  // a slow call, such as one that writes to a terminal, does not hold up the end
    call_();
    lock.lock();
  }
}

}  // namespace accord
