// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "engine/stage.hpp"
#include "engine/stage_request.hpp"

namespace accord {

/// Computes batches of the stages, on the host or on a device. All arithmetic of the stages is
/// behind this interface. HostBackend is the reference and computes every stage; every other
/// backend gives the same bits.
///
/// Rules   inputs are const, and results belong to the caller. A call either completes or throws an
///         Error; after an Error another backend may compute the same call.
/// Threads concurrent_batches() threads may call compute() at the same time.
/// Cost    called once per batch (tens of times per run), so dispatch is free.
class Backend {
 public:
  virtual ~Backend() = default;

  /// The name of the device, for messages and the report.
  virtual std::string name() const = 0;

  /// The number of batches that may be computed at the same time.
  virtual std::uint32_t concurrent_batches() const { return 1; }

  /// The number of batches that the backend computes before it computes `concurrent` batches at the
  /// same time: in a short run, preparing for one more takes longer than it saves.
  virtual std::size_t warm_up_batches(std::uint32_t /*concurrent*/) const { return 0; }

  /// Whether it computes on the processors of the host, as PoCL does. Batches then wait for CPUs of
  /// the run as the host's do, and beside other backends it computes only what these cannot.
  virtual bool uses_host_processors() const { return false; }

  /// The limits of a stage; no value if the backend does not compute the stage.
  virtual std::optional<StageLimits> limits(const Stage& stage) const = 0;

  /// Announces a stage that will be used later, so that the backend can prepare for it. compute()
  /// also works without this call.
  virtual void announce(const Stage&) {}

  /// Computes a batch of a stage, which must be one that the backend computes (see limits). The
  /// backend plans its tasks, and uses one of `memory_parts` equal parts of its memory.
  virtual void compute(const StageCall& call, std::uint32_t memory_parts) = 0;
  /// The same with all of the memory.
  void compute(const StageCall& call) { compute(call, 1); }
};

}  // namespace accord
