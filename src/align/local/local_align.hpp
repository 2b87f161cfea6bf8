// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "align/local/group_path.hpp"
#include "core/guide_tree.hpp"
#include "core/msa.hpp"
#include "core/posterior_set.hpp"
#include "core/sequence_set.hpp"

namespace accord {

/// Approximate sum of the integer weights of a group. The sum is larger in a group of many
/// sequences, since each weight is at least 1.
constexpr std::uint32_t kGroupWeight = 1024;

/// A division of the sequences into two groups, at a branch of the unrooted tree.
struct BranchSplit {
  std::vector<std::uint32_t> first, second;  ///< sequences of the two groups, increasing
  std::vector<std::uint32_t> weights;        ///< one per sequence, at least 1
};

/// Converts the weights of the sequences of `group` to integers of at least 1, with a sum of about
/// kGroupWeight. `weights` and `scaled` have one element per sequence of the family; other elements
/// of `scaled` are kept.
void scale_weights(std::span<const double> weights, std::span<const std::uint32_t> group,
                   std::span<std::uint32_t> scaled);

/// The splits at the 2 N - 3 branches of the unrooted tree. Each sequence has a three-way weight:
/// the part of the tree that it represents in its group, seen from the branch.
///
/// The two branches at the root are one. Weights are computed with +, *, / and square roots only,
/// which every platform rounds alike.
/// Reference  Gotoh 1995, Comput Appl Biosci 11:543 (three-way method).
class BranchSplits {
 public:
  /// Finds the branches and their weights. The tree may have heights or branch lengths, and need
  /// not outlive this object.
  explicit BranchSplits(const GuideTree& tree);

  /// The number of splits; 0 for a tree of one leaf.
  std::size_t size() const { return branches_.size(); }
  /// Split k, from 0; the first group contains sequence 0.
  /// Cost    O(N log N)
  BranchSplit at(std::size_t k) const;

 private:
  struct End {
    std::uint32_t node, edge;
  };
  double resistance(std::uint32_t node, std::uint32_t edge) const;
  double node_weight(std::uint32_t node, std::uint32_t edge) const;
  void add_edge(std::uint32_t a, std::uint32_t b, double length);
  void find_resistances(std::uint32_t root);
  void collect(std::uint32_t node, std::uint32_t edge, std::vector<std::uint32_t>& leaves,
               std::vector<double>& weights) const;

  std::uint32_t leaves_;
  std::vector<std::vector<End>> at_node_;     // [node] neighbours
  std::vector<std::uint32_t> branches_;       // edges, ordered by their lower node
  std::vector<std::uint32_t> low_, high_;     // [edge] its two nodes
  std::vector<double> length_, weight_;       // [edge]
  std::vector<double> from_low_, from_high_;  // [edge] synthetic length of each side, with the edge
};

/// The evidence from which the local modes align the groups of a family; see GroupScores. The
/// objects that its members refer to must outlive it.
struct LocalEvidence {
  const CodedSequences& sequences;
  const PosteriorSet& importance;        ///< importance of residue pairs in local alignments
  std::span<const std::int32_t> scores;  ///< [a * ACCORD_SYMBOLS + b]: score of codes a and b
  double open;                           ///< cost of a gap, in 1 / kImportanceUnits of a score
};

/// Aligns a family along its guide tree. Each join aligns the groups of its two children (see
/// best_group_path); a gap is inserted into all sequences of a group.
///
/// `weights` has one element per sequence. Uses thread_count() threads; the result does not depend
/// on their number.
/// Throws  Error{internal} if the numbers of sequences differ; Error{bad_input} if scores could
///         exceed 53 bits, since the groups have too many columns.
/// Reference  Katoh et al. 2005, Nucleic Acids Res 33:511.
Msa local_progressive(const LocalEvidence& evidence, const GuideTree& tree,
                      std::span<const double> weights);

/// A realignment that was accepted, for tests. It is valid only during the call of
/// LocalRefineOptions::on_accept.
struct AcceptedSplit {
  const BranchSplit& split;
  const Msa& before;
  const Msa& after;
  double gain;  ///< increase of the score, in the unit of GroupScores
};

/// Options of local_refine().
struct LocalRefineOptions {
  int rounds = 2;                       ///< in a round, every branch is tried once
  std::function<void()> on_round = {};  ///< called after each round, if set
  std::function<void(const AcceptedSplit&)> on_accept = {};  ///< called for each, if set
};

/// Refines an alignment at the branches of its unrooted tree. For each branch, the sequences on its
/// two sides are aligned with each other again; the result replaces the alignment if it scores more
/// (see GroupScores, with the weights of BranchSplit). Ends after `rounds` rounds, when no branch
/// gains, or when an earlier alignment occurs again, which can happen because each branch has
/// different weights.
///
/// Uses thread_count() threads; the result does not depend on their number.
/// Cost    O(N L^2) and O(N^2 L) per round for N sequences.
/// Reference  Gotoh 1996, J Mol Biol 264:823; Katoh et al. 2005.
Msa local_refine(Msa msa, const LocalEvidence& evidence, const GuideTree& tree,
                 const LocalRefineOptions& options = {});

/// The score of the current alignment for a split, and the score of the best alignment of its
/// groups.
struct SplitOutcome {
  double present = 0, best = 0;  ///< both scores, in the unit of GroupScores
  Msa msa;                       ///< the best alignment; empty if it is not better
};

/// Working memory that splits reuse.
struct SplitScratch {
  std::vector<ScoreScratch> scores = std::vector<ScoreScratch>(1);  ///< one for each thread
  GroupScratch groups;
};

/// Aligns the two groups of a split with each other again.
/// Cost    O(L^2) and O(N^2 L)
SplitOutcome try_split(const Msa& msa, const BranchSplit& split, const LocalEvidence& evidence,
                       SplitScratch& scratch);

}  // namespace accord
