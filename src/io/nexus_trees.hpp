// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>

namespace accord {

/// The first tree of a NEXUS text.
struct NexusTree {
  std::size_t begin = 0;                               ///< place of its Newick text
  std::size_t count = 0;                               ///< trees in the text
  std::unordered_map<std::string, std::string> names;  ///< of the labels that are translated
};

/// Finds the trees of the trees block of a NEXUS text; `label` names it in messages.
/// Throws  Error{bad_input} if there is none, or if the text is cut off.
NexusTree find_nexus_tree(std::string_view text, const std::string& label);

}  // namespace accord
