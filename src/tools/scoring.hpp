// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/aligned_rows.hpp"

namespace accord {

/// How far a test alignment agrees with one scored column of a reference alignment.
struct ColumnScore {
  std::size_t column = 0;           ///< of the reference, from 0
  std::uint64_t residues = 0;       ///< of the reference, at least 2
  std::uint64_t correct_pairs = 0;  ///< residue pairs that share a column of the test

  /// Residue pairs of the column.
  std::uint64_t pairs() const { return residues * (residues - 1) / 2; }
  /// True if all residues stand in one column of the test.
  bool correct() const { return correct_pairs == pairs(); }
};

/// How far a test alignment agrees with a reference alignment.
struct Score {
  std::uint64_t correct_pairs = 0;
  std::uint64_t reference_pairs = 0;
  std::uint64_t correct_columns = 0;
  std::uint64_t reference_columns = 0;

  /// SP, also called Q: share of the scored residue pairs of the reference that stand in one
  /// column of the test alignment, in [0, 1].
  double sum_of_pairs() const;
  /// TC: share of the scored reference columns that are correct as a whole, in [0, 1].
  double total_column() const;
};

/// Of every residue of every row of `shown`, the column of `other` in which it stands. Rows are
/// matched by name; `other` may have more of them.
/// Shape   a list for each row of `shown`, in their order.
/// Throws  Error{bad_input} if a row is missing in `other` or has other residues there, or if an
///         alignment breaks what AlignedRows keeps.
std::vector<std::vector<std::uint32_t>> columns_in(const AlignedRows& other,
                                                   const AlignedRows& shown);

/// The scored columns of `reference`, from left to right, each compared with `test`.
///
/// A reference column is scored if it is core and holds at least two residues. Its pairs are all
/// pairs of its residues. It is correct if all its residues stand in one column of the test;
/// a gap in it asks nothing of the test (a scorer that wants the gap there too is stricter). Rows
/// are matched by name, the test may have more rows than the reference, and case does not matter.
/// Columns of gaps alone change nothing in either.
/// Throws  as columns_in; Error{bad_input} if there is no scored column.
/// Cost    O(rows * columns) of the reference and of its rows in the test.
/// Reference  SP and TC: Thompson et al. 1999, Nucleic Acids Res 27:2682.
std::vector<ColumnScore> score_columns(const AlignedRows& test, const AlignedRows& reference);

/// The sums over scored columns.
Score total_score(const std::vector<ColumnScore>& columns);

/// SP and TC of `test`: the sums over score_columns.
/// Throws  as score_columns
Score score_alignment(const AlignedRows& test, const AlignedRows& reference);

}  // namespace accord
