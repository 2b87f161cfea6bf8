// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "accord/core/distance_matrix.hpp"
#include "accord/core/guide_tree.hpp"

namespace accord {

/// Neighbour-joining tree, rooted at its mid-point.
///
/// Distances are rounded to units of 2^-24 and everything is computed in integers, so that the
/// tree is the same everywhere. Of several best pairs of clusters (i, j), j < i, the one with the
/// smallest i, then the smallest j is joined; the new cluster keeps the place i. The root halves
/// the longest path between two leaves; the left child of a join is the one that holds the
/// smallest leaf. Uses thread_count() threads.
/// Units   branch lengths in the unit of the distances; negative ones become 0.
/// Errors  Error{internal} if a distance is not in [0, 32].
/// Cost    2 N^2 bytes; at most N^3 / 6 evaluations of the criterion.
/// Source  Saitou & Nei 1987, Mol Biol Evol 4:406; Studier & Keppler 1988, Mol Biol Evol 5:729.
GuideTree neighbor_joining(const DistanceMatrix& distances);

}  // namespace accord
