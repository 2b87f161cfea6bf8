// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "phylogeny/fit.hpp"

namespace accord {

/// How well the data support an inner branch against the two trees that interchanges at it make,
/// with the branches around it fitted anew. All from 0, not at all, to 1.
enum class SupportKind {
  /// The share of resampled alignments in which the best of the three trees, once all are made
  /// equally likely, is ahead by less than the branch is (the test of Shimodaira and Hasegawa),
  /// by more than 0.1.
  sh_alrt,
  /// 1 - P of the likelihood ratio with the better of the two, by its chi-square distribution: half
  /// of it at 0, three comparisons.
  alrt,
  /// The posterior of the tree among the three, which are equally likely beforehand.
  abayes
};

/// The supports of each kind, of the branch above each node; NaN for those of leaves, of the root,
/// and where the branch at the root is that of a leaf. Both branches at the root are one.
///
/// SH-aLRT resamples columns 1,000 times from a fixed seed, the same for all branches. A branch
/// that an interchange improves has 0, but for abayes. Trees of less than four leaves have none.
/// Source  Guindon et al. 2010, Syst Biol 59:307 (SH-aLRT); Anisimova & Gascuel 2006, Syst Biol
///         55:539 (aLRT); Anisimova et al. 2011, Syst Biol 60:685 (aBayes).
std::vector<std::vector<double>> branch_supports(const TreeWithModel& state,
                                                 const SitePatterns& patterns,
                                                 std::span<const SupportKind> kinds,
                                                 Scheduler& scheduler);

/// The kinds of a list such as "sh-alrt,abayes", in letters of either case.
/// Throws  Error{usage} for any other word; `what` is what the user has given the list for.
std::vector<SupportKind> support_kinds(const std::string& list, const std::string& what);

/// The supports as labels of inner nodes, those of several kinds with slashes between them: SH-aLRT
/// as a percentage. Empty where there is none.
std::vector<std::string> support_labels(const TreeWithModel& state, const SitePatterns& patterns,
                                        std::span<const SupportKind> kinds, Scheduler& scheduler);

}  // namespace accord
