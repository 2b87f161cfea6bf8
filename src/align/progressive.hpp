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

/// Aligns a family along its guide tree. Each join aligns the profiles of its two children. It puts
/// a gap into all sequences of a profile at the same place.
///
/// `posteriors` must have all pairs of the family. `weights` and `lengths`, in residues, have one
/// element per sequence, in canonical order. Uses thread_count() threads; the result does not
/// depend on their number.
/// Throws  Error{internal} if the arguments are of different sizes.
/// Cost    N^2 / 2 L r additions for N sequences of L residues and r cells per row of a posterior
///         matrix: each pair of sequences is added once.
/// Reference  Liu et al. 2010, Bioinformatics 26:1958, section 2.5.
Msa progressive_align(const PosteriorSet& posteriors, const GuideTree& tree,
                      std::span<const std::uint32_t> weights,
                      std::span<const std::uint32_t> lengths);

/// The leaves of a tree, ordered so that the leaves of every node are adjacent.
struct LeafOrder {
  std::vector<std::uint32_t> leaves;
  std::vector<std::uint32_t> first;  ///< one per node: offset of its leaves
  std::vector<std::uint32_t> count;  ///< one per node: number of its leaves

  /// The leaves of a node.
  std::span<const std::uint32_t> of(std::uint32_t node) const {
    return std::span(leaves).subspan(first[node], count[node]);
  }
};

/// The leaf order in which the leaves of a left child come before those of the right child. The
/// function does not recurse, so that a deep tree needs no deep stack.
LeafOrder leaf_order(const GuideTree& tree);

/// Divides the joins of a tree into levels, so that a join depends only on joins of earlier levels.
/// Returns the joins of each level, as indices of GuideTree::left.
std::vector<std::vector<std::uint32_t>> levels_of(const GuideTree& tree);

}  // namespace accord
