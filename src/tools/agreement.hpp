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
/// column there. The agreement of a residue is the share of its pairs that another alignment has,
/// as a mean over the other alignments; the agreement of the column is the same for all of its
/// pairs. A residue that is alone in its column makes no pair. Its agreement is the share of the
/// other rows with which another alignment does not align it, as a mean over these; it counts in no
/// other mean.
/// Reference  the residue and column scores of GUIDANCE (Penn et al. 2010, Mol Biol Evol 27:1759),
///            with given alignments in place of alignments along perturbed trees.
struct ColumnAgreement {
  std::size_t column = 0;               ///< of the shown alignment, from 0
  bool is_scored = true;                ///< a core column, if the shown alignment has core columns
  std::size_t all_rows = 0;             ///< number of rows of the shown alignment
  std::vector<std::size_t> rows;        ///< rows with a residue in the column
  std::vector<std::uint32_t> residues;  ///< for each of `rows`, the index of that residue
  /// [other alignment][index in `rows`]: number of the column's other residues that this alignment
  /// has in one column with the residue. If the column has one residue: number of residues of all
  /// rows.
  std::vector<std::vector<std::uint32_t>> partners;
  std::vector<std::uint32_t> partners_in_all;  ///< the same for pairs that all alignments have

  std::uint64_t pairs() const { return rows.size() * (rows.size() - 1) / 2; }
  /// The number of pairs that another alignment has, and that all other alignments have; 0 if the
  /// column has one residue.
  std::uint64_t shared(std::size_t other) const;
  std::uint64_t shared_by_all() const;

  /// The agreement of the column with one alignment, and the mean over all; NaN if the column has
  /// no pair or is not scored.
  double agreement(std::size_t other) const;
  double agreement() const;
  /// The agreement of the residue in rows[place]; NaN if the column is not scored.
  double agreement_of(std::size_t place, std::size_t other) const;
  double agreement_of(std::size_t place) const;
};

/// Calls `visit` for every column of `shown` with a residue, from left to right.
/// Throws  as columns_in, for each of the others.
/// Cost    O(rows log rows) per column and alignment.
void compare_alignments(const AlignedRows& shown, const std::vector<AlignedRows>& others,
                        const std::function<void(const ColumnAgreement&)>& visit);

}  // namespace accord
