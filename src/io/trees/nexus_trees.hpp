// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>

namespace accord {

/// The first tree of a NEXUS text.
struct NexusTree {
  std::size_t begin = 0;  ///< offset of its Newick text in the NEXUS text, in bytes
  std::size_t count = 0;  ///< number of trees in the text
  /// The name for each label that the text translates: a key of `translate` or a number of a taxon.
  std::unordered_map<std::string, std::string> names;
};

/// Finds the first tree in the trees block of a NEXUS text; `label` names the text in messages.
/// Throws  Error{bad_input} if there is no tree, or if the text is cut off.
NexusTree find_nexus_tree(std::string_view text, const std::string& label);

}  // namespace accord
