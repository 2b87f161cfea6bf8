// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/timeline.hpp"
#include "base/timer.hpp"
#include "method/align_result.hpp"

namespace accord {

/// Records the stages of a run, also in the timeline of the process, and notifies the listener.
class StageLog {
 public:
  /// `records` and `listener` must outlive the log.
  StageLog(std::vector<StageRecord>& records, const RunListener& listener)
      : records_(records), listener_(listener), span_(SpanKind::stage) {}

  /// Announces to the listener the start of a stage that runs without a backend, with `items` items
  /// of work. `unit` names the items ("joins"); 0 items: their number is not known.
  void begin(const std::string& name, const std::string& unit = {}, std::uint64_t items = 0);
  /// Reports that one more item of the stage is done.
  void advance();

  /// Passes the result of a stage to the listener, if it wants results. Value is one of the types
  /// to which RunListener::Value points.
  template <class Value>
  void show(const char* stage, const Value& value) const {
    if (listener_.on_value) listener_.on_value(stage, &value);
  }
  /// Returns a function that calls show() for a stage; empty if the listener wants no results. The
  /// log and the text `stage` must outlive the function.
  template <class Value>
  std::function<void(const Value&)> shower(const char* stage) const {
    if (!listener_.on_value) return {};
    return [this, stage](const Value& value) { show(stage, value); };
  }

  /// Ends a stage: records its name, its time and `detail` (see StageRecord), and notifies the
  /// listener. The time of a stage begins when the previous stage ends.
  void finish(const std::string& name, const std::string& detail);

 private:
  std::vector<StageRecord>& records_;
  const RunListener& listener_;
  std::optional<TimelineSpan> span_;  // of the stage, which gets its name from begin() or finish()
  Timer timer_;                       // after the span, which is not shorter than the time
};

}  // namespace accord
