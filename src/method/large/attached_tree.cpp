// SPDX-License-Identifier: Apache-2.0
#include "method/large/attached_tree.hpp"

#include <algorithm>
#include <tuple>

namespace accord {
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
