// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>

#include "base/timeline.hpp"
#include "engine/backend.hpp"
#include "engine/stage_request.hpp"

namespace accord {

/// The time of a batch on a backend in the timeline of the process, with the sizes of the batch.
class BatchSpan {
 public:
  /// The batch begins. It has the items of `ranges`, at least one range, of requests of one stage.
  BatchSpan(const Backend& backend, std::span<const ItemRange> ranges);

 private:
  TimelineSpan span_;
};

}  // namespace accord
