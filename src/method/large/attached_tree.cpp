// SPDX-License-Identifier: Apache-2.0
#include "method/large/attached_tree.hpp"

#include <algorithm>
#include <tuple>

namespace accord {
namespace {

/// A tree that grows by joins.
class GrowingTree {
 public:
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

  GuideTree finish() { return std::move(tree_); }

 private:
  GuideTree tree_;
};

}  // namespace

GuideTree attached_tree(const GuideTree& tree, std::span<const std::uint32_t> members,
                        std::vector<Attachment> attachments, std::size_t leaves) {
  std::sort(attachments.begin(), attachments.end(), [](const Attachment& a, const Attachment& b) {
    return std::tie(a.leaf, a.distance, a.sequence) < std::tie(b.leaf, b.distance, b.sequence);
  });
  GrowingTree grown(leaves);
  std::vector<std::uint32_t> node(members.begin(), members.end());  // new number of each old node
  for (const Attachment& attached : attachments) {
    const float half = attached.distance / 2;
    node[attached.leaf] = grown.join(node[attached.leaf], half, attached.sequence, half);
  }
  const std::vector<double> length = with_branch_lengths(tree).length;
  for (std::size_t k = 0; k < tree.left.size(); ++k) {
    const std::uint32_t left = tree.left[k], right = tree.right[k];
    node.push_back(grown.join(node[left], length[left], node[right], length[right]));
  }
  return grown.finish();
}

}  // namespace accord
