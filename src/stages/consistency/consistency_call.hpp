// SPDX-License-Identifier: Apache-2.0
// The stage of the consistency transform: what backends get.
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
#include "stages/consistency/consistency_plan.hpp"
#include "stages/consistency/consistency_weights.hpp"

namespace accord {

/// Receives the new units of the packed cells of pair number `pair` of a call, in their order; 0
/// for cells that are left out (see SparseMatrix::with_units). The span is valid during the call;
/// the other rules are those of PairSink.
using ConsistencySink = std::function<void(std::size_t pair, std::span<const std::uint16_t> units)>;

/// One or several rounds of the weighted consistency transform for some pairs of a family. Cells
/// below the cutoff of a round are left out.
struct ConsistencyCall {
  static const Stage stage;
  /// Units   stored bytes times sequences. Every batch lays out the posteriors of its sequences
  ///         anew, so batches are long, and a family is not cut between those of one backend.
  static constexpr SharePolicy policy{1e6, 0.2, 2, false};

  const PosteriorSet& current;
  std::span<const PairIndex> pairs;
  const ConsistencyWeights& weights;
  std::span<const float> cutoffs;  ///< of each round; several only for all pairs that have cells
  const ConsistencySink& sink;     ///< of the last round; units of the packed cells of `current`

  /// Compares the transform of a made-up family with that of the reference.
  /// Returns  nothing if all bytes agree, else where the first difference is.
  static std::string self_test(Backend& tested, Backend& reference);
};

/// Computes the rounds of a call one after another: calls `one_round` with a call of one round. For
/// backends without a better way.
void transform_in_rounds(const ConsistencyCall& call,
                         const std::function<void(const ConsistencyCall&)>& one_round);

/// The rounds that a family goes through, and the matrices that are kept of each.
struct ConsistencyRounds {
  const ConsistencyWeights& weights;
  std::span<const float> cutoffs;  ///< of each round
  bool keeps_direct = true;  ///< else the first posteriors are emptied when they are not needed
  std::function<void(const PosteriorSet&)> on_round = {};  ///< receives what each round makes
};

/// Posterior sets in memory at the same time, at most: those that rounds begin with, the first of
/// which stays if it is kept or, if the family is not large, for what comes of the last; and that
/// which comes of it.
inline int consistency_sets(int rounds, bool keeps_direct) {
  return 1 + (rounds > 0) + (rounds > 0 && (keeps_direct || rounds > 2));
}

}  // namespace accord
