// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/guide_tree.hpp"

namespace accord {

/// A sequence that a tree does not have, and the leaf that it is nearest to.
struct Attachment {
  std::uint32_t sequence;  ///< leaf of the new tree
  std::uint32_t leaf;      ///< leaf of the old tree
  float distance;
};

/// The tree with more leaves: each is attached to its leaf and those that were attached to it
/// before, the nearest first, ties the lower index. Both branches of such a join are half the
/// distance, as those of upgma().
///
/// `members`: the new number of each leaf of `tree`; they and the attached sequences are the leaves
/// 0 ... `leaves` - 1, each once.
GuideTree attached_tree(const GuideTree& tree, std::span<const std::uint32_t> members,
                        std::vector<Attachment> attachments, std::size_t leaves);

}  // namespace accord
