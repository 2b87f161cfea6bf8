// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "core/guide_tree.hpp"

namespace accord {

/// Sum of the weights of the sequences of a group, about.
constexpr std::uint32_t kGroupWeight = 1024;

/// A division of the sequences at a branch of the unrooted tree.
struct BranchSplit {
  std::vector<std::uint32_t> first, second;  ///< sequences of the two groups, increasing
  std::vector<std::uint32_t> weights;        ///< one per sequence, at least 1
};

/// Weights of real numbers, in integers: about kGroupWeight in all, each at least 1.
/// `weights` are those of all sequences; those of `group` are written to `scaled`.
void scale_weights(std::span<const double> weights, std::span<const std::uint32_t> group,
                   std::span<std::uint32_t> scaled);

/// The splits at the 2 N - 3 branches of the tree without its root, each with the three-way weights
/// of its groups: the part of the tree that a sequence represents, seen from the branch.
///
/// The two branches at the root are one. Only +, *, / and square roots are used, which are rounded
/// alike everywhere.
/// Reference  Gotoh 1995, Comput Appl Biosci 11:543 (three-way method).
class BranchSplits {
 public:
  explicit BranchSplits(const GuideTree& tree);

  std::size_t size() const { return branches_.size(); }
  /// Split number k; the first group has sequence 0.
  /// Cost    O(N)
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
  std::vector<std::vector<End>> at_node_;     // neighbours
  std::vector<std::uint32_t> branches_;       // edges, in the order of their lower nodes
  std::vector<std::uint32_t> low_, high_;     // nodes of an edge
  std::vector<double> length_, weight_;       // of an edge
  std::vector<double> from_low_, from_high_;  // of an edge: synthetic length of a side, with it
};

}  // namespace accord
