// SPDX-License-Identifier: Apache-2.0
#include "phylogeny/likelihood/likelihood_plan.hpp"

#include <algorithm>
#include <utility>

namespace accord {
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

/// Appends the joins of the part below `top`, children before parents. The smaller child comes
/// last, so that what the larger one leaves in memory is read soon.
template <class IsTop>
void append_part(const GuideTree& tree, const std::vector<std::uint32_t>& size, const IsTop& is_top,
                 std::uint32_t top, std::vector<accord_peel_node>& steps) {
  const auto first = static_cast<std::ptrdiff_t>(steps.size());
  const auto is_inside = [&](std::uint32_t node) {
    return node >= tree.leaves && !is_top(node - tree.leaves);
  };
  std::vector<std::uint32_t> open = {top};
  while (!open.empty()) {  // parents first, turned round at the end
    const std::uint32_t join = open.back(), node = tree.leaves + join;
    open.pop_back();
    std::uint32_t last = tree.left[join], other = tree.right[join];
    const bool is_smaller =
        is_inside(last) && is_inside(other) && size[other - tree.leaves] < size[last - tree.leaves];
    if (!is_inside(last) || is_smaller) std::swap(last, other);
    steps.push_back({node, last, other, node, node});
    for (const std::uint32_t child : {other, last}) {
      if (is_inside(child)) open.push_back(child - tree.leaves);
    }
  }
  std::reverse(steps.begin() + first, steps.end());
}

}  // namespace

ClimbPlan plan_climb(const GuideTree& tree, std::uint32_t least) {
  const auto joins = static_cast<std::uint32_t>(tree.left.size());
  // For each join: the number of joins below it in its part, and the levels of parts below.
  std::vector<std::uint32_t> size(joins, 1), level(joins, 0), tops;
  const auto is_top = [&](std::uint32_t join) { return size[join] >= least || join + 1 == joins; };
  for (std::uint32_t join = 0; join < joins; ++join) {
    for (const std::uint32_t child : {tree.left[join], tree.right[join]}) {
      if (child < tree.leaves) continue;
      const std::uint32_t below = child - tree.leaves;
      if (!is_top(below)) size[join] += size[below];
      level[join] = std::max(level[join], level[below] + (is_top(below) ? 1 : 0));
    }
    if (is_top(join)) tops.push_back(join);
  }
  std::stable_sort(tops.begin(), tops.end(), [&](std::uint32_t a, std::uint32_t b) {
    return level[a] != level[b] ? level[a] < level[b] : size[a] > size[b];
  });
  ClimbPlan plan;
  for (std::uint32_t k = 0; k < tops.size(); ++k) {
    if (k == 0 || level[tops[k]] != level[tops[k - 1]]) plan.level_begin.push_back(k);
    plan.part_begin.push_back(static_cast<std::uint32_t>(plan.steps.size()));
    append_part(tree, size, is_top, tops[k], plan.steps);
  }
  plan.level_begin.push_back(static_cast<std::uint32_t>(tops.size()));
  plan.part_begin.push_back(static_cast<std::uint32_t>(plan.steps.size()));
  return plan;
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

}  // namespace accord
