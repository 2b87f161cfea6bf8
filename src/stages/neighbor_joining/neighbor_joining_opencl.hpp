// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/opencl/device_stage.hpp"
#include "engine/opencl/program.hpp"
#include "stages/neighbor_joining/neighbor_joining_call.hpp"
#include "stages/neighbor_joining/neighbor_joining_launch.hpp"

namespace accord::ocl {

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
