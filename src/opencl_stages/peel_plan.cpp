// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "accord/opencl_stages/likelihood.hpp"

namespace accord::ocl {
namespace {

/// The nodes by level; that of a node is level[node].
PeelPlan by_level(std::vector<accord_peel_node> nodes, const std::vector<std::uint32_t>& level) {
  PeelPlan plan;
  std::stable_sort(nodes.begin(), nodes.end(),
                   [&](const accord_peel_node& a, const accord_peel_node& b) {
                     return level[a.node] < level[b.node];
                   });
  for (std::uint32_t k = 0; k < nodes.size(); ++k) {
    if (k == 0 || level[nodes[k].node] != level[nodes[k - 1].node]) plan.begin.push_back(k);
  }
  plan.begin.push_back(static_cast<std::uint32_t>(nodes.size()));
  plan.nodes = std::move(nodes);
  return plan;
}

}  // namespace

PeelPlan plan_upward(const GuideTree& tree) {
  std::vector<accord_peel_node> nodes;
  std::vector<std::uint32_t> level(tree.nodes(), 0);
  for (std::uint32_t join = 0; join < tree.left.size(); ++join) {
    const std::uint32_t node = tree.leaves + join;
    nodes.push_back({node, tree.left[join], tree.right[join], node, node});
    level[node] = 1 + std::max(level[tree.left[join]], level[tree.right[join]]);
  }
  return by_level(std::move(nodes), level);
}

PeelPlan plan_downward(const GuideTree& tree) {
  std::vector<accord_peel_node> nodes;
  std::vector<std::uint32_t> level(tree.nodes(), 0);
  for (auto join = static_cast<std::uint32_t>(tree.left.size()); join-- > 0;) {
    const std::uint32_t parent = tree.leaves + join;
    const std::uint32_t child[2] = {tree.left[join], tree.right[join]};
    for (int k = 0; k < 2; ++k) {
      const bool is_tip = child[k] < tree.leaves;
      const std::uint32_t below = is_tip ? 0 : child[k] - tree.leaves;
      nodes.push_back({child[k], is_tip ? child[k] : tree.left[below],
                       is_tip ? child[k] : tree.right[below], parent, child[1 - k]});
      level[child[k]] = level[parent] + 1;
    }
  }
  return by_level(std::move(nodes), level);
}

}  // namespace accord::ocl
