// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/opencl/device_stage.hpp"
#include "engine/opencl/program.hpp"
#include "neighbor_joining/join.h"
#include "stages/neighbor_joining/neighbor_joining_call.hpp"

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

/// The kernels of neighbour joining: first the kernel for many steps of small matrices, then those
/// for the two halves of a step of a large matrix.
std::vector<KernelChoice> neighbor_joining_kernels(const DeviceInfo& device);

/// Neighbour joining on one device (kernels/neighbor_joining/join.cl).
///
/// Small matrices share a launch, one work-group each; a large one takes two launches per step over
/// the whole device. A few steps are queued at a time.
/// Cost    device memory: 2 N^2 bytes per matrix, at most 90 % of the budget.
class NeighborJoiningStage : public DeviceStage {
 public:
  /// Sets nothing up on the device yet: the first run() builds the kernels. `session` must outlive
  /// the stage. A matrix is small if it has at most 768 leaves, on a CPU 1024.
  explicit NeighborJoiningStage(const Session& session);

  /// The same with another limit: a matrix of more than `group_places` leaves is large, and spread
  /// over the whole device.
  NeighborJoiningStage(const Session& session, std::uint32_t group_places);

  /// Computes a NeighborJoiningCall.
  /// Throws  Error{out_of_memory} if one matrix does not fit; cl::Error.
  void run(const StageCall& call) override;

 private:
  struct Buffers;

  NeighborJoiningLimits limits() const;
  std::uint32_t group() const;
  void build_kernels();
  Buffers upload_launch(const NeighborJoiningLaunch& launch, const NeighborJoiningCall& call);
  void run_small(const NeighborJoiningLaunch& launch, const Buffers& buffers);
  void run_large(const NeighborJoiningLaunch& launch, const Buffers& buffers);

  const Session& session_;
  std::uint32_t group_places_;
  LaunchPace small_pace_, large_pace_;
  std::optional<cl::Kernel> small_, scan_, unite_;
  GrowingBuffer distance_;
};

}  // namespace accord::ocl
