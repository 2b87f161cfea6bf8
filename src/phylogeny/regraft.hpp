// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "phylogeny/fit.hpp"
#include "phylogeny/local_fit/local_fit.hpp"

namespace accord {

/// Applies regrafts to a tree, one after another. The branches around each new place get the
/// lengths of the regraft. A regraft that earlier ones have made impossible is left out. Inner
/// nodes are numbered anew; `number`, if it is not null, gets the new number of each old node. The
/// root goes to the middle of its branch, or of the branch that this one has become part of.
TreeWithModel regrafted(const TreeWithModel& state, std::span<const Regraft> regrafts,
                        std::vector<std::uint32_t>* number = nullptr);

}  // namespace accord
