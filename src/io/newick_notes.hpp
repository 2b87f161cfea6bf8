// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/guide_tree.hpp"

namespace accord {

/// The notes of a Newick text on the nodes of a tree, beside shape, lengths and names of leaves, in
/// the form in which they are written. Comments have their brackets.
struct NewickNotes {
  std::string head;                 ///< comments above the tree
  std::vector<std::string> labels;  ///< one per node: of inner nodes with quotes, and comments
  std::vector<std::string> tails;   ///< one per node: comments behind its length
  std::vector<bool> is_inserted;    ///< one per node: a join that is not in the text
  std::optional<double> root_length;
  std::size_t lost = 0;  ///< nodes with a label or a comment that are gone
};

/// The notes of the nodes of another tree of the same leaves: those of nodes above the same leaves.
NewickNotes moved_notes(const NewickNotes& notes, const GuideTree& from, const GuideTree& to);

/// Warns of nodes whose labels and comments are gone; `label` names the tree.
void warn_of_lost(const NewickNotes& notes, const std::string& label);

/// The label of a node as it is written, in quotes if it needs them.
std::string written_label(std::string_view label);

}  // namespace accord
