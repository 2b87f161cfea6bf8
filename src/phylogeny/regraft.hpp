// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "phylogeny/fit.hpp"
#include "phylogeny/local_fit/local_fit.hpp"

namespace accord {

/// Applies regrafts to a tree, one after another, and returns the new tree. All regrafts have the
/// node numbers of `state`. The branches around each new place get the lengths of the regraft. If
/// two branches become one at the old place, their lengths are added, up to kLongestBranch. A
/// regraft that earlier ones have made impossible
/// is left out. Inner nodes get new numbers; if `number` is not null, [node] becomes the new number
/// of each old node. The new root is in the middle of the branch with the old root. If a regraft
/// merges this branch with another, the root is in the middle of the merged branch; if a regraft
/// divides it, the root is in the middle of one of the parts.
TreeWithModel regrafted(const TreeWithModel& state, std::span<const Regraft> regrafts,
                        std::vector<std::uint32_t>* number = nullptr);

}  // namespace accord
