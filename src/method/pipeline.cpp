// SPDX-License-Identifier: Apache-2.0
#include "method/pipeline.hpp"

#include <span>
#include <utility>
#include <vector>

#include "align/progressive.hpp"
#include "base/cpu_budget.hpp"
#include "io/files/text_input.hpp"
#include "io/newick.hpp"
#include "method/intermediates.hpp"
#include "method/local_method.hpp"
#include "method/pieces.hpp"
#include "method/sequence_weights.hpp"
#include "method/stage_log.hpp"
#include "method/upgma.hpp"
#include "stages/consistency/request.hpp"
#include "stages/posteriors/expected_accuracy.hpp"

namespace accord {
namespace {

/// "3 of them in 120 pieces, " if any were.
std::string format_pieces(const PieceCount& count) {
  if (count.pairs == 0) return {};
  return format_count(count.pairs, "of them in ") + format_count(count.pieces, "pieces, ");
}

}  // namespace

PieceCount for_each_posterior(const SequenceSet& set, const PairSet& wanted,
                              const PosteriorModel& model, Scheduler& scheduler,
                              const MatrixSink& sink, ProgressListener* progress) {
  PieceCount count;
  const std::optional<PairSet> rest =
      compute_in_pieces(set, wanted, model, scheduler, sink, count, progress);
  if (!rest || rest->size() > 0) {
    scheduler.posteriors(set, rest ? *rest : wanted, model, sink, progress);
  }
  // Pairs with an empty sequence are in no batch, but their matrices have a shape.
  for (std::uint32_t y = 0; y < set.size(); ++y) {
    if (set.length(y) > 0) continue;
    for (const std::uint32_t x : wanted.partners(y)) {
      sink(x, y, SparseMatrix(set.length(x), 0, {}));
    }
  }
  return count;
}

PosteriorSet compute_posteriors(const SequenceSet& set, const PairSet& wanted,
                                const PosteriorModel& model, Scheduler& scheduler,
                                ProgressListener* progress) {
  PosteriorSet matrices(wanted);
  const auto keep = [&](std::uint32_t x, std::uint32_t y, PairPosterior pair) {
    matrices.at(x, y) = std::move(pair.matrix);
  };
  for_each_posterior(set, wanted, model, scheduler, keep, progress);
  return matrices;
}

DistanceMatrix compute_distances(const SequenceSet& set, const AlignSettings& settings,
                                 Scheduler& scheduler, ProgressListener* progress) {
  const PosteriorModel model = build_posterior_model(settings.parameters, set.type());
  DistanceMatrix distances(set.size());
  const auto keep = [&](std::uint32_t x, std::uint32_t y, const PairPosterior& pair) {
    distances.set(x, y, pair.distance());
  };
  for_each_posterior(set, PairSet::all(set.size()), model, scheduler, keep, progress);
  return distances;
}

GuideTree build_tree(const SequenceSet& set, const DistanceMatrix& distances,
                     const AlignSettings& settings, Scheduler& scheduler) {
  switch (settings.tree) {
    case TreeMethod::upgma:
      return upgma(distances);
    case TreeMethod::neighbor_joining:
      return scheduler.neighbor_joining(distances);
    case TreeMethod::file:
      // A tree that average linkage may have made gets the weights of such a tree.
      return with_heights(in_single_precision(
          settings.prunes ? parse_newick_pruned(read_text(settings.tree_file),
                                                input_label(settings.tree_file), set)
                          : read_newick(settings.tree_file, set)));
  }
  return upgma(distances);
}

AlignResult align_family(const SequenceSet& set, const AlignSettings& settings,
                         Scheduler& scheduler, const RunListener& listener) {
  if (settings.is_local()) return align_local_family(set, settings, scheduler, listener);
  AlignResult result;
  StageLog log(result.stages, listener);
  const Parameters& parameters = settings.parameters;
  const std::size_t n = set.size();

  const PosteriorModel model = build_posterior_model(parameters, set.type());
  PosteriorSet direct(n);
  result.distances = DistanceMatrix(n);
  const auto keep = [&](std::uint32_t x, std::uint32_t y, PairPosterior pair) {
    result.distances.set(x, y, pair.distance());
    direct.at(x, y) = std::move(pair.matrix);
  };
  const PieceCount in_pieces =
      for_each_posterior(set, direct.pairs(), model, scheduler, keep, listener.progress);
  result.posterior_bytes = direct.bytes();
  result.posterior_cells = direct.cells();
  log.finish("posteriors", format_count(n * (n - 1) / 2, "pairs, ") + format_pieces(in_pieces) +
                               format_count(result.posterior_cells, "cells kept"));

  log.begin("tree");
  result.tree = build_tree(set, result.distances, settings, scheduler);
  log.finish("tree", format_count(n, "leaves"));

  // The confidence is that of the direct posteriors, which are better calibrated than those that
  // the transform makes; they are kept through it only if they will be needed.
  PosteriorSet transformed;
  const ConsistencyParams& consistency = parameters.consistency;
  const int rounds = consistency.rounds_for(n);
  const ConsistencyWeights weights(
      sequence_weights(result.tree, parameters.weights), consistency.self_weight_for(n),
      select_intermediates(result.distances, static_cast<std::size_t>(consistency.intermediates),
                           settings.tree == TreeMethod::upgma ? &result.tree : nullptr));
  std::vector<float> cutoffs(static_cast<std::size_t>(rounds), consistency.cutoff);
  if (rounds > 0) cutoffs.back() = consistency.final_cutoff;
  const bool is_large = ConsistencyRequest::is_large(static_cast<double>(result.posterior_cells));
  const std::size_t at_once = is_large ? 1 : cutoffs.size();
  for (std::size_t round = 0; round < cutoffs.size(); round += at_once) {
    transformed =
        scheduler.consistency(round == 0 ? direct : transformed, weights,
                              std::span(cutoffs).subspan(round, at_once), listener.progress);
    if (!settings.confidence) direct = PosteriorSet();
  }
  const PosteriorSet& posteriors = rounds > 0 ? transformed : direct;
  log.finish("consistency", format_count(static_cast<std::size_t>(rounds), "rounds through ") +
                                format_count(weights.intermediates().size(), "sequences"));

  log.begin("align");
  const std::vector<std::uint32_t> integer_weights =
      integer_sequence_weights(result.tree, parameters.weights);
  result.msa = progressive_align(posteriors, result.tree, integer_weights, set.lengths());
  log.finish("align", format_count(result.msa.columns, "columns"));

  log.begin("refine", "iterations", static_cast<std::uint64_t>(parameters.refine_iterations));
  result.msa = refine(std::move(result.msa), posteriors, integer_weights,
                      parameters.refine_iterations, [&log] {
                        log.advance();
                        rebalance_cpus();
                      });
  log.finish("refine", format_count(result.msa.columns, "columns"));
  if (settings.confidence) {
    log.begin("confidence");
    result.confidence = alignment_confidence(result.msa, direct);
    log.finish("confidence", format_count(result.confidence->pairs, "aligned pairs"));
  }
  return result;
}

}  // namespace accord
