// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

#include "core/guide_tree.hpp"

namespace accord {

/// Marks of nodes: 1 for those of a set, else 0.
using NodeMarks = std::vector<std::uint8_t>;

/// The marked nodes and all that are at most so many branches away from one in the unrooted tree,
/// of which the root is no node; a mark of the root stands for both of its children.
NodeMarks nodes_near(const GuideTree& tree, NodeMarks marks, std::uint32_t branches);

/// Marks of nodes that have got other numbers.
NodeMarks renumbered(const NodeMarks& marks, const std::vector<std::uint32_t>& number);

}  // namespace accord
