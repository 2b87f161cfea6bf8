// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <compare>
#include <cstdint>

namespace accord {

/// Two bases of a sequence that may pair.
struct BasePair {
  std::uint32_t first, second;  ///< first < second
  double probability;

  /// By `first`, `second` and `probability`.
  auto operator<=>(const BasePair&) const = default;
};

}  // namespace accord
