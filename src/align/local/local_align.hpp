// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "align/local/branch_weights.hpp"
#include "align/local/group_path.hpp"
#include "core/guide_tree.hpp"
#include "core/msa.hpp"
#include "core/posterior_set.hpp"
#include "core/sequence_set.hpp"

namespace accord {

/// The evidence by which the groups of a family are aligned in the local modes; see GroupScores.
struct LocalEvidence {
  const CodedSequences& sequences;
  const PosteriorSet& importance;
  std::span<const std::int32_t> scores;  ///< of two residue codes
  double open;                           ///< of a gap, in units
};

/// Aligns a family along its guide tree: the groups of the children of each join are aligned with
/// each other (see best_group_path), gaps go into whole groups.
///
/// `weights` has one element per sequence. Uses thread_count() threads; the result does not depend
/// on their number.
/// Reference  Katoh et al. 2005, Nucleic Acids Res 33:511.
Msa local_progressive(const LocalEvidence& evidence, const GuideTree& tree,
                      std::span<const double> weights);

/// What an accepted realignment was, for tests.
struct AcceptedSplit {
  const BranchSplit& split;
  const Msa& before;
  const Msa& after;
  double gain;  ///< in units
};

struct LocalRefineOptions {
  int rounds = 2;  ///< a round tries every branch once; improvements are kept at once
  std::function<void()> on_round = {};
  std::function<void(const AcceptedSplit&)> on_accept = {};
};

/// Refines an alignment at the branches of its unrooted tree: the sequences on both sides are
/// aligned with each other again, and what scores more (see GroupScores, with the weights of
/// BranchSplit) replaces the alignment. Ends when no branch gains anything, when an alignment comes
/// back that was there before (the score of each branch has weights of its own), or after the
/// rounds.
///
/// Uses thread_count() threads; the result does not depend on their number.
/// Cost    O(N L^2) and O(N^2 L) for N sequences a round.
/// Reference  Gotoh 1996, J Mol Biol 264:823; Katoh et al. 2005.
Msa local_refine(Msa msa, const LocalEvidence& evidence, const GuideTree& tree,
                 const LocalRefineOptions& options = {});

/// The score of the present alignment of a division, and that of the best alignment of its groups.
struct SplitOutcome {
  double present = 0, best = 0;  ///< in units
  Msa msa;                       ///< the best alignment; empty if it is no better
};

/// Working memory that is kept from one division to the next.
struct SplitScratch {
  std::vector<ScoreScratch> scores = std::vector<ScoreScratch>(1);  ///< one for each thread
  GroupScratch groups;
};

/// Tries a division.
/// Cost    O(L^2) and O(N^2 L)
SplitOutcome try_split(const Msa& msa, const BranchSplit& split, const LocalEvidence& evidence,
                       SplitScratch& scratch);

}  // namespace accord
