// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "core/alphabet.hpp"

namespace accord {

/// The divisor of the number of identical pairs of two rows. Letters are compared in the form of
/// compared_letter(): in upper case, U as T in nucleotides. A column in which one of the two rows
/// has an unknown letter does not count.
enum class IdentityOver {
  aligned,  ///< columns in which both rows have a residue
  shorter,  ///< residues of the row with fewer residues
  columns   ///< columns in which at least one row has a residue
};

/// Converts a word: "aligned", "shorter" or "columns".
/// Throws  Error{usage} for any other word; `what` names the option of the word.
IdentityOver identity_over(const std::string& word, const std::string& what);

/// The identity over all pairs of rows: the sum of their identical pairs, divided by the sum of
/// their divisors; NaN if that is 0.
/// Shape   rows of one length, gaps as `-`.
/// Cost    O(rows x columns), by counting the letters of each column; with IdentityOver::shorter
///         O(rows^2 x columns / 64), on thread_count() threads.
double mean_identity(const std::vector<std::string>& rows, ResidueType type,
                     IdentityOver over = IdentityOver::aligned);

}  // namespace accord
