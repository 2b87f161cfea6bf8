// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "accord/core/backend.hpp"
#include "accord/host/kernels.hpp"

namespace accord {

/// The reference backend: the shared kernel text compiled for the processor's instruction set,
/// tasks spread over threads. Needs no OpenCL.
class HostBackend : public Backend {
 public:
  /// `kernels` is one of host::available_kernels(). If not given, the fastest, and the next
  /// narrower for tasks with few pairs.
  explicit HostBackend(const host::Kernels* kernels = nullptr);

  std::string name() const override;
  BackendLimits limits() const override;
  void posteriors(const CodedSequences& sequences, const PairBatch& batch,
                  const accord_model& model, const PosteriorSink& sink) override;
  void relax(const PosteriorSet& current, const RelaxBatch& batch, const RelaxWeights& weights,
             float cutoff, const RelaxSink& sink) override;
  std::vector<GuideTree> join(std::span<const DistanceMatrix> matrices) override;

 private:
  const host::Kernels* kernels_;
  const host::Kernels* narrow_;  // null: there are none
};

}  // namespace accord
