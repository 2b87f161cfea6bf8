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

/// Makes the matrices of pairs on the device from the cells that the group layout has found: the
/// same as Calibration::matrix() and expected_accuracy(), for which the host is too slow where a
/// GPU computes the posteriors.
///
/// Cost    device memory: 4 bytes a cell and a row of each pair.
class PairMatrices {
 public:
  explicit PairMatrices(const Session& session) : session_(session) {}

  static KernelChoice kernel();

  /// Whether the matrices of these pairs can be made so: no cell is left out of them, and no
  /// sequence y is too long for the local memory of a work-group.
  static bool suits(const PosteriorCall& call, std::span<const PairIndex> pairs);

  /// Begins to make the matrices of the pairs whose cells lie in `cells`, one item each; the next
  /// call discards them.
  /// Throws  cl::Error.
  DeviceItems make(const FoundCells& found, const cl::Buffer& cells, const cl::Buffer& model,
                   const PosteriorCall& call);

  /// Gives matrix k of those, as it was read, to the sink.
  /// Throws  Error{device_failed} if it is none.
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
