// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

#include "core/msa.hpp"

namespace accord {

/// Sequences of a family that are aligned with each other, and stay as they are.
struct AlignedPart {
  std::vector<std::uint32_t> members;  ///< canonical indices in the family, increasing
  Msa msa;                             ///< their rows, in this order; columns may be empty
};

}  // namespace accord
