// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "core/sequence_set.hpp"
#include "engine/scheduler.hpp"
#include "method/family_size.hpp"
#include "method/large/combined_alignment.hpp"
#include "method/large/placing.hpp"
#include "method/pipeline.hpp"
#include "method/settings.hpp"

namespace accord {

/// Adds sequences to an alignment, whose columns stay as they are: each new sequence is placed (see
/// place_sequences) by its nearest rows among those that represent the alignment (kAddingRows of
/// them), or, if these are more than kAddingNearest, in two steps (see PlacingOptions). Residues
/// that no column takes get new columns, in which the new sequences that share the place are
/// aligned. The confidence is that of the pairs of a new sequence with its nearest rows; given rows
/// have none.
///
/// Genomes that are alike to a row (see nearest_genomes) are placed by the kGenomesNearest rows
/// that share most words with them.
///
/// `set`: the rows of the alignment without gaps, and the new sequences; `given` has the rows. Its
/// columns may be empty, and stay so.
/// Throws  what the scheduler throws.
/// Cost    for each new sequence common subsequences with at most kAddingRows rows, and the
///         posteriors of nearest_count() pairs at most.
CombinedAlignment add_sequences(const SequenceSet& set, const AlignedPart& given,
                                const AlignSettings& settings, Scheduler& scheduler,
                                const RunListener& listener = {});

/// The rows of an alignment among which the nearest ones are searched, at most.
constexpr std::size_t kAddingRows = 1000;
/// Those of them that a sequence is aligned with if there are no more; of more those of the effort
/// (LargeEffort::most_members) at most.
constexpr std::size_t kAddingNearest = 100;

}  // namespace accord
