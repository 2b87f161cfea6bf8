// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <optional>

#include "core/sequence_set.hpp"
#include "engine/scheduler.hpp"
#include "io/families/track_reader.hpp"
#include "method/align_result.hpp"
#include "method/settings.hpp"

namespace accord {

/// Puts the table and the weight of the tracks into the settings, so that an alignment uses tracks,
/// and superposes structures, unless the weight of their tracks is 0. `settings` has the other
/// settings already. Does nothing for a source without tracks.
/// Throws  Error{usage} for a local mode, which has no posteriors. There, tracks of structures with
///         the weight 0 are no error, and are not used.
void use_tracks(const TrackSource& source, AlignSettings& settings);

/// Puts a table of the letters of tracks into the settings, and the weight of the tracks; no
/// weight: it is estimated.
void set_track_table(std::shared_ptr<const TrackTable> table, std::optional<double> weight,
                     AlignSettings& settings);

/// Estimates the weight of the tracks of a family, from posteriors P of pairs of residues that are
/// computed without the tracks. use_tracks() has put the table into `settings`. If fewer than two
/// sequences have a track, the weight is 0, and there is no agreement.
/// For two residues, s is the log odds of their track letters in the
/// table of the tracks. c is the mean of s over all pairs of residues of the two sequences, where
/// letters meet by chance. t is the mean of s that the table expects for the residues that are
/// aligned with either of the two letters. The agreement r is 0 if s of aligned residues is c on
/// average, and 1 if it is t on average. It is estimated as
///
///   r = (sum P (s - c) + 0.7 k) / (sum P^2 (t - c) + k),  at least 0 and at most 1
///
/// over all cells of at most 120 pairs of sequences with tracks, spread evenly over all such pairs.
/// 0.7 is the agreement expected beforehand, and it counts as much as k = 20 nats. For proteins,
/// the weight is 0 up to r = 0.15, rises linearly, and is 1 from r = 0.85 on. For nucleotides, it
/// is 0 up to r = 0.3, rises linearly, and is 1 for r = 1. The sums are of integers, so that the
/// order of the work does not change them.
/// Throws  what the scheduler throws.
TrackWeight estimate_track_weight(const SequenceSet& set, const AlignSettings& settings,
                                  Scheduler& scheduler);

/// The settings of a family whose tracks have a weight.
struct WeightedSettings {
  AlignSettings settings;
  std::optional<TrackWeight> track;  ///< no value if there are no tracks
};

/// Gives the tracks of a family their weight: that of the settings, or else the estimated one. The
/// weight is 0 if fewer than two sequences have a track (see has_track). Logs a warning if the
/// weight is 0 although the settings do not set it to 0.
/// Throws  as estimate_track_weight.
WeightedSettings with_track_weight(const SequenceSet& set, const AlignSettings& settings,
                                   Scheduler& scheduler);

}  // namespace accord
