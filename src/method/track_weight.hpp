// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/sequence_set.hpp"
#include "engine/scheduler.hpp"
#include "io/track_reader.hpp"
#include "method/pipeline.hpp"
#include "method/settings.hpp"

namespace accord {

/// Sets in the settings that tracks are used; does nothing for a source without tracks.
/// Throws  Error{usage} for a local mode, which has no posteriors; not for structures whose tracks
///         have the weight 0.
void use_tracks(const TrackSource& source, AlignSettings& settings);

/// Estimates what the tracks of a family are worth, from posteriors P of pairs of residues that are
/// computed without the tracks. s is the log odds of two track letters in the table of the tracks.
/// c is the mean of s over all pairs of residues of two sequences: letters that meet by chance. t
/// is the mean of s that the table expects of residues aligned with either of the two. The
/// agreement r is 0 if aligned residues have c on average, and 1 if they have t. It is estimated as
///
///   r = (sum P (s - c) + 0.7 k) / (sum P^2 (t - c) + k),  at least 0 and at most 1
///
/// over all cells of at most 120 pairs of sequences with tracks, spread evenly over all such pairs.
/// 0.7 is the agreement expected beforehand, and k = 20 nats is how much it counts. The weight of
/// proteins is 0 for r <= 0.15, rises linearly, and is 1 for r >= 0.85; the weight of nucleotides
/// is 0 for r
/// <= 0.3, and 1 for r = 1. The sums are of integers, so that no
/// order of the work changes them.
/// Throws  what the scheduler throws.
TrackWeight estimate_track_weight(const SequenceSet& set, const AlignSettings& settings,
                                  Scheduler& scheduler);

/// The weight that the settings give to tracks, or else the estimated one; none without tracks. It
/// is 0 if fewer than two sequences have a track (see has_track). Logs a warning if tracks are not
/// used though the settings do not give the weight 0.
/// Throws  as estimate_track_weight.
std::optional<TrackWeight> track_weight(const SequenceSet& set, const AlignSettings& settings,
                                        Scheduler& scheduler);

}  // namespace accord
