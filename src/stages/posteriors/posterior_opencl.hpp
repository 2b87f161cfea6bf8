// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "base/timer.hpp"
#include "engine/opencl/device_stage.hpp"
#include "engine/opencl/program.hpp"
#include "stages/posteriors/posterior_call.hpp"
#include "stages/posteriors/posterior_launch.hpp"

namespace accord::ocl {

/// Makes the posterior matrices of pairs, and their expected accuracies, on the device, from the
/// cells that the group layout has found. The results are the same as those of
/// Calibration::matrix() and expected_accuracy() on the host, which is too slow for them if a GPU
/// computes the posteriors.
///
/// Cost    device memory: 4 bytes a cell and a row of each pair.
class PairMatrices {
 public:
  /// `session` is the device, and must outlive this object. make() builds the kernel when it first
  /// needs it.
  explicit PairMatrices(const Session& session) : session_(session) {}

  /// The kernel that makes matrices, for compiling it in advance.
  static KernelChoice kernel();

  /// Whether the device can make the matrices of these pairs: no found cell may round to nothing,
  /// and every sequence y must fit the local memory of a work-group.
  static bool suits(const PosteriorCall& call, std::span<const PairIndex> pairs);

  /// Begins to make the matrices of the pairs of `found`. The device buffer `cells` has the cells
  /// of the launch, and `model` the accord_model of the call.
  /// Returns  one item for each matrix; the next call discards these items.
  /// Throws  cl::Error.
  DeviceItems make(const FoundCells& found, const cl::Buffer& cells, const cl::Buffer& model,
                   const PosteriorCall& call);

  /// Passes matrix k of `made`, the matrix of found.pairs[k], to the sink of the call. `data`: the
  /// bytes of item k of `made`, which the caller has read from the device.
  /// Throws  Error{device_failed} if the data are no matrix; what the sink throws.
  static void deliver(const FoundCells& found, const DeviceItems& made, std::size_t k,
                      const void* data, const PosteriorCall& call);

 private:
  void load(const Calibration& calibration);

  const Session& session_;
  std::optional<cl::Kernel> kernel_;
  std::optional<Calibration> loaded_;
  cl::Buffer calibration_;
  SentBuffer tasks_;
  GrowingBuffer words_;
};

/// The layout of the posterior kernels on a device: kernels/posteriors/posterior_lanes.cl or
/// posterior_group.cl.
enum class KernelLayout { lanes, group };

/// The layout for a device: group for GPUs, lanes for all others. For tests, the environment
/// variable ACCORD_OPENCL_LAYOUT (lanes or group) overrides it.
/// Throws  Error{usage} for another value.
KernelLayout choose_layout(const DeviceInfo& device);

/// The kernels of the posterior stage: first the kernel of the posteriors, then the one that packs
/// their cells; in the group layout also the kernels for larger teams, and the one that makes
/// matrices.
std::vector<KernelChoice> posterior_kernels(const DeviceInfo& device, KernelLayout layout);

/// The posterior stage on one device.
///
/// The tasks of a call are cut into launches that fit the device's memory and time limits. In a
/// launch, each pair has room for a fixed number of cells. The found cells are packed (on a GPU
/// into matrices, see PairMatrices), and the host reads them while the device computes the next
/// launch. A task with more cells than room goes into a later launch with enough room.
///
/// Cost    device memory: at most 60 % of the budget for workspace, 30 % for cells.
class PosteriorStage : public DeviceStage {
 public:
  /// Prepares the stage on the device of the session, which must outlive this object. Kernels are
  /// built when run() needs them.
  PosteriorStage(const Session& session, KernelLayout layout);

  /// Computes a PosteriorCall.
  /// Throws  Error{out_of_memory} if one task needs more than the device gives; cl::Error.
  void run(const StageCall& call) override;

 private:
  /// The inputs that all launches of a call read.
  struct Inputs {
    const cl::Buffer &model, &codes, &sequences;
  };

  /// A launch that the device computes.
  struct Running {
    PosteriorLaunch launch;
    std::uint32_t team;
    cl::Event is_counted;  ///< when it has ended, `counts` has the cells of each pair
    const std::uint32_t* counts;
    Timer timer;  ///< since the start, including the reading of the previous results
  };

  TaskLimits task_limits() const;
  LaunchLimits launch_limits(std::uint32_t team) const;
  const cl::Kernel& kernel_for(std::uint32_t team);
  std::vector<std::uint32_t> teams_of(const CodedSequences& sequences,
                                      std::span<const PairTask> tasks) const;
  Inputs send(const PosteriorCall& call);
  Running start(PosteriorLaunch launch, std::uint32_t team, const Inputs& in);
  std::span<const std::uint32_t> finish(const Running& running);
  DeviceItems pack(const FoundCells& found, const cl::Buffer& model);

  const Session& session_;
  const Session reading_;  ///< with another queue, so that reading does not wait for a launch
  KernelLayout layout_;
  LaunchPace pace_;
  std::optional<cl::Kernel> pack_;
  std::map<std::uint32_t, cl::Kernel> of_team_;  ///< the posterior kernels, by team
  // Data for the device, and results for the host, stay until they have been used: a launch begins
  // when the previous launch has ended, and packing begins when the results of the previous launch
  // have been read.
  SentBuffer model_, codes_, sequences_, tasks_, next_, from_, to_;
  GrowingBuffer workspace_, cells_, counts_, packed_;
  StagingBuffer counted_, staging_;
  PairMatrices matrices_;
};

}  // namespace accord::ocl
