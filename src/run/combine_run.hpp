// SPDX-License-Identifier: Apache-2.0
// Adds sequences to a given alignment, and merges given alignments; their columns stay as they are.
#pragma once
#include "io/families/given_alignments.hpp"
#include "method/large/combined_alignment.hpp"
#include "method/settings.hpp"
#include "run/devices/run_devices.hpp"

namespace accord::run {

/// Adds the sequences of `given` that are not aligned yet to its alignment; there must be exactly
/// one. Tracks have the weight of with_track_weight() over all rows and sequences. Warnings name
/// sequences that have too few residues.
/// Throws  Error{out_of_memory} if adding does not fit the memory budget; as add_sequences and
///         with_track_weight.
CombinedAlignment add(const GivenAlignments& given, const AlignSettings& settings,
                      const RunContext& context);

/// Merges the given alignments. Tracks have the weight of with_track_weight() over all rows.
/// Throws  Error{out_of_memory} if merging does not fit the memory budget; as merge_alignments and
///         with_track_weight.
CombinedAlignment merge(const GivenAlignments& given, const AlignSettings& settings,
                        const RunContext& context);

}  // namespace accord::run
