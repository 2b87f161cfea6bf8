// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>

#include "accord/core/guide_tree.hpp"
#include "accord/core/msa.hpp"
#include "accord/core/posterior_set.hpp"

namespace accord {

/// How the family is split into the two groups that are aligned with each other again.
enum class RefineStrategy {
  random_split,  ///< each sequence to either group by a coin (Liu et al. 2010)
  gap_column,    ///< a column with a gap: sequences with a gap there, and the others (Gudys &
                 ///< Deorowicz 2017, Sci Rep 7:41553)
  tree_edge,     ///< the leaves below a node of the guide tree, and the others, all nodes in turn
};

/// When a realignment replaces the alignment. Its expected accuracy is never below that of the
/// alignment before, since that was one of the alignments of the two groups.
enum class AcceptRule {
  always,      ///< also one of the same expected accuracy
  not_longer,  ///< if it has no more columns than before
  better,      ///< if the expected accuracy between the groups increases
};

/// Choices of refine().
struct RefineOptions {
  RefineStrategy strategy = RefineStrategy::random_split;
  AcceptRule accept = AcceptRule::always;
  int iterations = 10;  ///< splits that are looked at, at most
};

/// Refines a finished alignment: `iterations` times the sequences are split into two groups,
/// columns that became empty in a group are removed, and the two profiles are aligned again.
/// Ends early when no split of the strategy could change the alignment any more.
///
/// Splits and random numbers depend on canonical indices only; uses thread_count() threads, and
/// the result does not depend on their number.
/// Errors  Error{internal} if the arguments are of different sizes.
/// Cost    N^2 / 4 L r additions a random split of N sequences with r cells a row.
/// Source  Do et al. 2005, Genome Res 15:330; Liu et al. 2010, Bioinformatics 26:1958.
Msa refine(Msa msa, const PosteriorSet& posteriors, const GuideTree& tree,
           std::span<const std::uint32_t> weights, const RefineOptions& options);

}  // namespace accord
