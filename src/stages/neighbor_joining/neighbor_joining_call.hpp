// SPDX-License-Identifier: Apache-2.0
// The stage of neighbour joining: what backends get.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/distance_matrix.hpp"
#include "core/guide_tree.hpp"
#include "engine/stage_request.hpp"

namespace accord {

/// One neighbour-joining tree for each matrix (see tree_of_joins() and neighbor_joining()); small
/// matrices are computed side by side.
/// Throws  Error{internal} if a distance is not in [0, 32].
struct NeighborJoiningCall {
  static constexpr BackendStage stage = BackendStage::neighbor_joining;
  /// Units   squares of the numbers of leaves.
  static constexpr SharePolicy policy{1e6, 0.05, 0.5};

  std::span<const DistanceMatrix* const> matrices;
  std::span<GuideTree> trees;  ///< out: one per matrix

  /// Compares trees of matrices with many ties with those of the reference.
  /// Returns  nothing if all bytes agree, else which one differs.
  static std::string self_test(Backend& tested, Backend& reference);
};

/// The trees of matrices, computed by one backend.
std::vector<GuideTree> join(Backend& backend, std::span<const DistanceMatrix> matrices);

}  // namespace accord
