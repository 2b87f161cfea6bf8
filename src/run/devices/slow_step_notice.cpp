// SPDX-License-Identifier: Apache-2.0
#include "run/devices/slow_step_notice.hpp"

#include <chrono>
#include <cstdio>
#include <system_error>
#include <utility>

namespace accord {

SlowStepNotice::SlowStepNotice(std::string what, std::optional<double> last_seconds, double every,
                               Sink sink)
    : what_(std::move(what)), last_seconds_(last_seconds), every_(every), sink_(std::move(sink)) {
  try {
    thread_ = std::thread([this] { run(); });
  } catch (const std::system_error&) {
    // What takes long is not said, then; it is done all the same.
  }
}

SlowStepNotice::~SlowStepNotice() {
  {
    const std::lock_guard lock(mutex_);
    is_over_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void SlowStepNotice::run() {
  std::unique_lock lock(mutex_);
  while (
      !changed_.wait_for(lock, std::chrono::duration<double>(every_), [&] { return is_over_; })) {
    char times[64];
    if (last_seconds_) {
      std::snprintf(times, sizeof times, " for %.0f s; last time %.0f s", timer_.seconds(),
                    *last_seconds_);
    } else {
      std::snprintf(times, sizeof times, " for %.0f s, the first time only", timer_.seconds());
    }
    const std::string line = what_ + times;
    lock.unlock();  // a slow terminal must not hold up the end
    sink_(line);
    lock.lock();
  }
}

}  // namespace accord
