// SPDX-License-Identifier: Apache-2.0
// The calls of the stage of neighbour joining, which backends compute.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "core/distance_matrix.hpp"
#include "core/guide_tree.hpp"
#include "engine/stage_request.hpp"

namespace accord {

/// Builds a neighbour-joining tree for each distance matrix, rooted at the middle of the longest
/// path between two leaves. Branch lengths are in the unit of the distances; negative lengths
/// become 0. Small matrices are computed side by side.
/// Throws  Error{internal} if a distance is not in [0, 32].
struct NeighborJoiningCall {
  static const Stage stage;
  /// Units   the work of a matrix is the square of its number of leaves.
  static constexpr SharePolicy policy{1e6, 0.05, 0.5};

  std::span<const DistanceMatrix* const> matrices;
  std::span<GuideTree> trees;  ///< out: one per matrix; the caller makes it as long as `matrices`

  /// Compares the trees of the tested backend with those of the reference, for matrices with many
  /// ties.
  /// Returns  an empty text if all bytes agree, else a message with the size of the first tree that
  ///          differs.
  static std::string self_test(Backend& tested, Backend& reference);
};

/// Builds the neighbour-joining trees of distance matrices, in the order of `matrices`, on one
/// backend (see NeighborJoiningCall).
/// Throws  Error{internal} if a distance is not in [0, 32]; what the backend throws.
std::vector<GuideTree> join(Backend& backend, std::span<const DistanceMatrix> matrices);

}  // namespace accord
