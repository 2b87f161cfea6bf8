// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <vector>

#include "core/aligned_part.hpp"
#include "core/sequence_set.hpp"
#include "engine/scheduler.hpp"
#include "method/align_result.hpp"
#include "method/large/combined_alignment.hpp"
#include "method/settings.hpp"

namespace accord {

/// Merges alignments. Each of them is kept, except for added columns of gaps. The posteriors of
/// pairs of rows from different alignments are added up by column, and the alignments are joined
/// like the profiles of a progressive alignment, along a UPGMA tree of the mean distances between
/// them.
///
/// Representatives stand for the rows of an alignment: about kMergedRows for all alignments
/// together, but at least kLeastMergedRows for each. The confidence is over the pairs of
/// representatives from different alignments; other rows have none.
/// `parts`: at least one; every sequence of the set is in one of them.
/// Throws  what the scheduler throws.
/// Cost    the posteriors of the pairs of representatives from different alignments.
CombinedAlignment merge_alignments(const SequenceSet& set, std::vector<AlignedPart> parts,
                                   const AlignSettings& settings, Scheduler& scheduler,
                                   const RunListener& listener = {});

constexpr std::size_t kMergedRows = 300, kLeastMergedRows = 8;

}  // namespace accord
