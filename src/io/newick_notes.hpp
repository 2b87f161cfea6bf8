// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/guide_tree.hpp"

namespace accord {

/// The notes of a Newick text about the nodes of a tree, besides shape, lengths and names of
/// leaves, in written form. Comments include their brackets.
struct NewickNotes {
  std::string head;                 ///< comments above the tree
  std::vector<std::string> labels;  ///< one per node: label of an inner node, quoted, and comments
  std::vector<std::string> tails;   ///< one per node: comments behind its length
  std::vector<bool> is_inserted;    ///< one per node: whether the text lacks this join
  std::optional<double> root_length;
  std::size_t lost = 0;  ///< nodes whose label or comment was lost
};

/// Moves notes to another tree with the same leaves: from each node to the node above the same
/// leaves.
NewickNotes moved_notes(const NewickNotes& notes, const GuideTree& from, const GuideTree& to);

/// Warns of nodes whose labels and comments were lost; `label` names the tree.
void warn_of_lost(const NewickNotes& notes, const std::string& label);

/// The label of a node in written form, in quotes if necessary.
std::string written_label(std::string_view label);

}  // namespace accord
