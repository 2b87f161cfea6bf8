// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <string>
#include <vector>

#include "phylogeny/fit.hpp"

namespace accord {

/// Measures of how well the data support an inner branch, from 0 (not at all) to 1. They compare
/// three trees: the tree, and the two trees that interchanges at the branch make, with the branches
/// around it fitted anew. The lead of a tree is its logarithm of the likelihood minus that of the
/// better of the other two.
enum class SupportKind {
  /// The share of resampled alignments in which the best tree has a smaller lead than the tree has
  /// in the alignment, by more than 0.1 (the test of Shimodaira and Hasegawa). Before the
  /// comparison, the logarithms of each tree are shifted so that all three trees are equally likely
  /// on average.
  sh_alrt,
  /// 1 - 3 P / 2. P is the probability that a chi-square variable with one degree of freedom
  /// exceeds twice the lead of the tree. The factors are for three comparisons, and for a statistic
  /// that is 0 in half of the cases. The support is 0 if this is negative, or without a lead above
  /// 0.
  alrt,
  /// The posterior probability of the tree among the three, with equal prior probabilities.
  abayes
};

/// Reads a list of kinds, such as "sh-alrt,abayes", in letters of either case. `what` names the
/// option with the list in messages.
/// Throws  Error{usage} for any other word.
std::vector<SupportKind> support_kinds(const std::string& list, const std::string& what);

/// Computes supports as labels of the nodes of a tree. A label has the supports of all kinds, with
/// slashes between them; SH-aLRT is a percentage. The label of a node without a support is empty.
std::vector<std::string> support_labels(const TreeWithModel& state, const SitePatterns& patterns,
                                        std::span<const SupportKind> kinds, Scheduler& scheduler);

}  // namespace accord
