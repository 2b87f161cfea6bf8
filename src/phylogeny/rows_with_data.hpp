// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "io/input_alignment.hpp"

namespace accord {

/// Leaves the rows out of an alignment that have no leaf in a Newick text, with a warning; `label`
/// names the text in messages.
/// Throws  as sequences_with_leaf.
void prune_rows(InputAlignment& aligned, const FamilySource& source, const std::string& tree,
                const std::string& label);

/// Refuses rows of which nothing is known, or leaves them out with a warning if `prunes` is set: a
/// likelihood is the same wherever they stand in a tree. Warns of pairs of rows that share no
/// column in which both are known.
/// Throws  Error{bad_input}
/// Cost    O(rows^2 x columns / 64)
void check_rows(InputAlignment& aligned, const FamilySource& source, bool prunes);

}  // namespace accord
