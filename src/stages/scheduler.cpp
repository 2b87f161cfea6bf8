// SPDX-License-Identifier: Apache-2.0
#include "stages/scheduler.hpp"

#include <string>
#include <type_traits>
#include <vector>

#include "accord/base/error.hpp"
#include "base/log.hpp"
#include "stages/consistency/consistency_plan.hpp"
#include "stages/consistency/consistency_request.hpp"
#include "stages/likelihood/call.hpp"
#include "stages/local_fit/call.hpp"
#include "stages/local_pairs/local_pairs_request.hpp"
#include "stages/neighbor_joining/neighbor_joining_request.hpp"
#include "stages/posteriors/posterior_plan.hpp"
#include "stages/posteriors/posterior_request.hpp"

namespace accord {

static_assert(for_each_call([](auto type) { return decltype(type)::type::stage; }) ==
              std::array{BackendStage::posteriors, BackendStage::neighbor_joining,
                         BackendStage::consistency, BackendStage::likelihood,
                         BackendStage::local_fit, BackendStage::local_pairs});

namespace {

void announce_posteriors(const SequenceSet& set, const PairSet& wanted,
                         ProgressListener& progress) {
  std::uint64_t pairs = 0;
  for (std::size_t y = 0; y < set.size() && set.length(y) > 0; ++y) {
    pairs += wanted.partners(y).size();
  }
  const double cells = work_of_pairs(set.lengths(), wanted, {}).cells;
  progress.begin("posteriors", "pairs", pairs, static_cast<std::uint64_t>(cells));
}

/// The sink, with a listener that is told of each pair; of the cells it is told while they are
/// computed.
PosteriorSink with_progress(ProgressListener& progress, const PosteriorSink& sink) {
  return std::visit(
      [&](const auto& function) -> PosteriorSink {
        return std::decay_t<decltype(function)>([&](std::uint32_t x, std::uint32_t y, auto result) {
          function(x, y, std::move(result));
          progress.advance(1, 0);
        });
      },
      sink);
}

}  // namespace

void Scheduler::posteriors(const PosteriorFamily& family, const PairSet& wanted,
                           const PosteriorSink& sink, ProgressListener* progress) {
  if (progress != nullptr) announce_posteriors(family.set, wanted, *progress);
  const PosteriorSink told = progress != nullptr ? with_progress(*progress, sink) : sink;
  const CellCounter cells = [progress](std::uint32_t, std::uint32_t, std::uint64_t computed) {
    if (progress != nullptr) progress->advance(0, computed);
  };
  PosteriorRequest request(family.sequences(), wanted, family.model, told, &cells);
  queue_->run(request);
}

PosteriorSet Scheduler::consistency(const PosteriorSet& current, const PairSet& wanted,
                                    const ConsistencyWeights& weights, float cutoff,
                                    ProgressListener* progress) {
  return transform_at_once(current, wanted, weights, {&cutoff, 1}, progress).value();
}

PosteriorSet Scheduler::consistency(PosteriorSet& direct, const ConsistencyRounds& rounds,
                                    ProgressListener* progress) {
  const auto cells = static_cast<double>(direct.cells());
  std::size_t at_once =
      rounds.on_round || ConsistencyRequest::is_large(cells) ? 1 : rounds.cutoffs.size();
  PosteriorSet transformed;
  for (std::size_t round = 0; round < rounds.cutoffs.size();) {
    const PosteriorSet& before = round == 0 ? direct : transformed;
    std::optional<PosteriorSet> after = transform_at_once(
        before, before.pairs(), rounds.weights, rounds.cutoffs.subspan(round, at_once), progress);
    if (!after) {
      at_once = 1;
      continue;
    }
    transformed = *std::move(after);
    round += at_once;
    if (!rounds.keeps_direct) direct = PosteriorSet();
    if (rounds.on_round) rounds.on_round(transformed);
  }
  return transformed;
}

/// Several cutoffs are for all pairs in `current`.
/// Returns  nothing if the request of several rounds gave way to requests of one.
std::optional<PosteriorSet> Scheduler::transform_at_once(const PosteriorSet& current,
                                                         const PairSet& wanted,
                                                         const ConsistencyWeights& weights,
                                                         std::span<const float> cutoffs,
                                                         ProgressListener* progress) {
  check_intermediates(current.pairs(), wanted, weights.intermediates());
  std::vector<PairIndex> pairs = plan_consistency_pairs(current, wanted);
  if (progress != nullptr) {
    std::uint64_t bytes = 0;
    for (const PairIndex pair : pairs) bytes += consistency_pair_bytes(current, pair);
    progress->begin("consistency", "pairs", pairs.size(), bytes);
  }
  PosteriorSet transformed = current.without_cells(wanted);
  ConsistencyRequest request(current, std::move(pairs), weights, cutoffs,
                             [&](std::uint32_t x, std::uint32_t y, SparseMatrix matrix) {
                               transformed.at(x, y) = std::move(matrix);
                               if (progress != nullptr)
                                 progress->advance(1, consistency_pair_bytes(current, {x, y}));
                             });
  try {
    queue_->run(request);
  } catch (const Error&) {
    if (!request.fell_back()) throw;
    return std::nullopt;
  }
  request.finish();
  return transformed;
}

GuideTree Scheduler::neighbor_joining(const DistanceMatrix& distances) {
  NeighborJoiningRequest request(distances);
  queue_->run(request);
  return request.result();
}

void Scheduler::local_pairs(const SequenceSet& set, const accord_local_scores& scores,
                            const PairSink<LocalAlignment>& sink, ProgressListener* progress) {
  const PairSink<LocalAlignment> told = [&](std::uint32_t x, std::uint32_t y,
                                            LocalAlignment alignment) {
    sink(x, y, std::move(alignment));
    if (progress != nullptr) progress->advance(1, std::uint64_t{set.length(x)} * set.length(y));
  };
  LocalPairsRequest request(set.coded(), scores, told);
  if (progress != nullptr) {
    std::uint64_t pairs = 0;
    for (std::uint32_t y = 0; y < set.size() && set.length(y) > 0; ++y) pairs += y;
    const double cells = work_of_pairs(set.lengths(), PairSet::all(set.size()), {}).cells;
    progress->begin("local pairs", "pairs", pairs, static_cast<std::uint64_t>(cells));
  }
  queue_->run(request);
}

void warn_of(const DeviceFaults& faults) {
  if (faults.faults == 0) {
    for (const std::string& name : faults.retired) {
      log_warning(name + " was given up in an earlier call, and computes nothing",
                  "open it anew, or name another device");
    }
    return;
  }
  // The messages of a compiler are several lines; -v shows all of them.
  std::string text = "a device failed: " + faults.first.substr(0, faults.first.find('\n'));
  if (faults.faults > 1) text += " (and " + std::to_string(faults.faults - 1) + " more faults)";
  text += "; nothing is lost: " + std::to_string(faults.retries) + " batches were tried again, " +
          std::to_string(faults.moves) + " were moved to another device";
  for (const std::string& name : faults.retired) text += ", " + name + " was given up";
  log_warning(text, "{device=none} computes the same alignment without devices");
}

}  // namespace accord
