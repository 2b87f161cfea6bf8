// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>

#include "base/timer.hpp"
#include "engine/progress_listener.hpp"

namespace accord {

/// Says how far a search for a tree of maximum likelihood has come: the listener receives its
/// stages, and each step is a line of the log, for -v. A search has as many steps as it needs, so
/// that the time of the whole search is not known.
class SearchLog {
 public:
  /// `progress` may be null; it must outlive the log.
  explicit SearchLog(ProgressListener* progress = nullptr) : progress_(progress) {}

  /// A stage begins; `unit` names its `items`. 0 items: their number is not known.
  void begin(const std::string& stage, const std::string& unit = {}, std::uint64_t items = 0);
  /// A step of the stage is done: it reached the logarithm `total` of the likelihood under `model`.
  void step(const std::string& model, double total);

 private:
  ProgressListener* progress_;
  std::string stage_;
  std::uint64_t steps_ = 0;  ///< of the stage
  Timer timer_;              ///< since the last step
};

}  // namespace accord
