// SPDX-License-Identifier: Apache-2.0
#include "stages/local_fit/partial_tree.hpp"

#include <algorithm>

namespace accord::host {

PartialTree::PartialTree(const PartialArithmetic& arithmetic, const LocalFitTask& task)
    : arithmetic_(arithmetic),
      task_(task),
      lengths_(task.lengths.begin(), task.lengths.end()),
      parent_(task.tree.nodes(), task.tree.nodes() - 1),
      below_(task.tree.left.size()),
      above_(task.tree.left.size()) {
  lengths_[left_of_root()] += lengths_[right_of_root()];
  for (double& length : lengths_) length = std::clamp(length, task.shortest, task.longest);
  for (std::uint32_t join = 0; join < task.tree.left.size(); ++join) {
    parent_[task.tree.left[join]] = parent_[task.tree.right[join]] = task.tree.leaves + join;
  }
  fill_below();
  fill_above();
}

std::uint32_t PartialTree::child(std::uint32_t node, int side) const {
  const std::uint32_t join = node - task_.tree.leaves;
  return side == 0 ? task_.tree.left[join] : task_.tree.right[join];
}

BranchEnd PartialTree::subtree(std::uint32_t node) const {
  if (!is_inner(node)) return {nullptr, node};
  return {&below_[node - task_.tree.leaves]};
}

BranchEnd PartialTree::above(std::uint32_t branch) const {
  if (branch == left_of_root()) return subtree(right_of_root());
  return {&above_[branch - task_.tree.leaves]};
}

std::array<PartialTree::Neighbor, 2> PartialTree::neighbors_below(std::uint32_t branch) const {
  const std::uint32_t a = child(branch, 0), b = child(branch, 1);
  return {Neighbor{a, subtree(a)}, Neighbor{b, subtree(b)}};
}

std::array<PartialTree::Neighbor, 2> PartialTree::neighbors_above(std::uint32_t branch) const {
  const std::uint32_t left = left_of_root(), right = right_of_root();
  if (branch == left) return neighbors_below(right);
  const std::uint32_t parent = parent_[branch];
  const std::uint32_t sister = child(parent, child(parent, 0) == branch ? 1 : 0);
  // Seen from the right of the root's branch, its left is above.
  const Neighbor beyond =
      parent == right ? Neighbor{left, subtree(left)} : Neighbor{parent, above(parent)};
  return {Neighbor{sister, subtree(sister)}, beyond};
}

void PartialTree::set_below(std::uint32_t node) {
  const auto [a, b] = neighbors_below(node);
  arithmetic_.join(a.end, lengths_[a.branch], b.end, lengths_[b.branch],
                   below_[node - task_.tree.leaves]);
}

void PartialTree::set_above(std::uint32_t branch, Partials& out) {
  const auto [a, b] = neighbors_above(branch);
  arithmetic_.join(a.end, lengths_[a.branch], b.end, lengths_[b.branch], out);
}

void PartialTree::fill_below() {
  for (std::uint32_t node = task_.tree.leaves; node + 1 < task_.tree.nodes(); ++node) {
    set_below(node);
  }
}

void PartialTree::fill_above() {
  for (std::uint32_t node = task_.tree.nodes() - 1; node-- > task_.tree.leaves;) {
    if (node == left_of_root() || node == right_of_root()) continue;
    set_above(node, above_[node - task_.tree.leaves]);
  }
}

void PartialTree::fit_branch(std::uint32_t branch, const BranchEnd& a, const BranchEnd& b) {
  arithmetic_.meet(a, b, meeting_);
  lengths_[branch] = arithmetic_.best_length(meeting_, lengths_[branch]);
}

void PartialTree::sweep_below(std::uint32_t node) {
  for (int side = 0; side < 2; ++side) {
    const std::uint32_t branch = child(node, side);
    Partials& above = is_inner(branch) ? above_[branch - task_.tree.leaves] : above_tip_;
    set_above(branch, above);
    fit_branch(branch, {&above}, subtree(branch));
    if (is_inner(branch)) sweep_below(branch);
  }
  set_below(node);
}

void PartialTree::sweep() {
  const std::uint32_t left = left_of_root(), right = right_of_root();
  fit_branch(left, subtree(left), subtree(right));
  if (is_inner(left)) sweep_below(left);
  if (is_inner(right)) sweep_below(right);
  fill_above();
}

double PartialTree::total(std::vector<double>* sites) const {
  PartialArithmetic::Meeting meeting;
  arithmetic_.meet(subtree(left_of_root()), subtree(right_of_root()), meeting);
  return arithmetic_.total(meeting, lengths_[left_of_root()], sites);
}

std::array<std::uint32_t, 3> PartialTree::around(std::uint32_t node) const {
  const std::uint32_t left = left_of_root(), right = right_of_root();
  const std::uint32_t other = node == left ? right : node == right ? left : parent_[node];
  return {child(node, 0), child(node, 1), other};
}

double PartialTree::length_between(std::uint32_t a, std::uint32_t b) const {
  if (parent_[a] == b) return lengths_[a];
  if (parent_[b] == a) return lengths_[b];
  return lengths_[left_of_root()];
}

BranchEnd PartialTree::beyond(std::uint32_t from, std::uint32_t node) const {
  return parent_[from] == node ? above(from) : subtree(node);
}

std::vector<double> PartialTree::lengths() const {
  std::vector<double> found = lengths_;
  found[left_of_root()] /= 2;
  found[right_of_root()] = found[left_of_root()];
  found.back() = 0;
  return found;
}

}  // namespace accord::host
