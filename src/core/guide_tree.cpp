// SPDX-License-Identifier: Apache-2.0
#include "core/guide_tree.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace accord {

GuideTree with_branch_lengths(GuideTree tree) {
  if (!std::exchange(tree.has_heights, false)) return tree;
  // From the root downwards, so that the nodes below a child still have heights.
  for (std::size_t k = tree.left.size(); k-- > 0;) {
    for (const std::uint32_t child : {tree.left[k], tree.right[k]}) {
      const bool is_leaf = child < tree.leaves;
      const double height = is_leaf ? 0 : tree.length[tree.left[child - tree.leaves]];
      // Heights have single precision, and so do their differences. Rounding may place a child
      // above its parent, hence max().
      tree.length[child] = std::max(0.0f, static_cast<float>(tree.length[child] - height));
    }
  }
  return tree;
}

GuideTree with_heights(GuideTree tree) {
  constexpr double kTolerance = 1e-4;  // trees are written with at least five digits
  if (tree.has_heights) return tree;
  std::vector<double> height(tree.nodes(), 0.0);
  for (std::size_t k = 0; k < tree.left.size(); ++k) {
    const std::uint32_t left = tree.left[k], right = tree.right[k];
    const double from_left = height[left] + tree.length[left];
    const double from_right = height[right] + tree.length[right];
    if (std::abs(from_left - from_right) > kTolerance * std::max(from_left, from_right)) {
      return tree;
    }
    // The lower child has the longer branch, which has the smaller rounding error.
    height[tree.leaves + k] = height[left] <= height[right] ? from_left : from_right;
  }
  for (std::size_t k = 0; k < tree.left.size(); ++k) {
    tree.length[tree.left[k]] = tree.length[tree.right[k]] =
        static_cast<float>(height[tree.leaves + k]);
  }
  tree.has_heights = true;
  return tree;
}

GuideTree in_single_precision(GuideTree tree) {
  for (double& length : tree.length) length = static_cast<float>(length);
  return tree;
}

}  // namespace accord
