// SPDX-License-Identifier: Apache-2.0
#include "phylogeny/regraft.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace accord {
namespace {

/// An unrooted tree: for each node its neighbors, with the lengths of the branches to them. The
/// root is no node, but the tree knows the branch on which it is.
class UnrootedTree {
 public:
  explicit UnrootedTree(const TreeWithModel& state)
      : leaves_(state.tree.leaves), branches_(state.tree.nodes() - 1) {
    const GuideTree& tree = state.tree;
    for (std::uint32_t join = 0; join + 1 < tree.left.size(); ++join) {
      for (const std::uint32_t child : {tree.left[join], tree.right[join]}) {
        connect(leaves_ + join, child, state.lengths[child]);
      }
    }
    root_ = {tree.left.back(), tree.right.back()};
    connect(root_[0], root_[1], state.lengths[root_[0]] + state.lengths[root_[1]]);
  }

  /// Moves a subtree, unless other regrafts have changed what this one was found for.
  void apply(const Regraft& move) {
    const auto [a, b] = move.sides;
    if (!is_branch(move.node, move.subtree) || !is_branch(a, b)) return;
    if (a == move.node || b == move.node || is_beyond(move.node, move.subtree, a)) return;
    std::vector<std::pair<std::uint32_t, double>> left = branches_[move.node];
    std::erase_if(left, [&](const auto& branch) { return branch.first == move.subtree; });
    const std::array<std::uint32_t, 2> ends = {left[0].first, left[1].first};
    for (const std::uint32_t end : ends) cut(move.node, end);
    // As long as branches may be, as it was when the regraft was found.
    connect(ends[0], ends[1], std::min(left[0].second + left[1].second, kLongestBranch));
    if (is_root_at(move.node, ends[0]) || is_root_at(move.node, ends[1])) root_ = ends;
    cut(a, b);
    if (is_root_at(a, b)) root_ = {a, move.node};
    connect(a, move.node, move.lengths[1]);
    connect(b, move.node, move.lengths[2]);
    cut(move.node, move.subtree);
    connect(move.node, move.subtree, move.lengths[0]);
  }

  /// The tree with its root in the middle of its branch, joins numbered from the leaves on; the new
  /// numbers of the nodes.
  std::vector<std::uint32_t> put(TreeWithModel& state) const {
    GuideTree& tree = state.tree;
    tree.left.clear();
    tree.right.clear();
    state.lengths.assign(2 * std::size_t{leaves_} - 1, 0.0);
    const double at_root = length_of(root_[0], root_[1]) / 2;
    std::vector<std::uint32_t> numbers(state.lengths.size());
    numbers.back() = static_cast<std::uint32_t>(numbers.size() - 1);
    const std::uint32_t left = add(root_[0], root_[1], state, numbers);
    const std::uint32_t right = add(root_[1], root_[0], state, numbers);
    state.lengths[left] = state.lengths[right] = at_root;
    tree.left.push_back(left);
    tree.right.push_back(right);
    return numbers;
  }

 private:
  struct Visit {
    std::uint32_t node, from;
    std::vector<std::uint32_t> children;  ///< the added ones, by their new numbers
    std::size_t next = 0;                 ///< branch to look at
  };

  /// Adds the joins of `top` and all that lies beyond it, seen from `from`; its new number.
  std::uint32_t add(std::uint32_t top, std::uint32_t from, TreeWithModel& state,
                    std::vector<std::uint32_t>& numbers) const {
    std::vector<Visit> path;
    path.push_back({top, from, {}, 0});
    std::uint32_t number = 0;
    while (!path.empty()) {
      Visit& visit = path.back();
      const auto& around = branches_[visit.node];
      if (visit.next < around.size()) {
        const std::uint32_t other = around[visit.next++].first;
        if (other != visit.from) path.push_back({other, visit.node, {}, 0});
        continue;
      }
      number = visit.node;
      if (visit.node >= leaves_) {
        number = leaves_ + static_cast<std::uint32_t>(state.tree.left.size());
        state.tree.left.push_back(visit.children[0]);
        state.tree.right.push_back(visit.children[1]);
      }
      const std::uint32_t node = visit.node, parent = visit.from;
      numbers[node] = number;
      path.pop_back();
      if (path.empty()) break;
      path.back().children.push_back(number);
      state.lengths[number] = length_of(node, parent);
    }
    return number;
  }

  void connect(std::uint32_t a, std::uint32_t b, double length) {
    branches_[a].emplace_back(b, length);
    branches_[b].emplace_back(a, length);
  }
  void cut(std::uint32_t a, std::uint32_t b) {
    std::erase_if(branches_[a], [&](const auto& branch) { return branch.first == b; });
    std::erase_if(branches_[b], [&](const auto& branch) { return branch.first == a; });
  }
  double length_of(std::uint32_t a, std::uint32_t b) const {
    for (const auto& [node, length] : branches_[a]) {
      if (node == b) return length;
    }
    return 0;
  }
  bool is_branch(std::uint32_t a, std::uint32_t b) const {
    return std::any_of(branches_[a].begin(), branches_[a].end(),
                       [&](const auto& branch) { return branch.first == b; });
  }
  bool is_root_at(std::uint32_t a, std::uint32_t b) const {
    return root_ == std::array{a, b} || root_ == std::array{b, a};
  }
  /// Whether `node` lies beyond the branch from `from` to `first`.
  bool is_beyond(std::uint32_t from, std::uint32_t first, std::uint32_t node) const {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> open = {{first, from}};
    while (!open.empty()) {
      const auto [at, before] = open.back();
      open.pop_back();
      if (at == node) return true;
      for (const auto& [other, length] : branches_[at]) {
        if (other != before) open.emplace_back(other, at);
      }
    }
    return false;
  }

  std::uint32_t leaves_;
  std::vector<std::vector<std::pair<std::uint32_t, double>>> branches_;
  std::array<std::uint32_t, 2> root_{};
};

}  // namespace

TreeWithModel regrafted(const TreeWithModel& state, std::span<const Regraft> regrafts,
                        std::vector<std::uint32_t>* number) {
  UnrootedTree tree(state);
  for (const Regraft& regraft : regrafts) tree.apply(regraft);
  TreeWithModel changed = state;
  std::vector<std::uint32_t> numbers = tree.put(changed);
  if (number != nullptr) *number = std::move(numbers);
  return changed;
}

}  // namespace accord
