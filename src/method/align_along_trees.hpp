// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <vector>

#include "method/distance_noise.hpp"
#include "method/pipeline.hpp"

namespace accord {

/// Aligns a family by the mode posterior: along its guide tree, and then, by the same posteriors,
/// along trees of the same distances with noise (by average linkage if the first tree is from a
/// file). The posteriors are computed once, and consistency uses the first tree. The first result
/// is that of align_family(). The other results have no distances and no stages; the stages of all
/// alignments are in the first result.
/// Throws  what the stages throw.
std::vector<AlignResult> align_along_trees(const SequenceSet& set, const AlignSettings& settings,
                                           std::span<const DistanceNoise> others,
                                           Scheduler& scheduler, const RunListener& listener = {});

}  // namespace accord
