// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <functional>
#include <vector>

#include "core/aligned_part.hpp"
#include "core/guide_tree.hpp"
#include "core/sequence_set.hpp"
#include "engine/scheduler.hpp"
#include "method/settings.hpp"

namespace accord {

/// Merges the alignments of subsets along a tree. Each alignment is kept, except for added columns
/// of gaps. A join adds up the posteriors of the pairs of near rows by column: from each side up to
/// `rows` rows, in the order of their similarity to a row of the other side (similarity_of() the
/// longest common subsequence). For a larger side, kNearCandidates representatives are compared.
///
/// `on_join`: if set, it is called after each join.
/// Shape   a row for each sequence of the set; empty for sequences of no part.
/// Throws  what the scheduler throws.
/// Cost    for each join the posteriors of `rows`^2 pairs, which are in memory for one join at a
///         time.
Msa merge_subsets(const SequenceSet& set, const std::vector<AlignedPart>& parts,
                  const GuideTree& tree, std::size_t rows, const AlignSettings& settings,
                  Scheduler& scheduler, const std::function<void()>& on_join = {});

constexpr std::size_t kNearCandidates = 200;

}  // namespace accord
