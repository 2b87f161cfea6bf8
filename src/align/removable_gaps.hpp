// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "align/profile_path.hpp"

namespace accord {

/// Closes the removable gaps of a path. A gap is removable if the runs of aligned columns on both
/// sides of it could stand on one diagonal, without that gap.
///
/// Repeats cause removable gaps. A fragment of a repeat can be aligned with either copy. Alignments
/// with a part of the fragment on each copy have a little probability. They make the first residues
/// of the fragment slightly more probable on the first copy, and the last residues slightly more
/// probable on the second copy. So the path with the largest sum has a gap that almost no alignment
/// has.
///
/// The function joins two runs on one diagonal if
/// - one of the runs loses no score on the diagonal of the other run, or
/// - each of the runs keeps at least half of its score on the diagonal of the other run, and scores
///   at least a quarter of ProfileScores::certain for each column on both diagonals.
///
/// The run that loses less score moves to the diagonal of the other run; if both lose the same, the
/// second run moves. `path` aligns the columns of `scores`.
/// Returns  the new path with its score; `path` itself if no runs are joined.
/// Cost    O(columns of the path times log of the cells in a row); each joined run adds the cost of
///         its columns again.
ProfilePath close_removable_gaps(const ProfileScores& scores, ProfilePath path);

}  // namespace accord
