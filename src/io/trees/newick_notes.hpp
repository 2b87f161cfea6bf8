// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/guide_tree.hpp"

namespace accord {

/// The parts of a Newick text besides shape, lengths and names of leaves. Labels are as
/// written_label() makes them. Comments are as in the text, with their brackets.
struct NewickNotes {
  std::string head;                   ///< comments above the tree
  std::vector<std::string> labels;    ///< [node]: label of an inner node, quoted, and comments
  std::vector<std::string> tails;     ///< [node]: comments behind the length of its branch
  std::vector<bool> is_inserted;      ///< [node]: whether the node is a join that the text lacks
  std::optional<double> root_length;  ///< length of the branch above the root, if the text has one
  std::size_t lost = 0;               ///< number of nodes whose label or comment was lost
};

/// Returns the notes for another tree with the same leaves; `notes` are those of `from`. The notes
/// of a node of `from` go to the node of `to` that is above the same leaves; if there is none, they
/// are lost, and NewickNotes::lost counts the node.
NewickNotes moved_notes(const NewickNotes& notes, const GuideTree& from, const GuideTree& to);

/// Warns of nodes whose labels and comments were lost, if there are any; `label` names the tree.
void warn_of_lost(const NewickNotes& notes, const std::string& label);

/// The label of a node as Newick writes it: in quotes if necessary.
std::string written_label(std::string_view label);

}  // namespace accord
