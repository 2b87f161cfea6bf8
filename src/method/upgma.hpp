// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/distance_matrix.hpp"
#include "core/guide_tree.hpp"
#include "method/distance_noise.hpp"

namespace accord {

/// Builds the guide tree by average linkage (UPGMA), with clusters weighted by their sizes.
///
/// Ties: of several closest pairs of clusters (i, j), j < i, the pair with the smallest i, then the
/// smallest j, is joined. The new cluster keeps index i; its left child is the old cluster i. Both
/// branches of a join have its height, half the distance of its children, as in MSAProbs, whose
/// sequence weights depend on the heights. with_branch_lengths() converts heights to branch
/// lengths.
///
/// `noise` changes the distances of sequences, and the distance of each new cluster from every
/// other cluster. The mean of many distances has less noise than one distance. The noise of new
/// clusters makes up for that, so that the spread is the same at all depths of the tree. If a join
/// would be lower than its higher child, it gets the height of this child.
/// Units   heights in the unit of the distances.
/// Throws  Error{internal} if a distance is not a finite number.
/// Cost    2 N^2 bytes for a copy of the distances; O(N^2) time expected.
/// Reference  Sokal & Michener 1958; Liu et al. 2010, Bioinformatics 26:1958.
GuideTree upgma(const DistanceMatrix& distances, const DistanceNoise& noise = {});

}  // namespace accord
