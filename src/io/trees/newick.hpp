// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/guide_tree.hpp"
#include "core/sequence_set.hpp"
#include "io/trees/newick_notes.hpp"

namespace accord {

/// The treatment of missing branch lengths.
enum class NewickLengths {
  any,  ///< replaced, see parse_newick
  all   ///< a missing length is an error
};

/// Parses the guide tree in a Newick text; `label` names the text in messages.
///
/// Leaf labels are names of sequences, as in whole_names or unique_names, or their headers, or the
/// labels that MAFFT makes of them (the number in the input, `_`, and the header with `_` for all
/// characters except letters and digits). Labels with blanks or punctuation are in single or double
/// quotes, with two quotes for one. In a NEXUS text, the first tree of the trees block is read, and
/// its names are translated; a warning counts further trees.
/// Labels of inner nodes and comments in brackets (which may be nested) go to `notes`, if it is not
/// null. A node with one child is replaced by the child, and their lengths are added. A node with
/// more than two children, such as the root of an unrooted tree, becomes joins from left to right,
/// with branches of length 0 between them.
/// A negative length, as neighbour joining makes them, becomes 0, with a warning. A missing length
/// is 1 if the text has no lengths at all, else 0; NewickLengths::all makes it an error. The length
/// of the root goes to `notes`.
///
/// Invariant  joins are numbered in the order of their closing parentheses, with left and right as
///            in the text, so that the tree is a function of the text. parse(format(t)) has the
///            shape of t. Its lengths are those of t, or become those of t when they are rounded to
///            single precision.
/// Throws  Error{bad_input} with line and column for a syntax error, a length that is not a finite
///         number, and a leaf that is not a sequence or occurs twice; Error{bad_input} with the
///         names of sequences that are not in the tree.
/// Cost    O(text); no recursion, so that a chain of 1,000,000 leaves works.
GuideTree parse_newick(std::string_view text, const std::string& label, const SequenceSet& set,
                       NewickLengths lengths = NewickLengths::any, NewickNotes* notes = nullptr);

/// Parses the tree without the leaves that are not sequences; a warning counts and names these. A
/// node that is left with one child is removed, and the lengths of its branches are added.
/// Throws  as parse_newick, except for such leaves.
GuideTree parse_newick_pruned(std::string_view text, const std::string& label,
                              const SequenceSet& set, NewickLengths lengths = NewickLengths::any,
                              NewickNotes* notes = nullptr);

/// For each sequence of a set, in canonical order, whether a Newick text has a leaf for it. Other
/// leaves may exist.
/// Throws  as parse_newick, except for leaves without a sequence and sequences without a leaf.
std::vector<bool> sequences_with_leaf(std::string_view text, const std::string& label,
                                      const SequenceSet& set);

/// Formats a tree as one line of Newick. A length that is a number of single precision has the
/// fewest digits that distinguish it from all other such numbers; any other length has the fewest
/// digits for double precision. A tree with heights is written with branch lengths (see
/// with_branch_lengths); the caller need not convert it. Names are those of whole_names. `labels`
/// is empty, or has a text for each node, already quoted: the label of an inner node; for a leaf,
/// what follows its name, so that it is empty or a comment.
std::string format_newick(const GuideTree& tree, const SequenceSet& set,
                          std::span<const std::string> labels = {});
/// The same with all notes. A join that parse_newick added at a node with more than two children
/// (NewickNotes::is_inserted) is not written: the node has all its children again.
std::string format_newick(const GuideTree& tree, const SequenceSet& set, const NewickNotes& notes);

}  // namespace accord
