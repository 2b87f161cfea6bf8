// SPDX-License-Identifier: Apache-2.0
#include "stages/scheduler.hpp"

#include <string>
#include <type_traits>
#include <vector>

#include "accord/base/error.hpp"
#include "base/log.hpp"
#include "stages/consistency/plan.hpp"
#include "stages/consistency/request.hpp"
#include "stages/likelihood/call.hpp"
#include "stages/local_fit/call.hpp"
#include "stages/local_pairs/request.hpp"
#include "stages/neighbor_joining/request.hpp"
#include "stages/posteriors/plan.hpp"
#include "stages/posteriors/request.hpp"

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

/// The sequences of a family with contexts, as far as they are in wanted pairs: a large family is
/// computed in many parts.
CodedSequences add_contexts(const PairSet& wanted, const CodedSequences& sequences,
                            const ResidueContexts& contexts) {
  std::vector<bool> is_wanted(sequences.size(), false);
  for (std::uint32_t y = 0; y < sequences.size(); ++y) {
    for (const std::uint32_t x : wanted.partners(y)) is_wanted[x] = is_wanted[y] = true;
  }
  CodedSequences chosen;
  for (std::size_t x = 0; x < sequences.size(); ++x) {
    if (is_wanted[x]) chosen.append(sequences.codes(x));
  }
  const CodedSequences with_contexts = contexts.add_to(chosen);
  CodedSequences all;
  for (std::size_t x = 0, k = 0; x < sequences.size(); ++x) {
    all.append(is_wanted[x] ? with_contexts.codes(k++) : sequences.codes(x));
  }
  return all;
}

}  // namespace

void Scheduler::posteriors(const SequenceSet& set, const PairSet& wanted,
                           const PosteriorModel& model, const PosteriorSink& sink,
                           ProgressListener* progress) {
  if (progress != nullptr) announce_posteriors(set, wanted, *progress);
  const PosteriorSink told = progress != nullptr ? with_progress(*progress, sink) : sink;
  const CellListener cells = [progress](std::uint32_t, std::uint32_t, std::uint64_t computed) {
    if (progress != nullptr) progress->advance(0, computed);
  };
  const CodedSequences with_contexts = model.contexts != nullptr
                                           ? add_contexts(wanted, set.coded(), *model.contexts)
                                           : CodedSequences();
  PosteriorRequest request(model.contexts != nullptr ? with_contexts : set.coded(), wanted, model,
                           told, &cells);
  queue_.run(request);
}

PosteriorSet Scheduler::consistency(const PosteriorSet& current, const PairSet& wanted,
                                    const ConsistencyWeights& weights, float cutoff,
                                    ProgressListener* progress) {
  return transform_at_once(current, wanted, weights, {&cutoff, 1}, progress).value();
}

PosteriorSet Scheduler::consistency(const PosteriorSet& current, const ConsistencyWeights& weights,
                                    std::span<const float> cutoffs, ProgressListener* progress) {
  std::optional<PosteriorSet> transformed =
      transform_at_once(current, current.pairs(), weights, cutoffs, progress);
  if (transformed) return *std::move(transformed);
  for (const float& cutoff : cutoffs) {
    const PosteriorSet& before = transformed ? *transformed : current;
    transformed = transform_at_once(before, current.pairs(), weights, {&cutoff, 1}, progress);
  }
  return std::move(transformed).value();
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
                             [&](PairIndex pair, SparseMatrix matrix) {
                               transformed.at(pair.x, pair.y) = std::move(matrix);
                               if (progress != nullptr)
                                 progress->advance(1, consistency_pair_bytes(current, pair));
                             });
  try {
    queue_.run(request);
  } catch (const Error&) {
    if (!request.fell_back()) throw;
    return std::nullopt;
  }
  request.finish();
  return transformed;
}

GuideTree Scheduler::neighbor_joining(const DistanceMatrix& distances) {
  NeighborJoiningRequest request(distances);
  queue_.run(request);
  return request.result();
}

void Scheduler::local_pairs(const SequenceSet& set, const accord_local_scores& scores,
                            const LocalSink& sink, ProgressListener* progress) {
  const LocalSink told = [&](std::uint32_t x, std::uint32_t y, LocalAlignment alignment) {
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
  queue_.run(request);
}

void warn_of(const DeviceFaults& faults) {
  if (faults.faults == 0) return;
  // The messages of a compiler are several lines; -v shows all of them.
  std::string text = "a device failed: " + faults.first.substr(0, faults.first.find('\n'));
  if (faults.faults > 1) text += " (and " + std::to_string(faults.faults - 1) + " more faults)";
  text += "; nothing is lost: " + std::to_string(faults.retries) + " batches were tried again, " +
          std::to_string(faults.moves) + " were moved to another device";
  for (const std::string& name : faults.retired) text += ", " + name + " was given up";
  log_warning(text, "{device=none} computes the same alignment without devices");
}

}  // namespace accord
