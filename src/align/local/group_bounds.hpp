// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "align/local/group_path.hpp"

namespace accord {

/// The scores of the letters that a group has with the columns of another.
class LetterScores {
 public:
  /// Uses thread_count() threads.
  explicit LetterScores(const GroupScores& groups);

  /// Of a letter of group a; one for each column of b, in units, and for column 0.
  const double* of(std::uint8_t code) const { return scores_[code].data(); }
  /// The largest of these, at least 0.
  double most(std::uint8_t code) const { return most_[code]; }
  /// Whether group a has the letter.
  bool has(std::uint8_t code) const { return !scores_[code].empty(); }

 private:
  std::vector<std::vector<double>> scores_;
  std::vector<double> most_;
};

/// Upper bounds of the score of the remaining columns of two groups: they show whether an alignment
/// can still become the best one.
struct GroupBounds {
  std::vector<double> behind_a;  ///< behind each column of a
  std::vector<double> behind_b;  ///< of b

  /// Sums of the most that each column scores with any of the other group; gaps cost at least 0.
  /// Uses thread_count() threads if there is enough to do; the bounds do not depend on them.
  /// Cost    O(L_a + L_b) and the cells of the importance
  GroupBounds(const GroupScores& groups, const LetterScores& letters);
};

}  // namespace accord
