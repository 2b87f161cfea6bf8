// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/pair_sink.hpp"
#include "engine/stage_request.hpp"
#include "stages/consistency/consistency_call.hpp"

namespace accord {

/// The rounds of consistency of a family. For one round the items are its pairs; for several rounds
/// the family is the only item, so that the results of a round need not leave the backend. If a
/// device fails with several rounds, they are requested one at a time, and the pairs of a round can
/// be tried again in halves.
///
/// For a family that is not large, only units are kept while backends compute: devices do not wait
/// while the host makes matrices, and finish() makes all of them. For a large family that would
/// take too much memory.
class ConsistencyRequest : public StageRequest {
 public:
  /// `pairs` have a fixed order, those with most cells first; for several cutoffs (one a round)
  /// they are all pairs that have cells. The arguments must outlive this.
  ConsistencyRequest(const PosteriorSet& current, std::vector<PairIndex> pairs,
                     const ConsistencyWeights& weights, std::span<const float> cutoffs,
                     PairSink<SparseMatrix> sink);

  BackendStage stage() const override { return ConsistencyCall::stage; }
  const SharePolicy& policy() const override { return ConsistencyCall::policy; }
  std::size_t items() override { return cutoffs_.size() > 1 ? !pairs_.empty() : pairs_.size(); }
  bool falls_back_to_rounds() const override { return cutoffs_.size() > 1; }
  /// The work of a cell is a walk over the term lists of two residues, which are about as long for
  /// all cells of a family, since each residue has cells against all intermediate sequences.
  double work(std::size_t item) const override;
  /// Throws  Error{device_failed} if the backend leaves pairs out, or units of a pair.
  void run(Backend& backend, std::uint32_t memory_parts, std::span<const ItemRange> items) override;
  /// Gives the sink the matrices that it does not have yet; called when all items are computed.
  /// Uses thread_count() threads.
  void finish();

  /// Whether a family with this number of cells is large: its rounds are requested one at a time,
  /// so that the input of a round can be freed after it.
  static bool is_large(double cells);
  /// Memory of the kept units of a family with this number of cells, in bytes.
  static double kept_bytes(double cells);

 private:
  void deliver(std::size_t pair, std::span<const std::uint16_t> units);

  const PosteriorSet& current_;
  std::vector<PairIndex> pairs_;
  const ConsistencyWeights& weights_;
  std::span<const float> cutoffs_;
  PairSink<SparseMatrix> sink_;
  std::vector<std::uint16_t> units_;     // of all pairs; empty if matrices are made at once
  std::vector<std::size_t> first_unit_;  // of each pair in these
};

}  // namespace accord
