// SPDX-License-Identifier: Apache-2.0
// Alignments that stay as they are: sequences are added to one, or several are merged.
#pragma once
#include "io/given_alignments.hpp"
#include "method/large/combined_alignment.hpp"
#include "method/settings.hpp"
#include "run/devices/run_context.hpp"

namespace accord::run {

/// Adds sequences to the one alignment that is given. Warnings name sequences that have too few
/// residues.
/// Throws  Error{out_of_memory} if that does not fit the memory budget; as add_sequences.
CombinedAlignment add(const GivenAlignments& given, const AlignSettings& settings,
                      const RunContext& context);

/// Merges the alignments that are given.
/// Throws  Error{out_of_memory} if that does not fit the memory budget; as merge_alignments.
CombinedAlignment merge(const GivenAlignments& given, const AlignSettings& settings,
                        const RunContext& context);

}  // namespace accord::run
