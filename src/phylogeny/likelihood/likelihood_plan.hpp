// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

#include "core/guide_tree.hpp"
#include "likelihood/peel.h"

namespace accord {

/// The nodes of a tree in the order in which a device computes them, by level. A node depends on no
/// node of its level. An element has the numbers of the node, its parent and its
/// sister; that of an inner node also those of its children.
struct PeelPlan {
  std::vector<accord_peel_node> nodes;
  std::vector<std::uint32_t> begin;  ///< [level]: its first place in `nodes`; then the end
};

/// The inner nodes of a tree, one step each, in parts of the tree. One work-group computes a part,
/// step by step, without waiting for other groups. A step has the numbers of its node and of the
/// children. Children come before parents. If the step before computes a child of a node, that
/// child is its left child, even if it is the right child in the tree.
struct ClimbPlan {
  std::vector<accord_peel_node> steps;
  std::vector<std::uint32_t> part_begin;   ///< [part]: its first step; then the end
  std::vector<std::uint32_t> level_begin;  ///< [level]: its first part; then the end
};

/// Divides the inner nodes into parts of at least `least` joins and less than twice as many; the
/// part of the root may have fewer. `least` is at least 1. A part depends only on parts of earlier
/// levels; in a level, larger parts come first. Pure.
ClimbPlan plan_climb(const GuideTree& tree, std::uint32_t least);
/// Lists all nodes but the root, parents before children; level 0 has the root's children. Pure.
PeelPlan plan_downward(const GuideTree& tree);

}  // namespace accord
