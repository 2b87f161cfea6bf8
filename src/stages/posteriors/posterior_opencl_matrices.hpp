// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

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

}  // namespace accord::ocl
