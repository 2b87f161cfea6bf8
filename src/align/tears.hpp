// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "align/profile_path.hpp"

namespace accord {

/// Closes the tears of a path: gaps between two runs of aligned columns that could stand on one
/// diagonal, where no gap is between them.
///
/// A fragment of a repeat is as well aligned with one copy as with another. Alignments with a part
/// on each copy have a little of the probability, so that the first residues are a little more
/// probable on the first copy, the last ones on the second: the largest sum has a gap that almost
/// no alignment has. Two runs are joined if
/// - one of them loses nothing on the diagonal of the other, or
/// - either of them has at least half of its score on the diagonal of the other, and on both
///   diagonals at least a quarter of what certain pairs have.
///
/// The run that loses less moves; of two that lose as much the second one. The path is unchanged
/// where there is no tear. `path` has the scores' columns.
/// Cost    O(columns of the path times log of the cells in a row), for each run that is joined
///         that of its columns again.
ProfilePath close_tears(const ProfileScores& scores, ProfilePath path);

}  // namespace accord
