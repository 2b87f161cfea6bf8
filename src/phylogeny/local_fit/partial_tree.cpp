// SPDX-License-Identifier: Apache-2.0
#include "phylogeny/local_fit/partial_tree.hpp"

#include <algorithm>

namespace accord::host {

PartialTree::PartialTree(const PartialArithmetic& arithmetic, const LocalFitTask& task)
    : arithmetic_(arithmetic),
      task_(task),
      lengths_(task.lengths.begin(), task.lengths.end()),
      parent_(task.tree.nodes(), task.tree.nodes() - 1),
      below_(task.tree.left.size()),
      above_(task.tree.left.size()),
      levels_(std::min(task.tree.leaves, kPartialTreeLevels)) {
  lengths_[left_of_root()] += lengths_[right_of_root()];
  for (double& length : lengths_) length = std::clamp(length, task.shortest, task.longest);
  for (std::uint32_t join = 0; join < task.tree.left.size(); ++join) {
    parent_[task.tree.left[join]] = parent_[task.tree.right[join]] = task.tree.leaves + join;
  }
  fill_below();
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

void PartialTree::set_from_below(std::uint32_t branch, PartialArithmetic::Message& message) {
  arithmetic_.set(subtree(branch), lengths_[branch], message);
}

void PartialTree::set_from_above(std::uint32_t node, PartialArithmetic::Message& message) {
  // Seen from the right of the root's branch, its left is above.
  if (node == right_of_root()) return set_from_below(left_of_root(), message);
  arithmetic_.set(above(node), lengths_[node], message);
}

void PartialTree::fill_below() {
  for (std::uint32_t node = task_.tree.leaves; node + 1 < task_.tree.nodes(); ++node) {
    set_from_below(child(node, 0), levels_.back().from_first);
    set_from_below(child(node, 1), from_second_);
    arithmetic_.join(levels_.back().from_first, from_second_, below_[node - task_.tree.leaves]);
  }
}

void PartialTree::fill_above() {
  Level& level = levels_.back();
  for (std::uint32_t node = task_.tree.nodes() - 1; node-- > task_.tree.leaves;) {
    const std::uint32_t first = child(node, 0), second = child(node, 1);
    if (!is_inner(first) && !is_inner(second)) continue;
    set_from_above(node, level.from_above);
    if (is_inner(first)) {
      set_from_below(second, from_second_);
      arithmetic_.join(level.from_above, from_second_, above_[first - task_.tree.leaves]);
    }
    if (is_inner(second)) {
      set_from_below(first, level.from_first);
      arithmetic_.join(level.from_above, level.from_first, above_[second - task_.tree.leaves]);
    }
  }
}

void PartialTree::fit_branch(std::uint32_t branch, const BranchEnd& a, const BranchEnd& b) {
  arithmetic_.meet(a, b, meeting_);
  lengths_[branch] = arithmetic_.best_length(meeting_, lengths_[branch]);
}

void PartialTree::fit_child(const Visit& visit, std::uint32_t branch,
                            PartialArithmetic::Message& other) {
  Partials& above = is_inner(branch) ? above_[branch - task_.tree.leaves] : above_tip_;
  arithmetic_.join(level_of(visit).from_above, other, above);
  fit_branch(branch, {&above}, subtree(branch));
  if (is_inner(branch)) visits_.push_back({branch, visit.depth + 1, Visit::Next::first});
}

void PartialTree::go_on(Visit& visit) {
  const Visit here = visit;  // fit_child() adds visits, which moves the others
  const bool keeps = keeps_level(here);
  Level& level = level_of(here);
  const std::uint32_t first = child(here.node, 0), second = child(here.node, 1);
  switch (here.next) {
    case Visit::Next::first:
      visit.next = Visit::Next::second;
      set_from_above(here.node, level.from_above);
      set_from_below(second, from_second_);
      return fit_child(here, first, from_second_);
    case Visit::Next::second:
      visit.next = Visit::Next::join;
      if (!keeps && is_inner(first)) set_from_above(here.node, level.from_above);
      set_from_below(first, level.from_first);
      return fit_child(here, second, level.from_first);
    case Visit::Next::join:
      visits_.pop_back();
      if (!keeps && is_inner(second)) set_from_below(first, level.from_first);
      set_from_below(second, from_second_);
      return arithmetic_.join(level.from_first, from_second_,
                              below_[here.node - task_.tree.leaves]);
  }
}

void PartialTree::sweep_below(std::uint32_t node) {
  visits_.push_back({node, 0, Visit::Next::first});
  while (!visits_.empty()) go_on(visits_.back());
}

void PartialTree::sweep() {
  const std::uint32_t left = left_of_root(), right = right_of_root();
  fit_branch(left, subtree(left), subtree(right));
  if (is_inner(left)) sweep_below(left);
  if (is_inner(right)) sweep_below(right);
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

std::uint32_t PartialTree::branch_between(std::uint32_t a, std::uint32_t b) const {
  if (parent_[a] == b) return a;
  if (parent_[b] == a) return b;
  return left_of_root();
}

BranchEnd PartialTree::beyond(std::uint32_t from, std::uint32_t node) const {
  return is_below(from, node) ? above(from) : subtree(node);
}

std::vector<double> PartialTree::lengths() const {
  std::vector<double> found = lengths_;
  found[left_of_root()] /= 2;
  found[right_of_root()] = found[left_of_root()];
  found.back() = 0;
  return found;
}

}  // namespace accord::host
