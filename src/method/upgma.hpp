// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/distance_matrix.hpp"
#include "core/guide_tree.hpp"

namespace accord {

/// Guide tree by average linkage (UPGMA), clusters weighted by their sizes.
///
/// Of several closest pairs of clusters (i, j), j < i, the one with the smallest i, then the
/// smallest j is joined; the new cluster keeps the place i, its left child is the cluster of i.
/// Both branches of a join have its height, half the distance of its children (as in MSAProbs,
/// whose weights rest on it); with_branch_lengths makes an ultrametric tree of it.
/// Units   heights in the unit of the distances.
/// Throws  Error{internal} if a distance is not a finite number.
/// Cost    2 N^2 bytes for a copy of the distances; O(N^2) time expected.
/// Reference  Sokal & Michener 1958; Liu et al. 2010, Bioinformatics 26:1958.
GuideTree upgma(const DistanceMatrix& distances);

}  // namespace accord
