// SPDX-License-Identifier: Apache-2.0
#include "run/devices/slow_step_notice.hpp"

#include <chrono>
#include <system_error>
#include <utility>

#include "base/text.hpp"

namespace accord {

SlowStepNotice::SlowStepNotice(std::string what, std::optional<double> last_seconds, double every,
                               Sink sink)
    : what_(std::move(what)), last_seconds_(last_seconds), every_(every), sink_(std::move(sink)) {
  try {
    thread_ = std::thread([this] { run(); });
  } catch (const std::system_error&) {
    // Without a thread there are no notices; the slow step runs all the same.
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
    const std::string line =
        what_ + formatted(" for %.0f s", timer_.seconds()) +
        (last_seconds_ ? formatted("; last time %.0f s", *last_seconds_) : ", the first time only");
    lock.unlock();  // a slow terminal must not hold up the end
    sink_(line);
    lock.lock();
  }
}

}  // namespace accord
