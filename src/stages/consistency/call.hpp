// SPDX-License-Identifier: Apache-2.0
// The stage of the consistency transform: what backends get, what the scheduler has to know, the
// self-test.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "core/posterior_set.hpp"
#include "core/sparse_matrix.hpp"
#include "engine/stage_request.hpp"
#include "stages/consistency/plan.hpp"
#include "stages/consistency/weights.hpp"

namespace accord {

/// Takes what the packed cells of pair number `pair` of a call become, in their order: new units, 0
/// for those that are left out (see SparseMatrix::with_units). They are there during the call; the
/// other rules are those of MatrixSink.
using RelaxSink = std::function<void(std::size_t pair, std::span<const std::uint16_t> units)>;

/// Rounds of the weighted consistency transform for some pairs of a family, or one round. Cells
/// below the cutoff of a round are left out.
struct RelaxCall {
  static constexpr BackendStage stage = BackendStage::relax;
  /// Units   stored bytes times sequences. Every batch lays out the posteriors of its sequences
  ///         anew, so batches are long, and a family is not cut between those of one backend.
  static constexpr SharePolicy policy{1e6, 0.2, 2, false};

  const PosteriorSet& current;
  std::span<const PairIndex> pairs;
  const RelaxWeights& weights;
  std::span<const float> cutoffs;  ///< of each round; several only for all pairs that have cells
  const RelaxSink& sink;           ///< of the last round; units of the packed cells of `current`

  /// Compares the transform of a made-up family with that of the reference.
  /// Result  nothing if all bytes agree, else where the first difference is.
  static std::string self_test(Backend& tested, Backend& reference);
};

/// Computes the rounds of a call one after another, each by `one_round`, which is called with calls
/// of a round: for backends that cannot do better.
void relax_in_rounds(const RelaxCall& call, const std::function<void(const RelaxCall&)>& one_round);

/// Rounds of consistency of a family. The items are its pairs, or for several rounds the family is
/// the only one: what a backend has found then need not leave it in between. If a device fails with
/// it, the rounds are to be requested one at a time, whose pairs can be tried again in halves.
///
/// Of a family that is not large, units alone are kept while backends compute: a device does not
/// wait for the host to make matrices of them, and finish() makes all. Of a large one that would
/// take too much memory.
class RelaxRequest : public StageRequest {
 public:
  /// Takes the new matrix of a pair; the rules are those of MatrixSink.
  using Sink = std::function<void(PairIndex pair, SparseMatrix matrix)>;

  /// The pairs in their order, those with most cells first; for several cutoffs, of as many rounds,
  /// all pairs that have cells. What is given must outlive this.
  RelaxRequest(const PosteriorSet& current, std::vector<PairIndex> pairs,
               const RelaxWeights& weights, std::span<const float> cutoffs, Sink sink);

  BackendStage stage() const override { return RelaxCall::stage; }
  const SharePolicy& policy() const override { return RelaxCall::policy; }
  std::size_t items() override { return cutoffs_.size() > 1 ? !pairs_.empty() : pairs_.size(); }
  bool gives_way() const override { return cutoffs_.size() > 1; }
  /// The work of a cell is to walk over the term lists of two residues, which are about as long
  /// for all cells of a family: each has cells against all intermediate sequences.
  double work(std::size_t item) const override;
  /// Errors  Error{device_failed} if the backend leaves pairs out, or units of a pair.
  void run(Backend& backend, std::uint32_t memory_parts, std::span<const ItemRange> items) override;
  /// To be called when all items were computed: gives the sink the matrices that it has not got.
  /// Uses thread_count() threads.
  void finish();

  /// Whether a family with so many cells is large: its rounds are to be requested one at a time, so
  /// that what a round began with can be given up after it.
  static bool is_large(double cells);
  /// Memory of the units that are kept of a family with so many cells, in bytes.
  static double kept_bytes(double cells);

 private:
  void deliver(std::size_t pair, std::span<const std::uint16_t> units);

  const PosteriorSet& current_;
  std::vector<PairIndex> pairs_;
  const RelaxWeights& weights_;
  std::span<const float> cutoffs_;
  Sink sink_;
  std::vector<std::uint16_t> units_;     // of all pairs; empty if matrices are made at once
  std::vector<std::size_t> first_unit_;  // of each pair in these
};

}  // namespace accord
