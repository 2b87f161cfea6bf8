// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "core/base_pair.hpp"

namespace accord {

/// A secondary structure of a nucleic acid.
struct DotBracket {
  std::string letters;          ///< a character for each residue
  std::vector<BasePair> pairs;  ///< by the first residue, with the probability 1
};

/// Reads a secondary structure, and writes it with three characters: `(` and `)` for paired
/// residues, `.` for unpaired ones. The brackets `([{<` and the letters A to Z open a pair; `)]}>`
/// and a to z close the last open pair of their kind, so that pseudoknots are possible. `,`, `:`
/// and `_` are unpaired residues (WUSS). All other characters stay. `letters` are the letters of
/// the track's table. Characters among them stay, too; the brackets among them still come in pairs,
/// but A to Z and a to z among them do not.
/// Shape   `structure` has a character for each residue.
/// Throws  Error{bad_input} for a character that has no partner; its text begins with `what`.
DotBracket read_dot_bracket(std::string_view structure, std::string_view letters,
                            const std::string& what);

/// Writes a secondary structure so that read_dot_bracket() finds the same pairs, if the table has
/// no letters A to Z and a to z. The pairs are sorted by their first residue. `(` and `)` stay
/// where pairs are nested; a pair that crosses an earlier one gets `A` and `a`, or the next letters
/// whose pairs it does not cross.
/// Throws  Error{bad_input} if 26 kinds of letters are too few.
std::string written_dot_bracket(const DotBracket& structure);

}  // namespace accord
