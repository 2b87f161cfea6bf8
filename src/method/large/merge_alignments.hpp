// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <vector>

#include "core/aligned_part.hpp"
#include "core/sequence_set.hpp"
#include "engine/scheduler.hpp"
#include "method/large/combined_alignment.hpp"
#include "method/pipeline.hpp"
#include "method/settings.hpp"

namespace accord {

/// Merges alignments. Each of them stays as it is except for columns of gaps: the posteriors of the
/// pairs of rows from different alignments are added up by column, and the alignments are combined
/// like the profiles of a progressive alignment, along an UPGMA tree of the mean distances between
/// them.
///
/// Representatives stand for the rows of an alignment: all of them together are about kMergedRows,
/// but at least kLeastMergedRows of each. The confidence is that of their pairs from different
/// alignments; other rows have none.
/// `parts`: at least one; every sequence of the set is in one of them.
/// Throws  what the scheduler throws.
/// Cost    the posteriors of the representatives of different alignments.
CombinedAlignment merge_alignments(const SequenceSet& set, std::vector<AlignedPart> parts,
                                   const AlignSettings& settings, Scheduler& scheduler,
                                   const RunListener& listener = {});

constexpr std::size_t kMergedRows = 300, kLeastMergedRows = 8;

}  // namespace accord
