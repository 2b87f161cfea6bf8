// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "phylogeny/fit.hpp"
#include "phylogeny/local_fit/local_fit.hpp"

namespace accord {

/// The tree after regrafts, one after another, the lengths around each place as they were fitted;
/// one that is no longer possible after others is left out. Inner nodes are numbered anew. The root
/// stays on its branch, or on the one that this has become part of. `number`, if it is not null,
/// becomes the new number of each node.
TreeWithModel regrafted(const TreeWithModel& state, std::span<const Regraft> regrafts,
                        std::vector<std::uint32_t>* number = nullptr);

}  // namespace accord
