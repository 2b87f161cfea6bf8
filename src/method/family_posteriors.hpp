// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/confidence.hpp"
#include "core/distance_matrix.hpp"
#include "core/msa.hpp"
#include "core/sequence_set.hpp"
#include "engine/progress_listener.hpp"
#include "engine/scheduler.hpp"
#include "method/pieces.hpp"
#include "method/settings.hpp"
#include "stages/posteriors/posterior_call.hpp"

namespace accord {

/// Passes the posterior matrix of every wanted pair to `sink`, including pairs with an empty
/// sequence. Several threads may call `sink` at the same time, each for another pair; after a
/// device has failed, it may get a pair again (see PairSink). Long pairs of similar nucleotide
/// sequences are computed in pieces (compute_in_pieces).
/// `progress`, here and below, may be null.
/// Returns  the number of pairs that were computed in pieces, and of their pieces.
/// Throws  what the scheduler and `sink` throw.
PieceCount for_each_posterior(const PosteriorFamily& family, const PairSet& wanted,
                              Scheduler& scheduler, const PosteriorSink& sink,
                              ProgressListener* progress = nullptr);

/// Computes the posteriors of the wanted pairs.
/// Throws  what the scheduler throws.
PosteriorSet compute_posteriors(const PosteriorFamily& family, const PairSet& wanted,
                                Scheduler& scheduler, ProgressListener* progress = nullptr);

/// Computes the confidence of any alignment of a family, from the posteriors of all pairs. `msa`
/// aligns the sequences of `set`.
/// Throws  what the scheduler throws.
Confidence compute_confidence(const Msa& msa, const SequenceSet& set, const AlignSettings& settings,
                              Scheduler& scheduler, ProgressListener* progress = nullptr);

/// Computes the distances of all pairs of a family: 1 - expected accuracy, in [0, 1]. Matrices are
/// not kept.
/// Throws  what the scheduler throws.
DistanceMatrix compute_distances(const SequenceSet& set, const AlignSettings& settings,
                                 Scheduler& scheduler, ProgressListener* progress = nullptr);

}  // namespace accord
