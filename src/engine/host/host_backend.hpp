// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "engine/backend.hpp"
#include "engine/host/kernels.hpp"

namespace accord {

/// The reference backend: the shared kernel text compiled for the processor's instruction set,
/// tasks spread over threads. Needs no OpenCL.
class HostBackend : public Backend {
 public:
  /// `kernels`: one of host::available_kernels(); null: the fastest kernels, and the next narrower
  /// ones for tasks with few pairs.
  explicit HostBackend(const host::Kernels* kernels = nullptr);

  std::string name() const override;
  std::optional<StageLimits> limits(const Stage&) const override { return StageLimits(); }
  using Backend::compute;
  /// Computes a call on thread_count() threads; `memory_parts` has no effect.
  void compute(const StageCall& call, std::uint32_t memory_parts) override;

  /// The kernels that the stages use.
  const host::Processor& processor() const { return processor_; }

 private:
  host::Processor processor_;
};

}  // namespace accord
