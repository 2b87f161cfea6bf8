// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>

#include "core/sequence_set.hpp"
#include "engine/scheduler.hpp"
#include "method/align_result.hpp"
#include "method/settings.hpp"

namespace accord {

/// Aligns a family by subsets of near relatives (choose_subsets) of at most `most` sequences. Each
/// subset is aligned with the whole method, then merge_subsets() merges the alignments. Equal
/// sequences are aligned once. For families whose sequences are far from every member of a
/// backbone.
///
/// The confidence is over the pairs within the subsets. AlignResult::backbone is the largest
/// subset, of equally large ones the first.
/// Throws  Error{usage} for a guide tree from a file; what the scheduler throws.
/// Cost    the pairs within the subsets, and those of merge_subsets(). Subsets are aligned at the
///         same time only as far as their posteriors take no more memory than those of one subset
///         of `most` sequences of mean length.
AlignResult align_by_subsets(const SequenceSet& set, std::size_t most,
                             const AlignSettings& settings, Scheduler& scheduler,
                             const RunListener& listener = {});

}  // namespace accord
