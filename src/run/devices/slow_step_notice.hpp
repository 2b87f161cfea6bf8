// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <optional>
#include <string>

#include "base/periodic_call.hpp"
#include "base/timer.hpp"

namespace accord {

/// Reports a slow step until this object is destroyed. Every `every` seconds, another thread passes
/// a line without line end to `sink`: the step, the seconds since the construction, and
/// `last_seconds`, the seconds that the step took the last time, if they are known. The destructor
/// waits until a running call of `sink` returns; `sink` must not throw.
class SlowStepNotice {
 public:
  using Sink = std::function<void(const std::string& line)>;

  /// Starts the reports. `what`: the step, such as "getting gpu0 ready".
  SlowStepNotice(std::string what, std::optional<double> last_seconds, double every, Sink sink);

  /// Seconds since the construction.
  double seconds() const { return timer_.seconds(); }

 private:
  const Timer timer_;
  const PeriodicCall call_;  // last: it uses the timer
};

}  // namespace accord
