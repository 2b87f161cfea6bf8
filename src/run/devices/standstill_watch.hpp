// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <functional>
#include <optional>
#include <string>

#include "base/thread_group.hpp"
#include "base/timer.hpp"
#include "engine/work_queue.hpp"

namespace accord {

/// Decides by regular looks whether a run stands still: requests are open, no backend computes, no
/// batch ends, and the process uses no CPU time. A process that the system has stopped is not
/// looked at meanwhile, so that the looks are counted and not the time.
class StandstillCounter {
 public:
  /// Takes the state of the queue and the CPU time of the process at one look.
  /// Returns  the number of looks in a row, this one included, at which the run stood still since
  ///          the look before.
  int look(const QueueState& state, double cpu_seconds);

 private:
  struct Look {
    std::size_t ended = 0;
    double cpu_seconds = 0;
  };
  std::optional<Look> before_;
  int still_ = 0;
};

/// Watches a run on another thread, as the last net under a fault of accord: threads that wait for
/// each other would otherwise wait for ever.
class StandstillWatch {
 public:
  using State = std::function<QueueState()>;
  /// Takes a text that says for how long the run has stood still, and what its threads wait for.
  using OnStandstill = std::function<void(const std::string& text)>;

  /// Looks at the state every ten seconds. Calls `on_standstill` once the run has stood still for
  /// three minutes. Both functions must not throw.
  StandstillWatch(State state, OnStandstill on_standstill);

 private:
  StandstillCounter counter_;
  const PeriodicCall call_;  // last: it uses the counter
};

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
