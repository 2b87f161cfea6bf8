// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "core/sequence_set.hpp"
#include "engine/scheduler.hpp"
#include "method/align_result.hpp"
#include "method/family_size.hpp"
#include "method/large/combined_alignment.hpp"
#include "method/large/placing.hpp"
#include "method/settings.hpp"

namespace accord {

/// Adds sequences to an alignment, whose columns stay as they are. Each new sequence is placed (see
/// place_sequences) by its nearest rows among kAddingRows representatives of the alignment; if
/// there are more than kAddingNearest representatives, in two steps (see PlacingOptions). Residues
/// that no column takes get new columns, in which the new sequences with residues at the same place
/// are aligned. The confidence is over the pairs of a new sequence with its nearest rows; given
/// rows have none.
///
/// Genomes that are alike to a row (see nearest_genomes) are placed by the kGenomesNearest rows
/// that share most words with them.
///
/// `set`: the rows of the alignment without gaps, and the new sequences. `given`: the alignment; a
/// sequence of `set` that is no member of `given` is new. Columns of `given` may be empty, and stay
/// so.
/// Throws  what the scheduler throws.
/// Cost    for each new sequence, common subsequences with at most kAddingRows rows, and the
///         posteriors of at most nearest_count() pairs.
CombinedAlignment add_sequences(const SequenceSet& set, const AlignedPart& given,
                                const AlignSettings& settings, Scheduler& scheduler,
                                const RunListener& listener = {});

/// The largest number of rows of an alignment among which the nearest rows are searched.
constexpr std::size_t kAddingRows = 1000;
/// If an alignment has at most this number of rows, a new sequence is aligned with all of them, or
/// with fewer if nearest_count() says so; else with at most LargeEffort::most_members.
constexpr std::size_t kAddingNearest = 100;

}  // namespace accord
