// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "core/guide_tree.hpp"

namespace accord {

/// Approximate sum of the integer weights of a group. The sum is larger in a group of many
/// sequences, since each weight is at least 1.
constexpr std::uint32_t kGroupWeight = 1024;

/// A division of the sequences into two groups, at a branch of the unrooted tree.
struct BranchSplit {
  std::vector<std::uint32_t> first, second;  ///< sequences of the two groups, increasing
  std::vector<std::uint32_t> weights;        ///< one per sequence, at least 1
};

/// Converts the weights of the sequences of `group` to integers of at least 1, with a sum of about
/// kGroupWeight. `weights` and `scaled` have one element per sequence of the family; other elements
/// of `scaled` are kept.
void scale_weights(std::span<const double> weights, std::span<const std::uint32_t> group,
                   std::span<std::uint32_t> scaled);

/// The splits at the 2 N - 3 branches of the unrooted tree. Each sequence has a three-way weight:
/// the part of the tree that it represents in its group, seen from the branch.
///
/// The two branches at the root are one. Weights are computed with +, *, / and square roots only,
/// which every platform rounds alike.
/// Reference  Gotoh 1995, Comput Appl Biosci 11:543 (three-way method).
class BranchSplits {
 public:
  /// Finds the branches and their weights. The tree may have heights or branch lengths, and need
  /// not outlive this object.
  explicit BranchSplits(const GuideTree& tree);

  /// The number of splits; 0 for a tree of one leaf.
  std::size_t size() const { return branches_.size(); }
  /// Split k, from 0; the first group contains sequence 0.
  /// Cost    O(N log N)
  BranchSplit at(std::size_t k) const;

 private:
  struct End {
    std::uint32_t node, edge;
  };
  double resistance(std::uint32_t node, std::uint32_t edge) const;
  double node_weight(std::uint32_t node, std::uint32_t edge) const;
  void add_edge(std::uint32_t a, std::uint32_t b, double length);
  void find_resistances(std::uint32_t root);
  void collect(std::uint32_t node, std::uint32_t edge, std::vector<std::uint32_t>& leaves,
               std::vector<double>& weights) const;

  std::uint32_t leaves_;
  std::vector<std::vector<End>> at_node_;     // [node] neighbours
  std::vector<std::uint32_t> branches_;       // edges, ordered by their lower node
  std::vector<std::uint32_t> low_, high_;     // [edge] its two nodes
  std::vector<double> length_, weight_;       // [edge]
  std::vector<double> from_low_, from_high_;  // [edge] synthetic length of each side, with the edge
};

}  // namespace accord
