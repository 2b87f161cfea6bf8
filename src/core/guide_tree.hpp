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
  /// Branch to the parent, one per node; 0 for the root. Trees that were computed from distances
  /// have lengths of single precision.
  std::vector<double> length;
  /// `length` is the height of the parent instead, the same for both of its children: sequence
  /// weights of average linkage rest on it. What is written has branch lengths.
  bool has_heights = false;

  std::uint32_t nodes() const { return leaves + static_cast<std::uint32_t>(left.size()); }
};

/// The tree with lengths of branches in place of heights, if it has these: paths between leaves of
/// a UPGMA tree then add up to the mean distances of their clusters.
GuideTree with_branch_lengths(GuideTree tree);

/// The tree with heights, if all of its leaves are equally far from the root (to 1e-4 of the
/// distance), as those of a UPGMA tree are; else as it stands.
GuideTree with_heights(GuideTree tree);

/// The tree with its lengths rounded to single precision, which alignments are computed with.
GuideTree in_single_precision(GuideTree tree);

/// Whether two trees are the same, lengths bit by bit.
inline bool same_bytes(const GuideTree& a, const GuideTree& b) {
  return a.leaves == b.leaves && a.left == b.left && a.right == b.right &&
         a.has_heights == b.has_heights && a.length.size() == b.length.size() &&
         (a.length.empty() ||
          std::memcmp(a.length.data(), b.length.data(), a.length.size() * sizeof(double)) == 0);
}

}  // namespace accord
