// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "core/guide_tree.hpp"

namespace accord::testing {

/// A tree in which each leaf after the first is joined with all leaves before it. All branches have
/// this length.
inline GuideTree chain_of_leaves(std::uint32_t leaves, double length) {
  GuideTree tree;
  tree.leaves = leaves;
  for (std::uint32_t k = 0; k + 1 < leaves; ++k) {
    tree.left.push_back(k == 0 ? 0 : leaves + k - 1);
    tree.right.push_back(k + 1);
  }
  tree.length.assign(tree.nodes(), length);
  return tree;
}

}  // namespace accord::testing
