// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <vector>

#include "core/sequence_set.hpp"
#include "engine/scheduler.hpp"
#include "method/align_result.hpp"
#include "method/distance_noise.hpp"
#include "method/settings.hpp"

namespace accord {

/// The guide trees along which a family is aligned.
struct FamilyTrees {
  const GuideTree* first = nullptr;            ///< null: build_tree() builds it
  std::span<const DistanceNoise> others = {};  ///< noise of the distances of the other trees
};

/// Aligns a family by the mode posterior: along the first tree, and then, by the same posteriors,
/// along trees of the same distances with noise, by neighbour joining if the settings say so, else
/// by average linkage. The posteriors are computed once, and consistency uses the first tree. The
/// first result is that of align_family(), if `trees.first` is null. The other results have no
/// distances and no stages; the stages of all alignments are in the first result.
/// Throws  what the stages throw.
std::vector<AlignResult> align_along_trees(const SequenceSet& set, const AlignSettings& settings,
                                           const FamilyTrees& trees, Scheduler& scheduler,
                                           const RunListener& listener = {});

}  // namespace accord
