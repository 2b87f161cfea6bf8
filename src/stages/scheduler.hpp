// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <memory>
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
#include "stages/consistency/consistency_call.hpp"
#include "stages/local_pairs/local_pairs_call.hpp"
#include "stages/posteriors/posterior_call.hpp"

namespace accord {

/// The stages of the method that backends compute, for whole families: cut into batches, spread
/// over the backends, put together again. The results are the same bytes for any mix of backends,
/// whatever fails on the way. Several threads may call it at once, one per family; their work then
/// shares batches. A copy has the same queue of work, but its own check (see set_check).
class Scheduler {
 public:
  /// Everything on one backend, the host, by the calling thread, without retries.
  explicit Scheduler(Backend& only) : Scheduler({}, only, HostRole::works) {}

  /// The devices, and `host` as its role says. All must outlive the scheduler. `clock` tells how
  /// fast they are.
  Scheduler(const std::vector<Backend*>& devices, Backend& host, HostRole role,
            Clock clock = clock_seconds)
      : queue_(std::make_shared<WorkQueue>(devices, host, role, std::move(clock))) {}

  /// Adds devices if the role of the host is until_devices_ready; see WorkQueue::add.
  void add_devices(std::span<Backend* const> devices) { queue_->add(devices); }

  /// The posteriors of the wanted pairs, except those with an empty sequence. `progress` receives
  /// their progress; may be null.
  /// Throws  what the host or `sink` throws.
  void posteriors(const PosteriorFamily& family, const PairSet& wanted, const PosteriorSink& sink,
                  ProgressListener* progress = nullptr);
  /// The same of all pairs of a set.
  void posteriors(const SequenceSet& set, const PosteriorModel& model, const PosteriorSink& sink,
                  ProgressListener* progress = nullptr) {
    posteriors(PosteriorFamily(set, model), PairSet::all(set.size()), sink, progress);
  }

  /// One round of the consistency transform of the wanted pairs (see ConsistencyCall), through the
  /// intermediates of `weights`.
  /// Throws  what the host throws; Error{internal} if a wanted pair is not in `current`, or a pair
  ///         of one of its sequences with an intermediate.
  PosteriorSet consistency(const PosteriorSet& current, const PairSet& wanted,
                           const ConsistencyWeights& weights, float cutoff,
                           ProgressListener* progress = nullptr);
  /// The rounds of all pairs in `direct`: in one request, or one at a time if the family is large
  /// (ConsistencyRequest::is_large), if a device fails with all of them, or if each is asked for.
  /// Returns  what the last round makes; an empty set without rounds.
  PosteriorSet consistency(PosteriorSet& direct, const ConsistencyRounds& rounds,
                           ProgressListener* progress = nullptr);

  /// The neighbour-joining tree of the distances (see NeighborJoiningCall).
  /// Throws  what the host throws.
  GuideTree neighbor_joining(const DistanceMatrix& distances);

  /// The best local alignment of each pair of non-empty sequences (see LocalPairsCall).
  /// Throws  what the host or `sink` throws.
  void local_pairs(const SequenceSet& set, const accord_local_scores& scores,
                   const PairSink<LocalAlignment>& sink, ProgressListener* progress = nullptr);

  /// Computes requests of any stage. Returns when all are done.
  /// Throws  that of the first request that failed.
  void run(std::span<StageRequest* const> requests) {
    if (before_run_) before_run_();
    queue_->run(requests);
  }
  /// Has `check` called before each run() from here on, by its thread; what it throws is thrown
  /// there.
  void set_check(std::function<void()> check) { before_run_ = std::move(check); }

  /// The CPUs of the run, for all that computes beside the queue.
  CpuBudget& cpus() { return queue_->cpus(); }

  DeviceFaults faults() const { return queue_->faults(); }

  /// Unfinished requests, including those that no backend has begun.
  std::size_t open_requests() const { return queue_->open_requests(); }

 private:
  std::optional<PosteriorSet> transform_at_once(const PosteriorSet& current, const PairSet& wanted,
                                                const ConsistencyWeights& weights,
                                                std::span<const float> cutoffs,
                                                ProgressListener* progress);

  std::shared_ptr<WorkQueue> queue_;
  std::function<void()> before_run_;
};

/// Logs one warning about all faults of devices, if there were any.
void warn_of(const DeviceFaults& faults);

}  // namespace accord
