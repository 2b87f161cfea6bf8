// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "phylogeny/fit.hpp"
#include "phylogeny/local_fit/local_fit.hpp"

namespace accord {

/// Applies regrafts to a tree, one after another. All regrafts have the node numbers of `state`.
/// - A regraft is left out if earlier regrafts have made it impossible: one of its branches is
///   gone, or its new place is now in the subtree or at the old place.
/// - The three branches at the new place get the lengths of the regraft.
/// - At the old place two branches become one branch, whose length is their sum, but at most
///   kLongestBranch.
/// - The root stays on its branch. If a regraft merges this branch with another one, the root is on
///   the merged branch; if a regraft divides the branch, the root is on one of the parts. In the
///   end, the root is in the middle of its branch.
/// - Inner nodes get new numbers. If `number` is not null, (*number)[k] becomes the new number of
///   node k of `state`.
///
/// Returns  the new tree.
TreeWithModel regrafted(const TreeWithModel& state, std::span<const Regraft> regrafts,
                        std::vector<std::uint32_t>* number = nullptr);

}  // namespace accord
