// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "accord/base/error.hpp"

namespace accord {

/// A tree as its text has it, whatever its leaves stand for.
struct NewickText {
  struct Node {
    std::uint32_t children = 0;  ///< those that were closed last; 0 for a leaf
    std::size_t position = 0;    ///< of a leaf's label in the text
    std::string label;           ///< of a leaf, translated in NEXUS; or of an inner node
    std::string comment, tail;   ///< comments before the length, and behind it
    double length = 0;           ///< of the branch above it; a negative one is 0
    bool has_length = false;
  };
  std::string head;          ///< comments above a tree that is not in a NEXUS text
  std::vector<Node> nodes;   ///< each after its children, the root last
  std::size_t negative = 0;  ///< lengths that are negative
  std::size_t trees = 1;     ///< in a NEXUS text; the first of them is read
};

/// The first tree of a text; `label` names the text in messages. See parse_newick for what is
/// accepted.
/// Throws  Error{bad_input} with line and column for a syntax error, or a length that is not a
///         finite number of single precision.
/// Cost    O(text); no recursion.
NewickText read_newick_text(std::string_view text, const std::string& label);

/// Error{bad_input} "LABEL:LINE:COLUMN: WHAT" about a position of the text.
Error newick_error(
    std::string_view text, const std::string& label, std::size_t position, const std::string& what,
    const std::string& hint = "trees are Newick, such as ((a:0.1,b:0.1):0.1,c:0.2);");

}  // namespace accord
