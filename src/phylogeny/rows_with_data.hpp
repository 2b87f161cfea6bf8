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

/// Refuses rows without a known residue, or leaves them out with a warning if `prunes` is set:
/// their place in a tree does not change the likelihood. Warns of pairs of rows that share no
/// column in which both are known.
/// Throws  Error{bad_input}
/// Cost    O(rows^2 x columns / 64)
void check_rows(InputAlignment& aligned, const FamilySource& source, bool prunes);

}  // namespace accord
