// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/guide_tree.hpp"

namespace accord {

/// A sequence that a tree lacks, and the leaf of the tree that is nearest to it.
struct Attachment {
  std::uint32_t sequence;  ///< its leaf in the new tree
  std::uint32_t leaf;      ///< leaf of the old tree
  float distance;          ///< of the sequence from that leaf, in the unit of branch lengths
};

/// A tree with branch lengths that grows by joins, numbered in their order.
class GrowingTree {
 public:
  /// Begins with the leaves alone.
  explicit GrowingTree(std::size_t leaves) {
    tree_.leaves = static_cast<std::uint32_t>(leaves);
    tree_.length.assign(leaves, 0.0f);
  }

  /// Returns  the new node.
  std::uint32_t join(std::uint32_t left, double left_length, std::uint32_t right,
                     double right_length) {
    tree_.left.push_back(left);
    tree_.right.push_back(right);
    tree_.length[left] = left_length;
    tree_.length[right] = right_length;
    tree_.length.push_back(0.0f);
    return tree_.nodes() - 1;
  }

  /// The tree, after the last join; the object cannot be used afterwards.
  GuideTree finish() { return std::move(tree_); }

 private:
  GuideTree tree_;
};

/// Adds leaves to a tree. Each attached sequence is joined with its leaf and the sequences attached
/// to that leaf before, the nearest first; ties go to the lower index. Both branches of such a join
/// are half the distance, as in upgma().
///
/// `tree` may have heights; the result has branch lengths. `members`: the new number of each leaf
/// of `tree`. The members and the attached sequences are the leaves 0 ... `leaves` - 1 of the new
/// tree, each once.
GuideTree attached_tree(const GuideTree& tree, std::span<const std::uint32_t> members,
                        std::vector<Attachment> attachments, std::size_t leaves);

}  // namespace accord
