// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

#include "core/guide_tree.hpp"
#include "likelihood/peel.h"

namespace accord {

/// The nodes of a tree in the order in which a device computes them. The nodes of a level depend on
/// other levels alone.
struct PeelPlan {
  std::vector<accord_peel_node> nodes;
  std::vector<std::uint32_t> begin;  ///< of each level, and the end of the last
};

/// The inner nodes in parts of the tree; a group climbs a part without waiting for others. The left
/// child of a step is the node of the step before, if any child is.
struct ClimbPlan {
  std::vector<accord_peel_node> steps;
  std::vector<std::uint32_t> part_begin;   ///< steps of each part, and the end of the last
  std::vector<std::uint32_t> level_begin;  ///< parts of each level, and the end of the last
};

/// Parts of at least `least` joins (except that of the root) and of less than twice as many. The
/// parts of a level depend on other levels alone; the largest comes first. Pure.
ClimbPlan plan_climb(const GuideTree& tree, std::uint32_t least);
/// All nodes but the root, from those below it on. Pure.
PeelPlan plan_downward(const GuideTree& tree);

}  // namespace accord
