// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>

#include "accord/core/backend.hpp"
#include "accord/opencl/device.hpp"

namespace accord {

/// The arithmetic on one OpenCL device. Kernels are compiled when they are first needed, once.
/// Errors  everything that OpenCL reports becomes an Error: out_of_memory if memory ran out,
///         device_failed for every other fault.
class OpenClBackend : public Backend {
 public:
  /// Opens the device.
  /// Errors  Error{device_failed} if that fails or the device is unusable.
  explicit OpenClBackend(const ocl::DeviceInfo& device);
  ~OpenClBackend() override;

  std::string name() const override;
  BackendLimits limits() const override;
  void posteriors(const SequenceSet& set, const PairBatch& batch, const accord_model& model,
                  const PosteriorSink& sink) override;
  std::vector<SparseMatrix> relax(const PosteriorSet& current, const RelaxBatch& batch,
                                  std::span<const float> weights,
                                  const ConsistencyParams& params) override;

 private:
  struct Stages;
  std::unique_ptr<Stages> stages_;
};

}  // namespace accord
