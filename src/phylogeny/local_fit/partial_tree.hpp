// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "phylogeny/local_fit/local_fit.hpp"
#include "phylogeny/local_fit/partial_arithmetic.hpp"

namespace accord::host {

/// A tree with the partial likelihoods on both sides of each branch. A branch has the number of the
/// node below it. The two branches at the root are one, with the number of the root's left child.
class PartialTree {
 public:
  /// Begins with the lengths of the task, moved into its range, and computes the partial
  /// likelihoods of the lower sides, so that sweep() and total() can be called at once. Both
  /// arguments must outlive this object.
  PartialTree(const PartialArithmetic& arithmetic, const LocalFitTask& task);

  /// Fits the length of each branch once, in turn. The ends that above(), neighbors_above() and
  /// beyond() return are valid only with a fill_above() after the last sweep.
  void sweep();
  /// Computes the partial likelihoods of the upper side of each branch above an inner node.
  void fill_above();
  /// The logarithm of the likelihood of the tree. If `sites` is not null, it receives the
  /// logarithms of all patterns.
  double total(std::vector<double>* sites = nullptr) const;

  std::uint32_t left_of_root() const { return task_.tree.left.back(); }
  std::uint32_t right_of_root() const { return task_.tree.right.back(); }
  /// The length of a branch, in substitutions per site.
  double length(std::uint32_t branch) const { return lengths_[branch]; }
  /// [node]: the length of the branch above the node. The two children of the root have half of the
  /// length of the root's branch each.
  std::vector<double> lengths() const;
  /// The two sides of a branch. above() is for branches above inner nodes. The ends that this class
  /// returns refer to the tree, which must outlive them.
  BranchEnd below(std::uint32_t branch) const { return subtree(branch); }
  BranchEnd above(std::uint32_t branch) const;

  /// A branch next to another branch, with the side of it that is away from the other branch.
  /// neighbors_below() returns the two at the lower end, which must be an inner node;
  /// neighbors_above() returns those at the upper end.
  struct Neighbor {
    std::uint32_t branch;
    BranchEnd end;
  };
  std::array<Neighbor, 2> neighbors_below(std::uint32_t branch) const;
  std::array<Neighbor, 2> neighbors_above(std::uint32_t branch) const;

  /// The three neighbours of an inner node in the unrooted tree, which has every node but the root:
  /// its left child, its right child, and the neighbour above it.
  std::array<std::uint32_t, 3> around(std::uint32_t node) const;
  /// The branch between two neighbours in the unrooted tree.
  std::uint32_t branch_between(std::uint32_t a, std::uint32_t b) const;
  double length_between(std::uint32_t a, std::uint32_t b) const {
    return lengths_[branch_between(a, b)];
  }
  /// Whether `from` is a child of `node`. Neither end of the root's branch is below the other.
  bool is_below(std::uint32_t from, std::uint32_t node) const { return parent_[from] == node; }
  /// The side of the branch between two neighbours on which `node` is, with all nodes behind it. If
  /// `from` is below `node`, it must be an inner node.
  BranchEnd beyond(std::uint32_t from, std::uint32_t node) const;

 private:
  BranchEnd subtree(std::uint32_t node) const;
  std::uint32_t child(std::uint32_t node, int side) const;
  bool is_inner(std::uint32_t node) const { return node >= task_.tree.leaves; }
  void fill_below();
  void fit_branch(std::uint32_t branch, const BranchEnd& a, const BranchEnd& b);
  /// A node whose branches below are being fitted.
  struct Visit {
    enum class Next { first, second, join };  ///< the branches to the children, then the node
    std::uint32_t node;
    std::size_t depth;  ///< the number of branches between the node and that of sweep_below()
    Next next;
  };
  /// Fits all branches below a node. A tree may be a chain of all its leaves, so that the visits
  /// stand in a vector: recursion would overflow the stack.
  void sweep_below(std::uint32_t node);
  /// Does the next step of the last visit, which ends the visit or may add one for a child.
  void go_on(Visit& visit);
  /// Fits the branch from the node of a visit to a child. `other` is the message of the other
  /// child. An inner child gets a visit.
  void fit_child(const Visit& visit, std::uint32_t branch, PartialArithmetic::Message& other);
  /// Sets the message of a subtree beyond the branch above it.
  void set_from_below(std::uint32_t branch, PartialArithmetic::Message& message);
  void set_from_above(std::uint32_t node, PartialArithmetic::Message& message);

  const PartialArithmetic& arithmetic_;
  const LocalFitTask& task_;
  std::vector<double> lengths_;  ///< by branch
  std::vector<std::uint32_t> parent_;
  std::vector<Partials> below_, above_;  ///< of inner nodes, from the first join on
  Partials above_tip_;
  PartialArithmetic::Meeting meeting_;
  /// Messages at a node that are used twice while its branches are fitted.
  struct Level {
    PartialArithmetic::Message from_above, from_first;
  };
  std::vector<Level> levels_;  ///< by depth, the last one for all that are deeper
  /// Whether the messages of a visit survive the visits of the children.
  bool keeps_level(const Visit& visit) const { return visit.depth + 1 < levels_.size(); }
  Level& level_of(const Visit& visit) {
    return levels_[keeps_level(visit) ? visit.depth : levels_.size() - 1];
  }
  std::vector<Visit> visits_;  ///< from the node of sweep_below() down
  PartialArithmetic::Message from_second_;
};

}  // namespace accord::host
