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

/// The objective of the alignment of two groups of sequences: the weighted sum of pairs between the
/// groups, with the importance of the pairs that local alignments align.
///
/// A column of both groups scores, for each pair of sequences with residues in it, the score of the
/// residues and the importance of their alignment. A gap costs group_open for each pair of a
/// sequence with a residue in a column and one with a gap there and a residue in the column before
/// (Altschul 1989, J Theor Biol 138:297: quasi-natural gap costs); its length costs nothing, nor do
/// gaps before the first residue of a sequence and behind its last one.
/// Units   1 / kImportanceUnits of a score, times the weights of both sequences; exact.
struct GroupScores {
  const GroupColumns& a;
  const GroupColumns& b;
  const ProfileScores& importance;       ///< rows: columns of a
  std::span<const std::int32_t> scores;  ///< of two residue codes
  double open;                           ///< of a gap, in units
};

/// An alignment of two groups.
struct GroupPath {
  ProfilePath path;
  double score = 0;  ///< an integer below 2^53
};

/// The score of a given alignment of the groups.
/// Cost    O(columns)
double path_score(const GroupScores& groups, const ProfilePath& path);

/// Working memory that is kept from one alignment to the next.
struct GroupScratch {
  std::vector<std::uint8_t> trace;
};

/// The alignment of the groups with the largest score.
///
/// Ties: traced back from the end, the alignment aligns two columns where it can, else takes a
/// column of a alone, else one of b; and it extends a gap rather than opening another.
///
/// `at_least` is the score of some alignment: cells that cannot reach it are skipped, which saves
/// time and does not change the result.
///
/// Uses thread_count() threads if there are enough columns; the result does not depend on them.
/// Throws  Error{bad_input} if there are so many columns that scores could leave 53 bits.
/// Cost    O(L_a L_b) time; a byte a cell, but at most about 16 MiB and 100 bytes for each of
///         sqrt(L_a) L_b, for which cells are computed twice.
GroupPath best_group_path(const GroupScores& groups,
                          double at_least = -std::numeric_limits<double>::infinity(),
                          GroupScratch* scratch = nullptr);

}  // namespace accord
