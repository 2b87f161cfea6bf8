// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/distance_matrix.hpp"
#include "core/guide_tree.hpp"
#include "core/sequence_set.hpp"
#include "method/settings.hpp"
#include "run/devices/run_context.hpp"

namespace accord::run {

/// The guide tree of a family, by the distances of its posteriors and the method of the settings.
/// Units   branch lengths are those of the distance.
/// Throws  Error{out_of_memory} if that does not fit the memory budget; as compute_distances and
///         build_tree.
GuideTree guide_tree(const SequenceSet& set, const AlignSettings& settings,
                     const RunContext& context);

/// The UPGMA tree of distances, with branch lengths of as few digits as the distances have.
/// Units   those of the distances.
GuideTree tree_by_average_linkage(const DistanceMatrix& distances);

/// The same tree of neighbour joining, rooted at its midpoint.
/// Throws  as Scheduler::neighbor_joining.
GuideTree tree_by_neighbor_joining(const DistanceMatrix& distances, const RunContext& context);

}  // namespace accord::run
