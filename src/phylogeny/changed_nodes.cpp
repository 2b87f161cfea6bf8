// SPDX-License-Identifier: Apache-2.0
#include "phylogeny/changed_nodes.hpp"

#include <cstddef>
#include <utility>

namespace accord {

NodeMarks nodes_near(const GuideTree& tree, NodeMarks marks, std::uint32_t branches) {
  const std::uint32_t root = tree.nodes() - 1;
  const std::uint32_t left = tree.left.back(), right = tree.right.back();
  if (marks[root] != 0) marks[left] = marks[right] = 1;
  marks[root] = 0;
  for (std::uint32_t step = 0; step < branches; ++step) {
    NodeMarks wider = marks;
    const auto pass = [&](std::uint32_t a, std::uint32_t b) {
      wider[a] |= marks[b];
      wider[b] |= marks[a];
    };
    pass(left, right);
    for (std::uint32_t join = 0; join + 1 < tree.left.size(); ++join) {
      pass(tree.leaves + join, tree.left[join]);
      pass(tree.leaves + join, tree.right[join]);
    }
    marks = std::move(wider);
  }
  return marks;
}

NodeMarks renumbered(const NodeMarks& marks, const std::vector<std::uint32_t>& number) {
  NodeMarks moved(marks.size(), 0);
  for (std::size_t node = 0; node < marks.size(); ++node) moved[number[node]] = marks[node];
  return moved;
}

}  // namespace accord
