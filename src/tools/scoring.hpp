// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/aligned_rows.hpp"

namespace accord {

/// The agreement of a test alignment with one scored column of a reference alignment.
struct ColumnScore {
  std::size_t column = 0;           ///< of the reference, from 0
  std::uint64_t residues = 0;       ///< of the reference column, at least 2
  std::uint64_t correct_pairs = 0;  ///< residue pairs that are in one column of the test

  /// The number of residue pairs of the column.
  std::uint64_t pairs() const { return residues * (residues - 1) / 2; }
  /// True if all residues are in one column of the test.
  bool correct() const { return correct_pairs == pairs(); }
};

/// The agreement of a test alignment with a reference alignment.
struct Score {
  std::uint64_t correct_pairs = 0;
  std::uint64_t reference_pairs = 0;
  std::uint64_t correct_columns = 0;
  std::uint64_t reference_columns = 0;

  /// SP, also called Q: the share of the scored residue pairs of the reference that are in one
  /// column of the test alignment, in [0, 1].
  double sum_of_pairs() const;
  /// TC: the share of the scored reference columns that are correct, in [0, 1].
  double total_column() const;
};

/// For every residue of every row of `shown`, its column in `other`, from 0. Rows are matched by
/// name; `other` may have further rows.
/// Shape   a list for each row of `shown`, in order, with a column for each residue.
/// Throws  Error{bad_input} if a row is missing in `other` or has other residues there, or if an
///         alignment breaks the invariant of AlignedRows.
std::vector<std::vector<std::uint32_t>> columns_in(const AlignedRows& other,
                                                   const AlignedRows& shown);

/// Compares the scored columns of `reference`, from left to right, with `test`.
///
/// A reference column is scored if it is a core column with at least two residues. Its pairs are
/// all pairs of its residues. It is correct if all its residues are in one column of the test; its
/// gaps do not matter (a scorer that requires the gaps, too, is stricter). Rows are matched by
/// name; the test may have further rows; case and columns of gaps alone do not matter.
/// Throws  as columns_in; Error{bad_input} if there is no scored column.
/// Cost    O(rows * columns) of the reference and of its rows in the test.
/// Reference  SP and TC: Thompson et al. 1999, Nucleic Acids Res 27:2682.
std::vector<ColumnScore> score_columns(const AlignedRows& test, const AlignedRows& reference);

/// The sums over scored columns.
Score total_score(const std::vector<ColumnScore>& columns);

/// SP and TC of `test`: total_score() of score_columns().
/// Throws  as score_columns.
Score score_alignment(const AlignedRows& test, const AlignedRows& reference);

}  // namespace accord
