// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <span>
#include <vector>

#include "engine/opencl/device_stage.hpp"
#include "engine/opencl/program.hpp"
#include "stages/local_pairs/local_pairs_call.hpp"
#include "stages/local_pairs/local_pairs_launch.hpp"
#include "stages/posteriors/posterior_opencl.hpp"

namespace accord::ocl {

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
