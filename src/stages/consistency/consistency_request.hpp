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
/// For a family that is not large, only units are kept while backends compute: devices do not wait
/// while the host makes matrices, and result() makes all of them. For a large family that would
/// take too much memory.
class ConsistencyRequest : public StageRequest {
 public:
  /// Several cutoffs (one a round) are for all pairs in `current`. The arguments must outlive the
  /// request. Announces the pairs to `progress`, which may be null.
  ConsistencyRequest(const PosteriorSet& current, const PairSet& wanted,
                     const ConsistencyWeights& weights, std::span<const float> cutoffs,
                     ProgressListener* progress);

  const Stage& stage() const override { return ConsistencyCall::stage; }
  const SharePolicy& policy() const override { return ConsistencyCall::policy; }
  std::size_t items() override { return cutoffs_.size() > 1 ? !pairs_.empty() : pairs_.size(); }
  /// The pairs of one round can be tried again in halves; several rounds cannot.
  bool ends_with_fault() const override { return cutoffs_.size() > 1; }
  /// The work of a cell is a walk over the term lists of two residues, which are about as long for
  /// all cells of a family, since each residue has cells against all intermediate sequences.
  double work(std::size_t item) const override;
  /// Throws  Error{device_failed} if the backend leaves pairs out, or units of a pair.
  void run(Backend& backend, std::uint32_t memory_parts, std::span<const ItemRange> items) override;
  /// What the last round makes of the wanted pairs; called once, when all items are computed. Uses
  /// thread_count() threads.
  PosteriorSet result();

  /// Whether a family with this number of cells is large: its rounds are requested one at a time,
  /// so that the input of a round can be freed after it.
  static bool is_large(double cells);
  /// Memory of the kept units of a family with this number of cells, in bytes.
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
  std::vector<std::uint16_t> units_;     // of all pairs; empty if matrices are made at once
  std::vector<std::size_t> first_unit_;  // of each pair in these
};

/// One round of the consistency transform of the wanted pairs (see ConsistencyCall), through the
/// intermediates of `weights`. `progress`, here and below, receives the progress; may be null.
/// Throws  what the host throws; Error{internal} if a wanted pair is not in `current`, or a pair
///         of one of its sequences with an intermediate.
PosteriorSet request_consistency(const PosteriorSet& current, const PairSet& wanted,
                                 const ConsistencyWeights& weights, float cutoff,
                                 Scheduler& scheduler, ProgressListener* progress = nullptr);

/// The rounds of all pairs in `direct`: in one request, or one at a time if the family is large
/// (ConsistencyRequest::is_large), if all of them are too much for a backend, or if each is asked
/// for.
/// Returns  what the last round makes; an empty set without rounds.
/// Throws  what the host throws.
PosteriorSet request_consistency(PosteriorSet& direct, const ConsistencyRounds& rounds,
                                 Scheduler& scheduler, ProgressListener* progress = nullptr);

}  // namespace accord
