// SPDX-License-Identifier: Apache-2.0
#include "method/align_along_trees.hpp"

#include <cstdint>
#include <string>
#include <utility>

#include "align/progressive.hpp"
#include "align/refine.hpp"
#include "base/cpu_budget.hpp"
#include "base/log.hpp"
#include "base/text.hpp"
#include "core/sequence_set.hpp"
#include "method/build_tree.hpp"
#include "method/family_posteriors.hpp"
#include "method/intermediates.hpp"
#include "method/pieces.hpp"
#include "method/sequence_weights.hpp"
#include "method/settings.hpp"
#include "method/stage_log.hpp"
#include "method/structures/pair_support.hpp"
#include "method/structures/superposition.hpp"
#include "method/upgma.hpp"
#include "stages/consistency/consistency_request.hpp"
#include "stages/neighbor_joining/neighbor_joining_request.hpp"

namespace accord {
namespace {

/// "3 of them in 120 pieces, "; empty if there were none.
std::string format_pieces(const PieceCount& count) {
  if (count.pairs == 0) return {};
  return std::to_string(count.pairs) + " of them in " + counted(count.pieces, "piece") + ", ";
}

/// The sequence weights, self weight and intermediates of the consistency transform.
ConsistencyWeights consistency_weights(const GuideTree& tree, const DistanceMatrix& distances,
                                       const AlignSettings& settings) {
  const ConsistencyParams& consistency = settings.parameters.consistency;
  std::vector<float> weights = sequence_weights(tree, settings.parameters.weights);
  const float self_weight = consistency.self_weight_for(distances.size());
  if (const std::size_t nearest = consistency.nearest_for(distances.size()); nearest > 0) {
    return {std::move(weights), self_weight, nearest_intermediates(distances, nearest)};
  }
  return {std::move(weights), self_weight,
          select_intermediates(distances, static_cast<std::size_t>(consistency.intermediates),
                               settings.tree == TreeMethod::upgma ? &tree : nullptr)};
}

/// The guide tree of distances with noise, by average linkage or neighbour joining.
GuideTree tree_with_noise(const DistanceMatrix& distances, const AlignSettings& settings,
                          const DistanceNoise& noise, Scheduler& scheduler) {
  if (settings.tree == TreeMethod::neighbor_joining) {
    return request_neighbor_joining(with_noise(distances, noise), scheduler);
  }
  return upgma(distances, noise);
}

/// Superposes the structures of a family, and warns of those that are too long.
Superposition superpose(const SequenceSet& set, const AlignSettings& settings,
                        PosteriorSet& posteriors, DistanceMatrix& distances, StageLog& log) {
  log.begin("superposition");
  const Superposition count = superpose_pairs({set, settings.parameters}, posteriors, distances);
  log.finish("superposition", counted(count.pairs, "pair") +
                                  formatted(", mean TM-score %.3f", count.tm_score) + ", " +
                                  counted(count.no_fit, "pair") + " without a fit");
  if (count.too_large > 0) {
    log_warning((settings.label.empty() ? "" : settings.label + ": ") +
                    counted(count.too_large, "pair") +
                    " of structures too long to be superposed, so that only letters align them",
                "shorter chains, such as single domains, are superposed");
  }
  return count;
}

/// The posteriors of all pairs of a family.
struct FamilyPosteriors {
  const PosteriorSet& direct;      ///< for the confidence
  const PosteriorSet& consistent;  ///< for the alignment
};

/// Aligns a family along the tree of `result`, and refines the alignment.
void align_along_tree(const SequenceSet& set, const AlignSettings& settings,
                      const FamilyPosteriors& posteriors, StageLog& log, AlignResult& result) {
  const Parameters& parameters = settings.parameters;
  log.begin("align");
  const std::vector<std::uint32_t> weights =
      integer_sequence_weights(result.tree, parameters.weights);
  result.msa = progressive_align(posteriors.consistent, result.tree, weights, set.lengths());
  log.finish("align", counted(result.msa.columns, "column"));
  log.show("align", result.msa);

  log.begin("refine", "iterations", static_cast<std::uint64_t>(parameters.refine_iterations));
  result.msa = refine(std::move(result.msa), posteriors.consistent, weights,
                      parameters.refine_iterations, [&log] {
                        log.advance();
                        rebalance_cpus();
                      });
  log.finish("refine", counted(result.msa.columns, "column"));
  log.show("refine", result.msa);
  if (settings.confidence) {
    log.begin("confidence");
    result.confidence = alignment_confidence(result.msa, posteriors.direct);
    log.finish("confidence", counted(result.confidence->pairs, "aligned pair"));
  }
}

}  // namespace

std::vector<AlignResult> align_along_trees(const SequenceSet& set, const AlignSettings& settings,
                                           const FamilyTrees& trees, Scheduler& scheduler,
                                           const RunListener& listener) {
  std::vector<AlignResult> results(1 + trees.others.size());
  AlignResult& result = results.front();
  StageLog log(result.stages, listener);
  const Parameters& parameters = settings.parameters;
  const std::size_t n = set.size();

  PosteriorSet direct(n);
  result.distances = DistanceMatrix(n);
  const auto keep = [&](std::uint32_t x, std::uint32_t y, PairPosterior pair) {
    result.distances.set(x, y, pair.distance());
    direct.at(x, y) = std::move(pair.matrix);
  };
  const PieceCount in_pieces =
      for_each_posterior({set, parameters}, direct.pairs(), scheduler, keep, listener.progress);
  result.posterior_bytes = direct.bytes();
  result.posterior_cells = direct.cells();
  log.finish("posteriors", counted(n * (n - 1) / 2, "pair") + ", " + format_pieces(in_pieces) +
                               counted(result.posterior_cells, "cell kept", "cells kept"));
  log.show("posteriors", direct);
  log.show("distances", result.distances);

  if (settings.superposes && has_structures(set)) {
    result.facts.superposition = superpose(set, settings, direct, result.distances, log);
    result.posterior_bytes = direct.bytes();
    result.posterior_cells = direct.cells();
  }
  if (parameters.track.is_used() && has_base_pairs(set)) {
    log.begin("base pairs");
    const std::size_t supported =
        support_by_base_pairs(set, parameters.track, parameters.cutoff, direct);
    result.posterior_bytes = direct.bytes();
    result.posterior_cells = direct.cells();
    log.finish("base pairs", counted(supported, "cell") + " of two paired bases");
  }
  log.begin("tree");
  result.tree = trees.first != nullptr
                    ? *trees.first
                    : build_tree(set, result.distances, settings, scheduler, &result.tree_notes);
  log.finish("tree", counted(n, "leaf", "leaves"));
  log.show("tree", result.tree);

  // The confidence uses the direct posteriors, which are better calibrated than the transformed
  // ones. They are kept during the transform only if the confidence is requested.
  const ConsistencyParams& consistency = parameters.consistency;
  const ConsistencyWeights weights = consistency_weights(result.tree, result.distances, settings);
  const std::vector<float> cutoffs = consistency.cutoffs_for(n);
  const PosteriorSet transformed = request_consistency(
      direct, {weights, cutoffs, settings.confidence, log.shower<PosteriorSet>("consistency")},
      scheduler, listener.progress);
  const PosteriorSet& posteriors = cutoffs.empty() ? direct : transformed;
  log.finish("consistency", counted(cutoffs.size(), "round through ", "rounds through ") +
                                counted(weights.intermediates().size(), "sequence"));

  align_along_tree(set, settings, {direct, posteriors}, log, result);
  for (std::size_t k = 0; k < trees.others.size(); ++k) {
    log.begin("tree");
    results[k + 1].tree = tree_with_noise(result.distances, settings, trees.others[k], scheduler);
    log.finish("tree", counted(n, "leaf", "leaves"));
    align_along_tree(set, settings, {direct, posteriors}, log, results[k + 1]);
  }
  return results;
}

}  // namespace accord
