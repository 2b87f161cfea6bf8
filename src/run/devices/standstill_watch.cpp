// SPDX-License-Identifier: Apache-2.0
#include "run/devices/standstill_watch.hpp"

#include <utility>

#include "base/system.hpp"
#include "base/text.hpp"

namespace accord {
namespace {

constexpr double kSecondsOfLook = 10;
constexpr int kLooks = 18;
// Threads that wait, and those that look or draw a bar, use less.
constexpr double kIdleCpuSeconds = .5;

}  // namespace

int StandstillCounter::look(const QueueState& state, double cpu_seconds) {
  const bool is_still = before_ && state.open_requests > 0 && state.computing == 0 &&
                        state.ended == before_->ended &&
                        cpu_seconds - before_->cpu_seconds < kIdleCpuSeconds;
  before_ = {state.ended, cpu_seconds};
  still_ = is_still ? still_ + 1 : 0;
  return still_;
}

StandstillWatch::StandstillWatch(State state, OnStandstill on_standstill)
    : call_(kSecondsOfLook,
            [this, state = std::move(state), on_standstill = std::move(on_standstill)] {
              const QueueState now = state();
              if (counter_.look(now, process_cpu_seconds()) != kLooks) return;
              on_standstill(
                  formatted("nothing was computed for %.0f s, though ", kLooks * kSecondsOfLook) +
                  counted(now.open_requests, "request is", "requests are") + " open: " + now.waits);
            }) {}

SlowStepNotice::SlowStepNotice(std::string what, std::optional<double> last_seconds, double every,
                               Sink sink)
    : call_(every, [this, what = std::move(what), last_seconds, sink = std::move(sink)] {
        sink(what + formatted(" for %.0f s", timer_.seconds()) +
             (last_seconds ? formatted("; last time %.0f s", *last_seconds)
                           : ", the first time only"));
      }) {}

}  // namespace accord
