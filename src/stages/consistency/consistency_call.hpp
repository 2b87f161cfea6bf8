// SPDX-License-Identifier: Apache-2.0
// The calls of the consistency stage, which backends compute.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "core/posterior_set.hpp"
#include "core/sparse_matrix.hpp"
#include "engine/stage_request.hpp"
#include "stages/consistency/consistency_plan.hpp"
#include "stages/consistency/consistency_weights.hpp"

namespace accord {

/// Receives the new units of the packed cells of pair number `pair` of a call, from 0, in the order
/// of the cells. A cell with 0 units is left out (see SparseMatrix::with_units). The span is valid
/// only while the sink runs. Several threads call the sink at the same time, each for another pair.
/// After an Error all pairs are computed again, and a later result replaces an earlier one. So a
/// sink assigns; it must not add up or count.
using ConsistencySink = std::function<void(std::size_t pair, std::span<const std::uint16_t> units)>;

/// One or several rounds of the weighted consistency transform for some pairs of a family. Cells
/// below the cutoff of a round are left out.
struct ConsistencyCall {
  static const Stage stage;
  /// Units   stored bytes times sequences. Every batch has to lay out the posteriors of its
  ///         sequences. So batches are long, and the concurrent batches of a backend are of
  ///         different families.
  static constexpr SharePolicy policy{1e6, 0.2, 2, false};

  const PosteriorSet& current;        ///< the posteriors before the first round
  std::span<const PairIndex> pairs;   ///< the pairs whose posteriors are transformed
  const ConsistencyWeights& weights;  ///< of the sequences of the family
  /// The cutoff of each round, as a probability. With several rounds, `pairs` must be all pairs
  /// that have cells.
  std::span<const float> cutoffs;
  const ConsistencySink& sink;  ///< gets the units of the last round, for the cells of `current`

  /// Compares the transform of a made-up family by `tested` with that by `reference`.
  /// Returns  an empty text if all bytes agree, else the place of the first difference.
  static std::string self_test(Backend& tested, Backend& reference);
};

/// Computes the rounds of a call one after another: calls `one_round` with a call for each round.
/// For backends that cannot keep the cells between rounds.
void transform_in_rounds(const ConsistencyCall& call,
                         const std::function<void(const ConsistencyCall&)>& one_round);

/// The rounds of consistency of a family.
struct ConsistencyRounds {
  const ConsistencyWeights& weights;
  std::span<const float> cutoffs;  ///< of each round
  bool keeps_direct = true;  ///< false: the first posteriors are freed when no round needs them
  /// Gets the result of each round, on the thread that requests the rounds; may be empty.
  std::function<void(const PosteriorSet&)> on_round = {};
};

/// The largest number of posterior sets in memory at the same time. During a round there are two:
/// its input and its result. A third one, the first posteriors, stays if it is kept or if there are
/// more than two rounds.
inline int consistency_sets(int rounds, bool keeps_direct) {
  return 1 + (rounds > 0) + (rounds > 0 && (keeps_direct || rounds > 2));
}

}  // namespace accord
