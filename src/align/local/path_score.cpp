// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "align/local/group_path.hpp"
#include "align/local/group_sweep.hpp"
#include "align/local/importance.hpp"

namespace accord {

double path_score(const GroupScores& groups, const ProfilePath& path) {
  const GroupColumns &a = groups.a, &b = groups.b;
  double score = 0;
  GroupState before = kBoth;
  std::size_t i = 0, j = 0;  // columns of a and b so far
  for (std::uint32_t c = 0; c < path.columns; ++c) {
    const bool has_a = i < path.x_column.size() && path.x_column[i] == c;
    const bool has_b = j < path.y_column.size() && path.y_column[j] == c;
    const GroupState state = !has_b ? kOnlyA : !has_a ? kOnlyB : kBoth;
    if (state == kBoth) {
      ++i, ++j;
      double match = 0;
      for (const GroupColumns::Letter& x : a.at(i)) {
        for (const GroupColumns::Letter& y : b.at(j)) {
          match += x.weight * y.weight * groups.scores[x.code * ACCORD_SYMBOLS + y.code];
        }
      }
      const auto first = groups.importance.cells.begin();
      const auto end = first + static_cast<std::ptrdiff_t>(groups.importance.row_begin[i]);
      const auto cell = std::lower_bound(
          first + static_cast<std::ptrdiff_t>(groups.importance.row_begin[i - 1]), end, j - 1,
          [](const ScoreCell& s, std::size_t column) { return s.column < column; });
      score += kImportanceUnits * match;
      if (cell != end && cell->column == j - 1) score += static_cast<double>(cell->sum);
      const double in_a = a.gaps[i] * b.residues[j], in_b = b.gaps[j] * a.residues[i];
      double kept = 0;
      if (before == kBoth) {
        kept = a.gap_pairs[i] * b.residue_pairs[j] + b.gap_pairs[j] * a.residue_pairs[i];
      } else {
        kept = before == kOnlyA ? b.gaps[j] * a.residue_pairs[i] : a.gaps[i] * b.residue_pairs[j];
      }
      score -= groups.open * (in_a + in_b - kept);
    } else if (state == kOnlyA) {
      ++i;
      const double kept = before == kBoth ? b.gaps[j] : before == kOnlyA ? b.inner[j] : 0;
      score -= groups.open * (b.inner[j] * a.residues[i] - kept * a.residue_pairs[i]);
    } else {
      ++j;
      const double kept = before == kBoth ? a.gaps[i] : before == kOnlyB ? a.inner[i] : 0;
      score -= groups.open * (a.inner[i] * b.residues[j] - kept * b.residue_pairs[j]);
    }
    before = state;
  }
  return score;
}

}  // namespace accord
