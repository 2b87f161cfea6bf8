// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "core/aligned_rows.hpp"

namespace accord {

/// How far other alignments of the same sequences agree with a column of one that is shown.
///
/// A pair is two residues of the column; an alignment has it if both stand in one column there.
/// The agreement of a residue is the share of its pairs that the other alignments have, in the mean
/// over these; that of a column the share of all of its pairs. A residue that is alone in its
/// column makes no pair: its agreement is the share of the other rows with which no alignment has
/// it in a column, in the mean. It counts in no other mean.
/// Reference  the residue and column scores of GUIDANCE (Penn et al. 2010, Mol Biol Evol 27:1759),
///         with given alignments in place of those along perturbed trees.
struct ColumnAgreement {
  std::size_t column = 0;               ///< of the shown alignment, from 0
  bool is_scored = true;                ///< a core column, if the shown alignment has core columns
  std::size_t all_rows = 0;             ///< of the shown alignment
  std::vector<std::size_t> rows;        ///< those with a residue in the column
  std::vector<std::uint32_t> residues;  ///< which of its row that is, from 0
  /// Of each other alignment and each of `rows`, with how many of the other residues it stands in
  /// a column there; if the column has one residue, with how many of any row.
  std::vector<std::vector<std::uint32_t>> partners;
  std::vector<std::uint32_t> partners_in_all;  ///< the same in all alignments at once

  std::uint64_t pairs() const { return rows.size() * (rows.size() - 1) / 2; }
  /// The pairs that another alignment has, and those that all of them have; 0 for one residue.
  std::uint64_t shared(std::size_t other) const;
  std::uint64_t shared_by_all() const;

  /// Of the column in one of the alignments, and in the mean over them; NaN if there is no pair, or
  /// if it is not scored.
  double agreement(std::size_t other) const;
  double agreement() const;
  /// Of the residue in rows[place]; NaN if the column is not scored.
  double agreement_of(std::size_t place, std::size_t other) const;
  double agreement_of(std::size_t place) const;
};

/// Calls `visit` for every column of `shown` that has a residue, from left to right.
/// Throws  as columns_in, for each of the others.
/// Cost    O(rows log rows) for a column, times the number of alignments.
void compare_alignments(const AlignedRows& shown, const std::vector<AlignedRows>& others,
                        const std::function<void(const ColumnAgreement&)>& visit);

}  // namespace accord
