// SPDX-License-Identifier: Apache-2.0
#include "phylogeny/local_fit/crossed_branches.hpp"

#include <utility>

#include "base/parallel.hpp"

namespace accord::host {

CrossedBranches::CrossedBranches(const PartialArithmetic& arithmetic, const PartialTree& tree,
                                 const LocalFitTask& task)
    : tree_(tree),
      nodes_(task.tree.nodes()),
      whole_(2 * nodes_),
      half_(2 * nodes_),
      transitions_(nodes_),
      half_transitions_(nodes_),
      totals_(arithmetic.blocks().size(), 0.0) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> sides;  // seen from an inner node
  for (std::uint32_t node = task.tree.leaves; node + 1 < task.tree.nodes(); ++node) {
    for (const std::uint32_t other : tree.around(node)) sides.emplace_back(node, other);
  }
  parallel_for(sides.size(), [&](std::size_t k, int) {
    const auto& [from, node] = sides[k];
    const BranchEnd end = tree.beyond(from, node);
    const double length = tree.length_between(from, node);
    arithmetic.cross(end, length, arithmetic.blocks(), whole_[side(from, node)]);
    arithmetic.cross(end, length / 2, arithmetic.blocks(), half_[side(from, node)]);
    const std::uint32_t branch = tree.branch_between(from, node);
    if (branch != node && node >= task.tree.leaves) return;  // the other side sets them
    transitions_[branch] = arithmetic.transitions(length);
    half_transitions_[branch] = arithmetic.transitions(length / 2);
  });
  std::vector<double> sites;
  total_ = tree.total(&sites);
  for (std::size_t c = 0; c < sites.size(); ++c) {
    if (task.patterns.weights[c] == 0) continue;
    totals_[c / ACCORD_PATTERN_BLOCK] += task.patterns.weights[c] * sites[c];
  }
}

}  // namespace accord::host
