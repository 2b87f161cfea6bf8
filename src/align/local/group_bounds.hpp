// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

#include "align/local/group_path.hpp"

namespace accord {

/// The scores of each letter of group a with the columns of group b.
class LetterScores {
 public:
  /// Computes the scores for each letter that occurs in group a. The object does not refer to
  /// `groups` afterwards. Uses thread_count() threads.
  explicit LetterScores(const GroupScores& groups);

  /// [j]: the sum of the scores of a letter with the letters of column j of group b, each times the
  /// weight of the sequences with that letter, in 1 / kImportanceUnits of a score. Columns are
  /// numbered from 1; column 0 is empty. The letter must occur in group a. The pointer is valid as
  /// long as this object.
  const double* of(std::uint8_t code) const { return scores_[code].data(); }
  /// The largest of these scores, at least 0; 0 if the letter does not occur in group a.
  double most(std::uint8_t code) const { return most_[code]; }
  /// Whether the letter occurs in group a.
  bool has(std::uint8_t code) const { return !scores_[code].empty(); }

 private:
  std::vector<std::vector<double>> scores_;
  std::vector<double> most_;
};

/// Upper bounds of the score of the remaining columns of two groups. With them, the dynamic
/// programming skips cells through which no alignment can become the best one. Columns are numbered
/// from 1, so that element 0 bounds the score of all columns.
/// Units   those of GroupScores: 1 / kImportanceUnits of a score, times the weights of both
///         sequences.
struct GroupBounds {
  std::vector<double> behind_a;  ///< [i]: the most that the columns of a behind column i can score
  std::vector<double> behind_b;  ///< [j]: the most that the columns of b behind column j can score

  /// Adds up, from the last column on, the largest score of each column with any column of the
  /// other group. Gaps count 0, since they never raise a score. `letters` has the scores of the
  /// same groups. Uses thread_count() threads if there is enough work; the bounds do not depend on
  /// their number.
  /// Cost    O(L_a + L_b), and proportional to the cells of the importance.
  GroupBounds(const GroupScores& groups, const LetterScores& letters);
};

}  // namespace accord
