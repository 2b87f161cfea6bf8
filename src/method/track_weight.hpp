// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/sequence_set.hpp"
#include "engine/scheduler.hpp"
#include "io/track_reader.hpp"
#include "method/pipeline.hpp"
#include "method/settings.hpp"

namespace accord {

/// Sets in the settings that tracks are used; does nothing for a source without tracks.
/// Throws  Error{usage} for a local mode, which has no posteriors.
void use_tracks(const TrackSource& source, AlignSettings& settings);

/// Estimates what the tracks of a family are worth, from the posteriors P of its letters alone. Two
/// residues have the log odds s of their letters in the table. Let c be the mean of s over letters
/// of both sequences taken at random, and t its mean over aligned letters by the table. If the
/// tracks agree as far as the share r of the table, the mean of s - c is r P (t - c). The estimate
/// is
///
///   r = (sum P (s - c) + 0.7 k) / (sum P^2 (t - c) + k),  at least 0 and at most 1
///
/// over all cells of at most 120 pairs of sequences with tracks, spread evenly over all such pairs,
/// with k for the prior. The weight is 0 for r <= 0.15, and grows evenly to 1 for r >= 0.85. The
/// sums are of integers, so that no order of the work changes them.
/// Throws  what the scheduler throws.
TrackWeight estimate_track_weight(const SequenceSet& set, const AlignSettings& settings,
                                  Scheduler& scheduler);

/// The weight that the settings give to tracks, or else the estimated one; none without tracks.
/// Throws  as estimate_track_weight.
std::optional<TrackWeight> track_weight(const SequenceSet& set, const AlignSettings& settings,
                                        Scheduler& scheduler);

}  // namespace accord
