// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/posterior_set.hpp"

namespace accord {

/// A group of aligned sequences. The columns of their residues are in the table `column_of` of the
/// whole family, [sequence][residue] (as Msa::column_of); a profile names some rows of the table.
struct Profile {
  std::span<const std::uint32_t> rows;  ///< canonical sequence indices, any order
  std::uint32_t columns = 0;            ///< each has a residue of at least one row
};

/// A column of Y with a nonzero score, in a row of ProfileScores.
struct ScoreCell {
  std::uint64_t sum = 0;     ///< > 0
  std::uint32_t column = 0;  ///< column of Y
};

/// Sparse match scores of the columns of two profiles X (rows) and Y, compressed by rows.
///
/// Units   sum over x in X, y in Y of w_x w_y P_xy(i, j), P in units of 2^-16. The sum is an exact
///         integer, so that it does not depend on the order of the additions. The weighted mean of
///         the posteriors differs from it by a constant factor, which does not matter for the
///         maximum.
/// Invariant  columns strictly increase within a row.
struct ProfileScores {
  std::uint32_t columns = 0;              ///< of Y
  std::vector<std::size_t> row_begin{0};  ///< offsets into cells, columns of X + 1 of them
  std::vector<ScoreCell> cells;
  /// The score of two columns in which every row has a residue, if all posteriors are 1.
  std::uint64_t certain = 0;
};

/// Working memory of one thread in profile_scores(), for reuse: some dense rows, a flag for each 8
/// of their cells, and the nonzero cells. The dense rows take at most 2 MiB per thread and 64 MiB
/// for all threads (1 MiB per thread from 64 threads on), but hold at least one row.
struct ScoreScratch {
  std::vector<std::uint64_t> sums;
  std::vector<std::uint8_t> flags;
  std::vector<ScoreCell> cells;  ///< may hold old values
};

/// Computes the scores of all pairs of columns of two profiles, from the posteriors of all pairs of
/// sequences, one of each profile. The profiles have no row in common. `column_of`: the columns of
/// the residues of the whole family, [sequence][residue]; `weights`: one per sequence.
///
/// `scratch` has one element if the caller's thread does all work, or at least thread_count()
/// elements if several threads share the work. The result is the same.
/// Throws  Error{internal} if the score of an alignment could exceed 64 bits.
/// Cost    |X| |Y| L r additions, one per cell of each pair, with L residues in a sequence and r
///         cells in a row of a pair; 16 bytes per cell of the result, and up to three times as
///         much during the call.
/// Reference  Liu et al. 2010, Bioinformatics 26:1958, section 2.5 (weighted profile posteriors).
ProfileScores profile_scores(const Profile& x_profile, const Profile& y_profile,
                             std::span<const std::vector<std::uint32_t>> column_of,
                             const PosteriorSet& posteriors, std::span<const std::uint32_t> weights,
                             std::span<ScoreScratch> scratch);

}  // namespace accord
