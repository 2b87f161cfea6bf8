// SPDX-License-Identifier: Apache-2.0
// The parts of neighbour joining before and after its steps. The backends compute the steps
// (formulas in neighbor_joining/join.h).
#pragma once
#include <cstdint>
#include <span>

#include "core/distance_matrix.hpp"
#include "core/guide_tree.hpp"
#include "engine/host/kernels.hpp"
#include "neighbor_joining/join.h"

namespace accord {

/// Rounds the distances of N sequences to units of 2^-24, and sums up each row of the full matrix.
/// Shape   `cells`: N (N - 1) / 2, row i = 1, 2, ... with its i distances; `sums`: N.
/// Throws  Error{internal} if a distance is not in [0, 32].
void fill_join_units(const DistanceMatrix& distances, std::span<std::int32_t> cells,
                     std::span<std::int64_t> sums);

/// Builds the tree from the joins of the steps of neighbour joining, rooted at its mid-point.
///
/// The root halves the longest path between two leaves; the left child of a join is the one that
/// holds the smallest leaf.
/// Shape   accord_nj_steps(leaves) joins for two leaves or more, in the order of the steps.
/// Units   branch lengths in the unit of the distances; negative ones become 0.
/// Throws  Error{internal} if there is another number of joins.
GuideTree tree_of_joins(std::uint32_t leaves, std::span<const accord_join> joins);

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
