// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

#include "core/msa.hpp"

namespace accord {

/// Some sequences of a family, with a fixed alignment.
struct AlignedPart {
  std::vector<std::uint32_t> members;  ///< canonical indices in the family, increasing
  Msa msa;  ///< the rows of the members, in the order of `members`; columns may be empty
};

}  // namespace accord
