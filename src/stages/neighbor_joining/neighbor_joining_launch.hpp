// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "neighbor_joining/join.h"

namespace accord::ocl {

/// What one launch of neighbour joining may use.
struct NeighborJoiningLimits {
  std::size_t bytes = 0;           ///< device memory of all matrices of a launch
  std::size_t tasks = 0;           ///< the most matrices of one launch, at least 1
  std::uint32_t group_places = 0;  ///< a matrix with more is spread over the whole device
};

/// Matrices whose joins are computed together, as the device gets them.
struct NeighborJoiningLaunch {
  std::vector<std::size_t> matrices;  ///< their numbers
  std::vector<accord_nj_task> tasks;  ///< one per matrix
  bool whole_device = false;          ///< one matrix, spread over all work-groups
  std::size_t bytes = 0;
  std::size_t cells = 0;
  std::uint32_t places = 0;  ///< of all tasks
  std::uint32_t steps = 0;   ///< of all tasks
};

/// Device memory that a matrix takes: its distances, the places of its nodes, and the steps.
std::size_t join_bytes(std::uint32_t leaves);

/// Cuts matrices of the given numbers of leaves into launches, the largest first, so that those of
/// one launch are of similar size. Pure.
/// Invariant  every matrix of two leaves or more is in exactly one launch, smaller ones in none;
///         only a launch of one matrix exceeds a limit, and never that of the memory.
/// Throws  Error{out_of_memory} if a single matrix does not fit.
std::vector<NeighborJoiningLaunch> plan_neighbor_joining_launches(
    std::span<const std::uint32_t> leaves, const NeighborJoiningLimits& limits);

}  // namespace accord::ocl
