// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "align/profile_scores.hpp"
#include "core/guide_tree.hpp"
#include "core/msa.hpp"
#include "core/posterior_set.hpp"

namespace accord {

/// Aligns a family along its guide tree: the profiles of the children of each join are aligned
/// with each other, gaps go into whole profiles.
///
/// `weights` and `lengths` have one element per sequence. Uses thread_count() threads; the result
/// does not depend on their number.
/// Throws  Error{internal} if the arguments are of different sizes.
/// Cost    each pair of sequences is added up once: N^2 / 2 L r additions for r cells per row.
/// Reference  Liu et al. 2010, Bioinformatics 26:1958, section 2.5.
Msa progressive_align(const PosteriorSet& posteriors, const GuideTree& tree,
                      std::span<const std::uint32_t> weights,
                      std::span<const std::uint32_t> lengths);

/// The leaves of a tree in an order in which the leaves of every node are adjacent.
struct LeafOrder {
  std::vector<std::uint32_t> leaves;
  std::vector<std::uint32_t> first;  ///< one per node: where its leaves begin
  std::vector<std::uint32_t> count;  ///< one per node: how many leaves it has

  /// The leaves of a node.
  std::span<const std::uint32_t> of(std::uint32_t node) const {
    return std::span(leaves).subspan(first[node], count[node]);
  }
};

/// Leaf order of a tree, those of the left child first. No recursion.
LeafOrder leaf_order(const GuideTree& tree);

/// Joins that depend on no other join of the same level, level by level.
std::vector<std::vector<std::uint32_t>> levels_of(const GuideTree& tree);

}  // namespace accord
