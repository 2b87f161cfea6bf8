// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <cstring>
#include <vector>

namespace accord {

/// Rooted binary tree whose leaves are the sequences of a family.
///
/// Nodes 0..n-1 are the leaves (canonical sequence indices); join k creates node n + k from
/// left[k] and right[k]. The last join is the root; a tree of one leaf has no join.
/// Invariant  children before parents, every node but the root is a child exactly once.
struct GuideTree {
  std::uint32_t leaves = 0;
  std::vector<std::uint32_t> left;   ///< leaves - 1 node numbers
  std::vector<std::uint32_t> right;  ///< leaves - 1 node numbers
  /// Branch to the parent, one per node; 0 for the root. Lengths in single precision if the tree
  /// was computed from distances.
  std::vector<double> length;
  /// If true, `length` holds the height of the parent, equal for both of its children, instead of
  /// the branch length. The sequence weights of average linkage need heights. Trees are written
  /// with branch lengths.
  bool has_heights = false;

  std::uint32_t nodes() const { return leaves + static_cast<std::uint32_t>(left.size()); }
};

/// Returns the tree with branch lengths; converts heights, and leaves a tree without heights
/// unchanged. In a UPGMA tree, the path between two leaves then adds up to the mean distance of
/// their clusters.
GuideTree with_branch_lengths(GuideTree tree);

/// Returns the tree with heights if all of its leaves are equally far from the root (to 1e-4 of the
/// distance), as in a UPGMA tree; else returns it unchanged.
GuideTree with_heights(GuideTree tree);

/// Returns the tree with lengths rounded to single precision, in which alignments are computed.
GuideTree in_single_precision(GuideTree tree);

/// Whether two trees are the same, lengths bit by bit.
inline bool same_bytes(const GuideTree& a, const GuideTree& b) {
  return a.leaves == b.leaves && a.left == b.left && a.right == b.right &&
         a.has_heights == b.has_heights && a.length.size() == b.length.size() &&
         (a.length.empty() ||
          std::memcmp(a.length.data(), b.length.data(), a.length.size() * sizeof(double)) == 0);
}

}  // namespace accord
