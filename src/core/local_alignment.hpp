// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "local_pairs/local_layout.h"

namespace accord {

/// An aligned segment without gaps: residue x + k of the first sequence with residue y + k of the
/// second, for k < length. Residues are counted from 0.
using LocalSegment = accord_local_segment;

/// The best local alignment of a pair (x, y).
struct LocalAlignment {
  std::int32_t score = 0;              ///< in the unit of LocalParams; 0 if nothing is aligned
  std::vector<LocalSegment> segments;  ///< in the order of the sequences

  /// The number of aligned pairs of residues.
  std::uint64_t pairs() const {
    std::uint64_t sum = 0;
    for (const LocalSegment& segment : segments) sum += segment.length;
    return sum;
  }

  bool operator==(const LocalAlignment& other) const {
    const auto same = [](const LocalSegment& a, const LocalSegment& b) {
      return a.x == b.x && a.y == b.y && a.length == b.length;
    };
    return score == other.score && std::ranges::equal(segments, other.segments, same);
  }
};

}  // namespace accord
