// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/distance_matrix.hpp"
#include "core/guide_tree.hpp"
#include "core/sequence_set.hpp"
#include "method/settings.hpp"
#include "run/devices/run_devices.hpp"

namespace accord::run {

/// Builds the guide tree of a family, from the distances of its posteriors, with the tree method of
/// the settings.
/// Units   branch lengths are those of the distance.
/// Throws  Error{out_of_memory} if the distances do not fit the memory budget; what the backends
///         throw; as tree_of_file for a tree from a file.
GuideTree guide_tree(const SequenceSet& set, const AlignSettings& settings,
                     const RunContext& context);

/// Builds the UPGMA tree of distances. Each branch length is rounded to as few digits as possible,
/// but changes by at most 2^-22 of the longest distance.
/// Units   those of the distances.
GuideTree tree_by_average_linkage(const DistanceMatrix& distances);

/// Builds the neighbour-joining tree of distances, rooted at its midpoint. The distances are finite
/// and at least 0, in any unit, which is that of the branch lengths. Branch lengths are rounded as
/// those of tree_by_average_linkage().
/// Throws  Error{internal} for a distance below 0; what the backends throw.
GuideTree tree_by_neighbor_joining(const DistanceMatrix& distances, const RunContext& context);

}  // namespace accord::run
