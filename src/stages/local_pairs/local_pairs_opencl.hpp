// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/sequence_set.hpp"
#include "engine/opencl/device_stage.hpp"
#include "engine/opencl/program.hpp"
#include "local_pairs/local_layout.h"
#include "stages/local_pairs/local_pairs_call.hpp"
#include "stages/posteriors/posterior_opencl.hpp"
#include "stages/posteriors/posterior_plan.hpp"

namespace accord::ocl {

/// The layout of the kernels of local alignments on a device.
struct LocalLayout {
  bool is_group = false;    ///< kernels/local_pairs/local_group.cl, else local_pairs/local_lanes.cl
  std::uint32_t lanes = 1;  ///< largest number of pairs of a task; 1 if is_group
  /// A task that needs more bytes than this is cut into blocks of rows, which are computed twice.
  std::size_t task_bytes = SIZE_MAX;
};

/// The limits of one launch.
struct LocalLaunchLimits {
  std::size_t workspace_bytes = 0;  ///< for the workspaces of all tasks
  std::size_t segments = 0;         ///< number of segments of alignments that fit
  double work = 0;                  ///< cells of the dynamic programming
  std::size_t fewest = 0;           ///< number of tasks that are taken even above `work`
  std::size_t most = SIZE_MAX;      ///< largest number of tasks
};

/// Tasks that are computed by one launch, as the device gets them.
struct LocalLaunch {
  std::vector<accord_local_job> jobs;
  std::vector<PairIndex> pairs;     ///< in the order of their results
  std::vector<std::uint64_t> room;  ///< [pair]: index of the first segment reserved for the pair
  // Sums over the tasks; LocalLaunchLimits limits them.
  std::size_t workspace_bytes = 0;
  std::size_t segments = 0;
  double work = 0;
};

/// Removes tasks from the front of `tasks` until a limit is reached, and makes one launch of them.
/// A task has at most as many pairs as the layout has lanes.
/// Invariant  at least one task is taken, and the remaining tasks stay in `tasks`.
/// Throws  Error{out_of_memory} if the first task alone is above the limits for memory.
LocalLaunch take_local_launch(const CodedSequences& sequences, std::span<const PairBlock>& tasks,
                              const LocalLayout& layout, const LocalLaunchLimits& limits);

/// The kernels of local alignments: first the kernel of the alignments, then the one that packs
/// their segments.
std::vector<KernelChoice> local_kernels(const DeviceInfo& device, KernelLayout layout);

/// Computes local alignments of pairs on one device, in launches that fit its memory and time
/// limits.
/// Cost    device memory: at most 60 % of the budget for workspace, and 30 % for segments.
class LocalPairsStage : public DeviceStage {
 public:
  /// Sets nothing up on the device yet: the first run() builds the kernels. `session` must outlive
  /// the stage. `layout`: lanes (each vector lane aligns a pair) or group (a work-group aligns a
  /// pair), see choose_layout().
  LocalPairsStage(const Session& session, KernelLayout layout);

  /// Computes a LocalPairsCall.
  /// Throws  Error{out_of_memory} if one pair needs more than the device gives; cl::Error.
  void run(const StageCall& call) override;

 private:
  LocalLaunchLimits launch_limits() const;
  std::vector<accord_local_result> compute(const LocalLaunch& launch, const cl::Buffer& codes,
                                           const cl::Buffer& scores);
  void hand_over(const LocalLaunch& launch, std::span<const accord_local_result> results,
                 const PairSink<LocalAlignment>& sink);

  const Session& session_;
  KernelLayout layout_;
  LaunchPace pace_;
  std::optional<cl::Kernel> align_, pack_;
  GrowingBuffer workspace_, segments_, packed_;
};

}  // namespace accord::ocl
