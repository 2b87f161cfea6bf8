// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/distance_matrix.hpp"
#include "core/guide_tree.hpp"
#include "core/posterior_set.hpp"
#include "core/sequence_set.hpp"
#include "engine/backend.hpp"
#include "engine/progress_listener.hpp"
#include "engine/work_queue.hpp"
#include "models/models.hpp"
#include "stages/consistency/call.hpp"
#include "stages/local_pairs/call.hpp"
#include "stages/posteriors/call.hpp"

namespace accord {

/// The stages of the method that backends compute, for whole families: cut into batches, spread
/// over the backends, put together again. The results are the same bytes for any mix of backends,
/// whatever fails on the way. Several threads may call it at once, one per family; their work then
/// shares batches.
class Scheduler {
 public:
  /// Everything on one backend, by the caller's thread, without another try; a host backend.
  explicit Scheduler(Backend& only) : queue_({}, only, HostRole::works) {}

  /// The devices, and `host` as its role says. All must outlive the scheduler. `clock` tells how
  /// fast they are.
  Scheduler(const std::vector<Backend*>& devices, Backend& host, HostRole role,
            Clock clock = clock_seconds)
      : queue_(devices, host, role, std::move(clock)) {}

  /// Adds the devices that a host which stands in has waited for; see WorkQueue::add.
  void add_devices(std::span<Backend* const> devices) { queue_.add(devices); }

  /// The posteriors of the wanted pairs, but those with an empty sequence. `progress` is told how
  /// far they have come, if there is one.
  /// Errors  what the host or `sink` throws.
  void posteriors(const SequenceSet& set, const PairSet& wanted, const PosteriorModel& model,
                  const PosteriorSink& sink, ProgressListener* progress = nullptr);
  /// The same of all pairs.
  void posteriors(const SequenceSet& set, const PosteriorModel& model, const PosteriorSink& sink,
                  ProgressListener* progress = nullptr) {
    posteriors(set, PairSet::all(set.size()), model, sink, progress);
  }

  /// One round of the consistency transform of the wanted pairs (see RelaxCall), through the
  /// intermediates of `weights`.
  /// Errors  what the host throws; Error{internal} if a wanted pair is not in `current`, or a pair
  ///         of one of its sequences with an intermediate.
  PosteriorSet relax(const PosteriorSet& current, const PairSet& wanted,
                     const RelaxWeights& weights, float cutoff,
                     ProgressListener* progress = nullptr);
  /// Rounds of all pairs in `current`, each with its cutoff: in one request, or one at a time if a
  /// device fails with it.
  PosteriorSet relax(const PosteriorSet& current, const RelaxWeights& weights,
                     std::span<const float> cutoffs, ProgressListener* progress = nullptr);

  /// The neighbour-joining tree of the distances (see JoinCall).
  /// Errors  what the host throws.
  GuideTree join(const DistanceMatrix& distances);

  /// The best local alignment of each pair of non-empty sequences (see LocalPairsCall).
  /// Errors  what the host or `sink` throws.
  void local_pairs(const SequenceSet& set, const accord_local_scores& scores, const LocalSink& sink,
                   ProgressListener* progress = nullptr);

  /// Requests of any stage; they may depend on each other. Returns when all are done.
  /// Errors  that of the first request that failed.
  void run(std::span<StageRequest* const> requests) { queue_.run(requests); }

  /// The cores of the run, for all who compute along with it.
  CoreBudget& cores() { return queue_.cores(); }

  DeviceFaults faults() const { return queue_.faults(); }

  /// Requests that are not done, those that no backend has begun included.
  std::size_t open_requests() const { return queue_.open_requests(); }

 private:
  std::optional<PosteriorSet> relax_at_once(const PosteriorSet& current, const PairSet& wanted,
                                            const RelaxWeights& weights,
                                            std::span<const float> cutoffs,
                                            ProgressListener* progress);

  WorkQueue queue_;
};

/// One warning for all that went wrong with devices, if something did.
void warn_of(const DeviceFaults& faults);

}  // namespace accord
