// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "accord/base/error.hpp"

namespace accord {

/// A tree as in its text. Its leaves need not be sequences.
struct NewickText {
  struct Node {
    std::uint32_t children = 0;  ///< number of children; 0 for a leaf
    std::size_t position = 0;    ///< offset of a leaf's label in the text
    std::string label;           ///< of a leaf (in NEXUS, its translation) or of an inner node
    std::string comment, tail;   ///< comments before the length, and behind it
    double length = 0;           ///< of the branch above it; 0 if it is negative in the text
    bool has_length = false;
  };
  std::string head;  ///< comments above the tree; empty in a NEXUS text
  /// Children stand before their parent, and the root is last. The children of a node are the last
  /// `children` nodes before it that are not children of an earlier node.
  std::vector<Node> nodes;
  std::size_t negative = 0;  ///< number of negative lengths
  std::size_t trees = 1;     ///< number of trees in a NEXUS text; the first one is read
};

/// Parses the first tree of a text, in Newick or NEXUS; `label` names the text in messages. See
/// parse_newick (io/trees/newick.hpp) for the accepted forms.
/// Throws  Error{bad_input} with line and column for a syntax error, or a length that is not a
///         finite number of single precision.
/// Cost    O(text); no recursion.
NewickText read_newick_text(std::string_view text, const std::string& label);

/// An Error{bad_input} "LABEL:LINE:COLUMN: WHAT" for a position of the text, an offset in bytes.
Error newick_error(
    std::string_view text, const std::string& label, std::size_t position, const std::string& what,
    const std::string& hint = "trees are Newick, such as ((a:0.1,b:0.1):0.1,c:0.2);");

}  // namespace accord
