// SPDX-License-Identifier: Apache-2.0
#include "run/devices/slow_step_notice.hpp"

#include <utility>

#include "base/text.hpp"

namespace accord {

SlowStepNotice::SlowStepNotice(std::string what, std::optional<double> last_seconds, double every,
                               Sink sink)
    : call_(every, [this, what = std::move(what), last_seconds, sink = std::move(sink)] {
        sink(what + formatted(" for %.0f s", timer_.seconds()) +
             (last_seconds ? formatted("; last time %.0f s", *last_seconds)
                           : ", the first time only"));
      }) {}

}  // namespace accord
