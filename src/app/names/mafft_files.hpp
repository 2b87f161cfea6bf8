// SPDX-License-Identifier: Apache-2.0
// Files that MAFFT alone reads: tables of groups, and guide trees in four columns.
#pragma once
#include <string>
#include <vector>

#include "app/names/old_program.hpp"

namespace accord {

/// The plan of `mafft --merge TABLE INPUT`: each line of the table has the numbers of the rows of
/// one alignment in the input, from 1. A row in no line is a single sequence. `options`: those of
/// the output.
/// Throws  Error{bad_input} for a table that is not of rows of the input, and for groups whose rows
///         are not behind one another in the input, as the rows of the result are in order of the
///         groups; Error{no_input}.
CommandPlan plan_mafft_merge(const std::string& input, const std::string& table,
                             const std::vector<std::string>& options);

/// The Newick file of a guide tree for `input`: `tree` itself, or, if it has the four columns of
/// MAFFT (two numbers of clusters, each the number of its first sequence, and two lengths, a line a
/// join), a file that is added to the plan.
/// Throws  Error{bad_input} for a tree of neither form; as read_text.
std::string mafft_tree_file(const std::string& tree, const std::string& input, CommandPlan& plan);

}  // namespace accord
