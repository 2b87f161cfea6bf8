// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "align/profile_scores.hpp"

namespace accord {

/// Where the columns of two profiles X and Y go when the two are aligned.
///
/// Invariant  both maps strictly increasing and below `columns`; every new column receives a column
///         of X, of Y, or one of each (which are then aligned).
struct ProfilePath {
  std::vector<std::uint32_t> x_column;  ///< new column of each column of X
  std::vector<std::uint32_t> y_column;  ///< new column of each column of Y
  std::uint32_t columns = 0;
  std::uint64_t score = 0;  ///< sum of the scores of the aligned columns
};

/// The alignment of two profiles: largest_sum_path(), in which close_removable_gaps() closes gaps
/// between two runs of aligned columns that could stand on one diagonal.
ProfilePath best_path(const ProfileScores& scores);

/// The alignment of two profiles with the largest sum of scores, without gap penalties:
/// V(i, j) = max(V(i-1, j-1) + P(i, j), V(i, j-1), V(i-1, j)).
///
/// Among several best alignments, the traceback from the end aligns two columns if it can (also
/// columns without any score), else takes a column of Y alone, else one of X.
/// Cost    proportional to the cells with a score, and to at most a 64th of the product of the
///         lengths; the traceback takes at most 32 bytes for each cell that raises V(i, .), and 16
///         bytes for each cell that equals it.
/// Reference  Do et al. 2005, Genome Res 15:330 (maximum expected accuracy alignment).
ProfilePath largest_sum_path(const ProfileScores& scores);

/// Aligns two profiles: computes profile_scores() and best_path(), and moves the residues of the
/// rows of both profiles to the new columns.
///
/// `column_of`: the columns of the residues of the whole family, [sequence][residue]; the function
/// changes the rows of the two profiles, which have no row in common. `weights`: one per sequence
/// of the family. `scratch`: one element if the calling thread does all work, or thread_count()
/// elements if several threads share it.
/// Returns  the number of columns of the united profile.
/// Throws  Error{internal} if the score of an alignment could exceed 64 bits.
std::uint32_t align_profiles(const Profile& x_profile, const Profile& y_profile,
                             std::span<std::vector<std::uint32_t>> column_of,
                             const PosteriorSet& posteriors, std::span<const std::uint32_t> weights,
                             std::span<ScoreScratch> scratch);

/// The columns of an alignment that hold a residue of some rows, numbered from 0.
struct OccupiedColumns {
  std::vector<std::uint32_t> number;  ///< one per column: its number; kNone if it holds none
  std::uint32_t count = 0;

  static constexpr std::uint32_t kNone = 0xffffffffu;
};

/// Numbers the columns that hold a residue of `rows`; `columns` is the number of all columns.
OccupiedColumns occupied_columns(std::span<const std::uint32_t> rows,
                                 std::span<const std::vector<std::uint32_t>> column_of,
                                 std::uint32_t columns);

/// Moves the residues of some rows from column c to column map[c].
void move_columns(std::span<const std::uint32_t> rows, std::span<const std::uint32_t> map,
                  std::span<std::vector<std::uint32_t>> column_of);

}  // namespace accord
