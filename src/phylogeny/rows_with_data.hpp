// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "io/families/input_alignment.hpp"

namespace accord {

/// Removes from an alignment all rows that have no leaf in a Newick text (`tree`), with a warning;
/// `label` names the text in messages. `source` has the options with which the alignment was read;
/// make_family() uses them to make aligned.set again.
/// Throws  as sequences_with_leaf: Error{bad_input} if the text is no tree; as make_family.
void prune_rows(InputAlignment& aligned, const FamilySource& source, const std::string& tree,
                const std::string& label);

/// Refuses rows without a known residue, since their place in a tree does not change the
/// likelihood. If `prunes` is set, removes these rows from the alignment, with a warning; `source`
/// is used as in prune_rows(). Warns of pairs of rows that share no column in which both are known.
/// Throws  Error{bad_input} for a row without a known residue, unless `prunes` is set.
/// Cost    O(rows^2 x columns / 64)
void check_rows(InputAlignment& aligned, const FamilySource& source, bool prunes);

}  // namespace accord
