// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/distance_matrix.hpp"
#include "core/guide_tree.hpp"
#include "engine/host/kernels.hpp"

namespace accord {

/// Builds the neighbour-joining tree of distances, rooted at its mid-point (see tree_of_joins()).
///
/// Distances are rounded to units of 2^-24 and everything is computed in integers, so that every
/// device builds the same tree. Of several best pairs of clusters (i, j), j < i, the pair with the
/// smallest i, then the smallest j, is joined; the new cluster keeps the place i. Uses
/// thread_count() threads. `kernels` are the host's kernels for one instruction set; all kernels
/// give the same tree.
/// Throws  Error{internal} if a distance is not in [0, 32].
/// Cost    2 N^2 bytes; at most N^3 / 6 evaluations of the criterion, but a few hundredths of that
///         for distances that are nearly those of a tree (see neighbor_joining/join.h).
/// Reference  Saitou & Nei 1987, Mol Biol Evol 4:406; Studier & Keppler 1988, Mol Biol Evol 5:729.
GuideTree neighbor_joining(const DistanceMatrix& distances,
                           const host::Kernels& kernels = *host::available_kernels().front());

}  // namespace accord
