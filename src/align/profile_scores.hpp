// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/posterior_set.hpp"

namespace accord {

/// A group of aligned sequences. The columns of their residues are in a table of the whole family
/// (as Msa::column_of), of which a profile is a part.
struct Profile {
  std::span<const std::uint32_t> rows;  ///< canonical sequence indices, any order
  std::uint32_t columns = 0;            ///< each holds a residue of at least one row
};

/// One column of a profile Y that has posterior mass in a row of ProfileScores.
struct ScoreCell {
  std::uint64_t sum = 0;     ///< > 0
  std::uint32_t column = 0;  ///< column of Y
};

/// Sparse match scores of the columns of two profiles X (rows) and Y, compressed by rows.
///
/// Units   sum over x in X, y in Y of w_x w_y P_xy(i, j), P in units of 2^-16: an exact integer,
///         so that it cannot depend on the order of the sum. The weighted mean of the posteriors
///         is this divided by a constant, which no maximum depends on.
/// Invariant  columns strictly increasing within a row.
struct ProfileScores {
  std::uint32_t columns = 0;              ///< of Y
  std::vector<std::size_t> row_begin{0};  ///< offsets into cells, columns of X + 1 of them
  std::vector<ScoreCell> cells;
  std::uint64_t certain = 0;  ///< of two columns with a residue of each row, all surely aligned
};

/// Working memory of one thread in profile_scores(), kept to be used again: some dense rows, a flag
/// for each 8 of their cells that hold something, and the cells that were found. There is one row,
/// or at most 2 MiB of them and 64 MiB for all threads (1 MiB each from 64 threads on).
struct ScoreScratch {
  std::vector<std::uint64_t> sums;
  std::vector<std::uint8_t> flags;
  std::vector<ScoreCell> cells;  ///< need not be zero
};

/// Adds up the posteriors of all pairs between two profiles without a common row.
///
/// `scratch` has one element to stay on this thread, or at least thread_count() to share the
/// work with parallel_for. The result is the same.
/// Throws  Error{internal} if the score of an alignment could exceed 64 bits.
/// Cost    one addition a cell and pair, |X| |Y| L r of them; 16 bytes per cell of the result, and
///         up to three times as much meanwhile.
/// Reference  Liu et al. 2010, Bioinformatics 26:1958, section 2.5 (weighted profile posteriors).
ProfileScores profile_scores(const Profile& x_profile, const Profile& y_profile,
                             std::span<const std::vector<std::uint32_t>> column_of,
                             const PosteriorSet& posteriors, std::span<const std::uint32_t> weights,
                             std::span<ScoreScratch> scratch);

}  // namespace accord
