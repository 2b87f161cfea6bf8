// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "core/alphabet.hpp"

namespace accord {

/// What the number of identical pairs of two rows is divided by. Letters are compared as
/// compared_letter() has them: in either case, U as T in nucleotides. A column in which one of the
/// two rows has an unknown letter counts nowhere.
enum class IdentityOver {
  aligned,  ///< the columns in which both rows have a residue
  shorter,  ///< the residues of the row that has fewer
  columns   ///< the columns in which at least one row has a residue
};

/// What a word says: "aligned", "shorter" or "columns".
/// Throws  Error{usage} for any other word; `what` is what the user has given it for.
IdentityOver identity_over(const std::string& word, const std::string& what);

/// The identity of all pairs of rows together: the sum of their identical pairs, over the sum of
/// what these are divided by; NaN if that is 0.
/// Shape   rows of one length, gaps as `-`.
/// Cost    O(rows x columns): the letters of a column are counted; O(rows^2 x columns / 64) on
///         thread_count() threads over the shorter row.
double mean_identity(const std::vector<std::string>& rows, ResidueType type,
                     IdentityOver over = IdentityOver::aligned);

}  // namespace accord
