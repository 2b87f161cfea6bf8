// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "core/aligned_rows.hpp"

namespace accord {

/// How far other alignments of the same sequences agree with one column of the shown alignment.
///
/// A pair is two residues of the column; another alignment has the pair if both residues are in one
/// column there. The agreement of a residue with another alignment is the share of the pairs of the
/// residue that the other alignment has. The agreement of the column is the same share for all
/// pairs of the column. A residue that is alone in its column makes no pair. Its agreement is the
/// share of the other rows with which the other alignment does not align it. This value counts in
/// no mean, except that of this residue over the other alignments.
/// Reference  the residue and column scores of GUIDANCE (Penn et al. 2010, Mol Biol Evol 27:1759),
///            with given alignments in place of alignments along perturbed trees.
struct ColumnAgreement {
  std::size_t column = 0;               ///< of the shown alignment, from 0
  bool is_scored = true;                ///< a core column, if the shown alignment has core columns
  std::size_t all_rows = 0;             ///< number of rows of the shown alignment
  std::vector<std::size_t> rows;        ///< rows with a residue in the column
  std::vector<std::uint32_t> residues;  ///< for each of `rows`, the index of its residue, from 0
  /// [other alignment][index in `rows`]: number of other residues of this column that the other
  /// alignment has in one column with the residue. If this column has one residue, the residues of
  /// all rows count.
  std::vector<std::vector<std::uint32_t>> partners;
  /// [index in `rows`]: number of other residues of this column that every other alignment has in
  /// one column with the residue; 0 if this column has one residue.
  std::vector<std::uint32_t> partners_in_all;

  /// The number of pairs of the column.
  std::uint64_t pairs() const { return rows.size() * (rows.size() - 1) / 2; }
  /// The number of pairs of the column that alignment `other` has, and the number of pairs that
  /// every other alignment has; 0 if the column has one residue.
  std::uint64_t shared(std::size_t other) const;
  std::uint64_t shared_by_all() const;

  /// The agreement of the column with alignment `other`, and the mean over all other alignments;
  /// NaN if the column has no pair or is not scored.
  double agreement(std::size_t other) const;
  double agreement() const;
  /// The agreement of the residue in row rows[place] with alignment `other`, and the mean over all
  /// other alignments; NaN if the column is not scored.
  double agreement_of(std::size_t place, std::size_t other) const;
  double agreement_of(std::size_t place) const;
};

/// Calls `visit` for every column of `shown` with a residue, from left to right. Its argument is
/// valid only during the call. Rows are matched by name; the others may have further rows.
/// Throws  Error{bad_input} if one of the others lacks a row of `shown` or has other residues in
///         it, or if an alignment has rows of different lengths or two rows of one name.
/// Cost    O(rows log rows) per column and alignment.
void compare_alignments(const AlignedRows& shown, const std::vector<AlignedRows>& others,
                        const std::function<void(const ColumnAgreement&)>& visit);

}  // namespace accord
