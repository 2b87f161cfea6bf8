// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "align/local/group_columns.hpp"
#include "align/profile_path.hpp"
#include "align/profile_scores.hpp"

namespace accord {

/// The objective of the alignment of two groups of sequences: the weighted sum over the pairs of
/// sequences, one of each group, plus the importance of the residue pairs in local alignments.
///
/// A column of both groups scores, for each pair of sequences with residues in it, the score of the
/// residues and the importance of aligning them. Gaps have quasi-natural costs (Altschul 1989, J
/// Theor Biol 138:297): a pair pays `open` for a column in which one sequence has a residue and the
/// other sequence has a gap. The pair pays nothing if, in the column before, the first sequence has
/// a residue and the other one has a gap as well. So the length of a gap costs nothing, but a gap
/// that continues behind a column in which both sequences have a gap is paid again. Gaps before the
/// first residue of a sequence and behind its last residue cost nothing. The objects that the
/// members refer to must outlive this one.
/// Units   1 / kImportanceUnits of a score, times the weights of both sequences; exact.
struct GroupScores {
  const GroupColumns& a;
  const GroupColumns& b;
  /// The importance, in 1 / kImportanceUnits of a score, times the weights; rows: columns of a,
  /// columns: columns of b, both from 0.
  const ProfileScores& importance;
  /// [a * ACCORD_SYMBOLS + b]: the score of the residue codes a and b, in whole scores.
  std::span<const std::int32_t> scores;
  double open;  ///< cost of a gap, in 1 / kImportanceUnits of a score (importance.hpp)
};

/// An alignment of two groups.
struct GroupPath {
  ProfilePath path;
  double score = 0;  ///< an integer below 2^53
};

/// The score of a given alignment of the groups, in the units of GroupScores.
/// Cost    O(columns)
double path_score(const GroupScores& groups, const ProfilePath& path);

/// Working memory that alignments reuse.
struct GroupScratch {
  std::vector<std::uint8_t> trace;
};

/// Finds the alignment of two groups with the largest score.
///
/// Ties: the traceback begins at the end. It prefers two aligned columns, then a column of a alone,
/// then a column of b alone; and it prefers extending a gap to opening a gap.
///
/// `at_least` is the score of some known alignment, and must not be above the largest score: cells
/// that cannot reach it are skipped, which saves time and does not change the result. Without
/// `scratch`, the call allocates its memory.
///
/// Uses thread_count() threads if there are enough columns; the result does not depend on their
/// number.
/// Throws  Error{bad_input} if scores could exceed 53 bits, since the groups have too many columns.
/// Cost    O(L_a L_b) time and one byte per cell. Above 16 MiB, the trace has at most 5 sqrt(L_a)
///         L_b bytes, rows between blocks take 24 bytes for each of about sqrt(L_a) L_b / 5 cells,
///         and cells are computed twice.
GroupPath best_group_path(const GroupScores& groups,
                          double at_least = -std::numeric_limits<double>::infinity(),
                          GroupScratch* scratch = nullptr);

}  // namespace accord
