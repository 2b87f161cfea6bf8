// SPDX-License-Identifier: Apache-2.0
#include "method/local_method.hpp"

#include <utility>

#include "align/local/importance.hpp"
#include "align/local/local_align.hpp"
#include "base/cpu_budget.hpp"
#include "base/text.hpp"
#include "method/build_tree.hpp"
#include "method/family_posteriors.hpp"
#include "method/settings.hpp"
#include "method/stage_log.hpp"
#include "stages/local_pairs/local_pairs_request.hpp"

namespace accord {
namespace {

DistanceMatrix local_distances(const SequenceSet& set, const accord_local_scores& scores,
                               const std::vector<LocalAlignment>& alignments) {
  std::vector<std::int64_t> self;
  for (std::size_t x = 0; x < set.size(); ++x) {
    self.push_back(self_score(set.coded().codes(x), scores));
  }
  DistanceMatrix distances(set.size());
  std::size_t pair = 0;
  for (std::size_t y = 1; y < set.size(); ++y) {
    for (std::size_t x = 0; x < y; ++x, ++pair) {
      distances.set(x, y, local_distance(alignments[pair].score, self[x], self[y]));
    }
  }
  return distances;
}

}  // namespace

AlignResult align_local_family(const SequenceSet& set, const AlignSettings& settings,
                               Scheduler& scheduler, const RunListener& listener) {
  AlignResult result;
  StageLog log(result.stages, listener);
  const std::size_t n = set.size();
  const LocalParams params;
  const LocalGaps gaps =
      settings.mode == AlignMode::motifs ? LocalGaps::generalised : LocalGaps::affine;

  const accord_local_scores local = local_scores(set.type(), gaps, params);
  std::vector<LocalAlignment> alignments =
      request_local_pairs(set, local, scheduler, listener.progress);
  log.finish("local pairs", counted(alignments.size(), "pair"));

  log.begin("tree");
  result.distances = local_distances(set, local, alignments);
  result.tree = build_tree(set, result.distances, settings, scheduler, &result.tree_notes);
  log.finish("tree", counted(n, "leaf", "leaves"));

  log.begin("importance");
  const std::vector<std::int32_t> scores = residue_scores(set.type());
  const std::vector<double> weights = path_weights(result.tree);
  const PosteriorSet cells = importance(set.coded(), alignments, weights, scores,
                                        params.importance_of(static_cast<double>(n)));
  alignments = {};
  log.finish("importance", counted(cells.cells(), "aligned residue"));

  log.begin("align");
  const LocalEvidence evidence{set.coded(), cells, scores,
                               static_cast<double>(params.group_open) * kImportanceUnits};
  result.msa = local_progressive(evidence, result.tree, weights);
  log.finish("align", counted(result.msa.columns, "column"));

  LocalRefineOptions options{.rounds = settings.local_rounds};
  log.begin("refine", "rounds", static_cast<std::uint64_t>(options.rounds));
  std::size_t accepted = 0;
  options.on_round = [&log] {
    log.advance();
    rebalance_cpus();
  };
  options.on_accept = [&accepted](const AcceptedSplit&) { ++accepted; };
  result.msa = local_refine(std::move(result.msa), evidence, result.tree, options);
  log.finish("refine", counted(accepted, "split") + ", " + counted(result.msa.columns, "column"));
  if (settings.confidence) {
    result.confidence = alignment_confidence(
        result.msa, compute_posteriors({set, settings.parameters}, PairSet::all(n), scheduler,
                                       listener.progress));
    log.finish("confidence", counted(result.confidence->pairs, "aligned pair"));
  }
  return result;
}

}  // namespace accord
