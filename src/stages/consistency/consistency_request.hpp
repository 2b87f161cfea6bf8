// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/progress_listener.hpp"
#include "engine/scheduler.hpp"
#include "stages/consistency/consistency_call.hpp"

namespace accord {

/// The rounds of consistency of a family. For one round the items are its pairs; for several rounds
/// the family is the only item, so that the results of a round need not leave the backend.
///
/// For a family that is not large, the request keeps only units while backends compute, and
/// result() makes the matrices, so that devices do not wait for the host. For a large family, each
/// matrix is made at once, since the units would take too much memory.
class ConsistencyRequest : public StageRequest {
 public:
  /// `cutoffs`: one for each round; with several rounds, `wanted` must be all pairs of `current`.
  /// The arguments must outlive the request. Announces the pairs to `progress`, which may be null.
  ConsistencyRequest(const PosteriorSet& current, const PairSet& wanted,
                     const ConsistencyWeights& weights, std::span<const float> cutoffs,
                     ProgressListener* progress);

  const Stage& stage() const override { return ConsistencyCall::stage; }
  const SharePolicy& policy() const override { return ConsistencyCall::policy; }
  std::size_t items() override { return cutoffs_.size() > 1 ? !pairs_.empty() : pairs_.size(); }
  /// The pairs of one round can be tried again in halves; several rounds cannot.
  bool ends_with_fault() const override { return cutoffs_.size() > 1; }
  /// The work is proportional to the cells. For each cell two term lists are walked through, which
  /// are about as long for all cells of a family, since every residue has cells with every
  /// intermediate.
  double work(std::size_t item) const override;
  /// Throws  Error{device_failed} if the backend leaves out pairs, or units of a pair.
  void run(Backend& backend, std::uint32_t memory_parts, std::span<const ItemRange> items) override;
  /// The posteriors of the wanted pairs after the last round. Call it once, when all items are
  /// computed. Uses thread_count() threads.
  PosteriorSet result();

  /// Whether a family with this number of cells is large. The rounds of a large family are
  /// requested one at a time, so that the input of a round can be freed after it.
  static bool is_large(double cells);
  /// Memory of the units that a request keeps for a family with this number of cells, in bytes.
  static double kept_bytes(double cells);

 private:
  void keep(std::size_t pair, std::span<const std::uint16_t> units);
  void make(std::size_t pair, std::span<const std::uint16_t> units);

  const PosteriorSet& current_;
  const std::vector<PairIndex> pairs_;  // that have cells
  const ConsistencyWeights& weights_;
  std::span<const float> cutoffs_;
  ProgressListener* const progress_;
  PosteriorSet transformed_;
  std::vector<std::uint16_t> units_;     // of all pairs; empty for a large family
  std::vector<std::size_t> first_unit_;  // [pair]: its first unit in units_
};

/// One round of the consistency transform of the wanted pairs (see ConsistencyCall), through the
/// intermediates of `weights`. `progress`, here and below, receives the progress; may be null.
/// Throws  what the host throws; Error{internal} if `current` lacks a wanted pair, or the pair of
///         one of its sequences and an intermediate.
PosteriorSet request_consistency(const PosteriorSet& current, const PairSet& wanted,
                                 const ConsistencyWeights& weights, float cutoff,
                                 Scheduler& scheduler, ProgressListener* progress = nullptr);

/// Computes the rounds for all pairs in `direct`, in one request. The rounds are requested one at a
/// time if the family is large (ConsistencyRequest::is_large), if a device fails with all of them,
/// or if `rounds.on_round` is set. Empties `direct` after the first request that succeeds, unless
/// `rounds.keeps_direct` is set.
/// Returns  the posteriors after the last round; an empty set if there are no rounds.
/// Throws  the errors of the host; Error{internal} if `direct` lacks the pair of a sequence and an
///         intermediate.
PosteriorSet request_consistency(PosteriorSet& direct, const ConsistencyRounds& rounds,
                                 Scheduler& scheduler, ProgressListener* progress = nullptr);

}  // namespace accord
