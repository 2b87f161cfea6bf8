// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/guide_tree.hpp"
#include "core/sequence_set.hpp"
#include "io/newick_notes.hpp"

namespace accord {

/// What is made of branch lengths that are not there.
enum class NewickLengths {
  any,  ///< see parse_newick
  all   ///< a missing one is an error
};

/// The guide tree in a Newick file (plain or gzip, "-" for standard input); see parse_newick.
GuideTree read_newick(const std::string& path, const SequenceSet& set,
                      NewickLengths lengths = NewickLengths::any);

/// The guide tree in a Newick text; `label` names the text in messages.
///
/// Leaf labels are the names of the sequences, as whole_names or unique_names, or their headers,
/// and those that MAFFT makes of them (the place in the input, `_`, the header with `_` for all but
/// letters and digits). Labels with blanks or punctuation stand in quotes, single or double ones,
/// with two of them for a quote. Of a NEXUS text the first tree of its trees block is read, with
/// the names that it translates; a warning says if there are others.
/// Labels of inner nodes and comments in brackets (which may be nested) go to `notes`, if these are
/// asked for. A node of one child is replaced by the child, lengths added; a node of more than two
/// children, as the root of an unrooted tree, becomes joins from left to right with branches of
/// length 0 between them.
/// A negative length, as neighbor joining makes them, becomes 0, with a warning. A missing length
/// is 1 if the text has no lengths at all, else 0; `lengths` can forbid that. The length of the
/// root is one of the notes.
///
/// Invariant  joins are numbered in the order of their closing parentheses, left and right as in
///         the text, so that the tree is a function of the text; parse(format(t)) has the shape of
///         t and its lengths, those of single precision when they are rounded to that.
/// Throws  Error{bad_input} with line and column for a syntax error, a length that is not a
///         finite number, a leaf that is not among the sequences or occurs twice; with the names
///         if sequences are not in the tree.
/// Cost    O(text); no recursion, so that a chain of 1,000,000 leaves works.
GuideTree parse_newick(std::string_view text, const std::string& label, const SequenceSet& set,
                       NewickLengths lengths = NewickLengths::any, NewickNotes* notes = nullptr);

/// The same tree without the leaves that are not among the sequences; a warning counts and names
/// them. The lengths of a branch that is cut by a node with a single child are added.
/// Throws  as parse_newick, but for such leaves.
GuideTree parse_newick_pruned(std::string_view text, const std::string& label,
                              const SequenceSet& set, NewickLengths lengths = NewickLengths::any,
                              NewickNotes* notes = nullptr);

/// Which sequences of a set have a leaf in a Newick text, whatever other leaves it has.
/// Throws  as parse_newick, but for leaves and sequences that have no partner.
std::vector<bool> sequences_with_leaf(std::string_view text, const std::string& label,
                                      const SequenceSet& set);

/// The tree as one line of Newick, each length with the fewest digits that tell it from all others:
/// of those of single precision if it is one, else of those of double precision.
/// Branch lengths add up (see with_branch_lengths); names are those of whole_names.
/// `labels`, one per node, stand after inner nodes; none if it is empty.
std::string format_newick(const GuideTree& tree, const SequenceSet& set,
                          std::span<const std::string> labels = {});
/// The same with all that a text says of the nodes; without joins that it did not have.
std::string format_newick(const GuideTree& tree, const SequenceSet& set, const NewickNotes& notes);

}  // namespace accord
