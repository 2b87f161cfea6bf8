// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

#include "stages/consistency/call.hpp"
#include "stages/likelihood/call.hpp"
#include "stages/local_fit/call.hpp"
#include "stages/local_pairs/call.hpp"
#include "stages/neighbor_joining/call.hpp"
#include "stages/posteriors/call.hpp"

namespace accord {

/// The calls of all stages, in the order of BackendStage: the only list of the stages. For what a
/// backend declares once for each of them there is ACCORD_FOR_EACH_CALL(declare).
using StageCall =
    std::variant<PosteriorCall, JoinCall, RelaxCall, LikelihoodCall, LocalFitCall, LocalPairsCall>;
#define ACCORD_FOR_EACH_CALL(declare)                                                 \
  declare(PosteriorCall) declare(JoinCall) declare(RelaxCall) declare(LikelihoodCall) \
      declare(LocalFitCall) declare(LocalPairsCall)

constexpr std::size_t kBackendStages = std::variant_size_v<StageCall>;

/// What `function` returns for each type of call, given as std::type_identity, in the order of the
/// stages.
template <class Function>
constexpr auto for_each_call(Function function) {
  return [&]<std::size_t... k>(std::index_sequence<k...>) {
    return std::array{function(std::type_identity<std::variant_alternative_t<k, StageCall>>())...};
  }
  (std::make_index_sequence<kBackendStages>());
}

constexpr std::size_t index_of(BackendStage stage) { return static_cast<std::size_t>(stage); }

/// Of each stage, how its work is shared out.
constexpr auto kSharePolicies =
    for_each_call([](auto type) { return decltype(type)::type::policy; });

static_assert(for_each_call([](auto type) { return decltype(type)::type::stage; }) ==
              std::array{BackendStage::posteriors, BackendStage::join, BackendStage::relax,
                         BackendStage::likelihood, BackendStage::local_fit,
                         BackendStage::local_pairs});

/// The one seam between the driver and the arithmetic. HostBackend (OpenMP) is the reference and
/// computes every stage; every other backend gives the same bits.
///
/// Rules   const inputs, owned results. A call either completes or throws an Error; after an
///         Error the work may be given to another backend as if nothing had happened.
/// Threads calls() of them may call compute() at the same time.
/// Cost    called once per batch (tens of times per run), so dispatch is free.
class Backend {
 public:
  virtual ~Backend() = default;

  /// The device in words, for messages and the report.
  virtual std::string name() const = 0;

  /// Batches that may be computed at the same time.
  virtual std::uint32_t calls() const { return 1; }

  /// Batches that it should have computed before it computes `calls` of them at the same time: what
  /// a further one needs takes longer to make than it gains in a short run.
  virtual std::size_t batches_before(std::uint32_t /*calls*/) const { return 0; }

  /// Nothing if the backend does not compute the stage.
  virtual std::optional<StageLimits> limits(BackendStage stage) const = 0;

  /// Says that a stage will be asked for later, so that the backend can get ready meanwhile.
  virtual void announce(BackendStage) {}

  /// Computes a batch of a stage. The backend plans its own tasks, with one of `memory_parts` parts
  /// of its memory.
  virtual void compute(const StageCall& call, std::uint32_t memory_parts) = 0;
  /// The same with all of its memory.
  void compute(const StageCall& call) { compute(call, 1); }
};

}  // namespace accord
