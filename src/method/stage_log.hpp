// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/timer.hpp"
#include "method/pipeline.hpp"

namespace accord {

/// Records the stages of a run and notifies the listener.
class StageLog {
 public:
  /// Both must outlive the log.
  StageLog(std::vector<StageRecord>& records, const RunListener& listener)
      : records_(records), listener_(listener) {}

  /// Announces the beginning of a stage that no backend computes.
  void begin(const std::string& name, const std::string& unit = {}, std::uint64_t items = 0);
  /// One more of its items is done.
  void advance();

  /// Ends the stage that began at the end of the previous one.
  void finish(const std::string& name, const std::string& detail);

 private:
  std::vector<StageRecord>& records_;
  const RunListener& listener_;
  Timer timer_;
};

/// "12 pairs".
std::string format_count(std::size_t number, const char* what);

}  // namespace accord
