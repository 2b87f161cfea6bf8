// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

#include "core/guide_tree.hpp"

namespace accord {

/// [node of a tree]: 1 for the nodes of a set, which are marked; else 0.
using NodeMarks = std::vector<std::uint8_t>;

/// Marks all nodes that are at most `branches` branches away from a marked node in the unrooted
/// tree, in which the root is no node. A mark of the root stands for both of its children.
NodeMarks nodes_near(const GuideTree& tree, NodeMarks marks, std::uint32_t branches);

/// Moves marks to the new numbers of the nodes: the old node n has the new number `number[n]`. The
/// new numbers are those of the old nodes in another order.
NodeMarks renumbered(const NodeMarks& marks, const std::vector<std::uint32_t>& number);

}  // namespace accord
