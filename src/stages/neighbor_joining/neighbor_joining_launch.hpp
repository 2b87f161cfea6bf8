// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "neighbor_joining/join.h"

namespace accord::ocl {

/// The limits of one launch of neighbour joining.
struct NeighborJoiningLimits {
  std::size_t bytes = 0;           ///< device memory of all matrices of a launch
  std::size_t tasks = 0;           ///< the most matrices of one launch, at least 1
  std::uint32_t group_places = 0;  ///< a matrix with more leaves gets the whole device
};

/// Matrices whose joins are computed together, as the device gets them.
struct NeighborJoiningLaunch {
  std::vector<std::size_t> matrices;  ///< indices of the matrices in the list of the planner
  std::vector<accord_nj_task> tasks;  ///< one per matrix
  bool whole_device = false;          ///< one matrix, spread over all work-groups
  std::size_t bytes = 0;              ///< device memory of all matrices
  std::size_t cells = 0;              ///< distances of all matrices
  std::uint32_t places = 0;           ///< leaves of all matrices
  std::uint32_t steps = 0;            ///< steps of neighbour joining of all matrices
};

/// Device memory that the neighbour joining of a matrix takes, in bytes: the distances, the data of
/// places (rows) and steps, and the results of a work-group.
std::size_t join_bytes(std::uint32_t leaves);

/// Groups matrices into launches, the largest first, so that the matrices of one launch are of
/// similar size. `leaves`: the number of leaves of each matrix. Pure.
/// Invariant  every matrix of at least two leaves is in exactly one launch; a smaller matrix is in
///         no launch. A launch stays within limits.bytes and limits.tasks. A matrix with more than
///         limits.group_places leaves is alone in its launch.
/// Throws  Error{out_of_memory} if a single matrix does not fit.
std::vector<NeighborJoiningLaunch> plan_neighbor_joining_launches(
    std::span<const std::uint32_t> leaves, const NeighborJoiningLimits& limits);

}  // namespace accord::ocl
