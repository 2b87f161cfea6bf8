// SPDX-License-Identifier: Apache-2.0
#include "engine/batch_span.hpp"

namespace accord {

BatchSpan::BatchSpan(const Backend& backend, std::span<const ItemRange> ranges)
    : span_(SpanKind::batch, ranges.front().request->stage().name) {
  if (!is_recording()) return;
  double items = 0, pairs = 0, work = 0;
  for (const ItemRange& range : ranges) {
    for (std::size_t item = range.first; item < range.last; ++item, ++items) {
      pairs += range.request->pairs(item);
      work += range.request->work(item);
    }
  }
  span_.add("backend", backend.name());
  span_.add("requests", static_cast<double>(ranges.size()));
  span_.add("items", items);
  span_.add("pairs", pairs);
  span_.add("work", work);
}

}  // namespace accord
