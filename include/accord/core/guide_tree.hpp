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
/// Keeps   children before parents, every node but the root is a child exactly once.
struct GuideTree {
  std::uint32_t leaves = 0;
  std::vector<std::uint32_t> left;   ///< leaves - 1 node numbers
  std::vector<std::uint32_t> right;  ///< leaves - 1 node numbers
  std::vector<float> length;         ///< branch to the parent, one per node; 0 for the root

  std::uint32_t nodes() const { return leaves + static_cast<std::uint32_t>(left.size()); }
};

/// Whether two trees are the same, lengths bit by bit.
inline bool same_bytes(const GuideTree& a, const GuideTree& b) {
  return a.leaves == b.leaves && a.left == b.left && a.right == b.right &&
         a.length.size() == b.length.size() &&
         std::memcmp(a.length.data(), b.length.data(), a.length.size() * sizeof(float)) == 0;
}

}  // namespace accord
