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

#include "engine/stage_request.hpp"

namespace accord {

struct PosteriorCall;
struct NeighborJoiningCall;
struct ConsistencyCall;
struct LikelihoodCall;
struct LocalFitCall;
struct LocalPairsCall;

/// Declares something once for each type of call: ACCORD_FOR_EACH_CALL(declare).
#define ACCORD_FOR_EACH_CALL(declare)                                          \
  declare(PosteriorCall) declare(NeighborJoiningCall) declare(ConsistencyCall) \
      declare(LikelihoodCall) declare(LocalFitCall) declare(LocalPairsCall)

/// A reference to a call of one stage. This is the only list of the stages, in the order of
/// BackendStage; each call is defined in the folder of its stage.
class StageCall {
 public:
  using Reference =
      std::variant<const PosteriorCall*, const NeighborJoiningCall*, const ConsistencyCall*,
                   const LikelihoodCall*, const LocalFitCall*, const LocalPairsCall*>;

  /// Refers to `call`, which must live as long as this.
  template <class Call>
  requires std::is_constructible_v<Reference, const Call*> StageCall(const Call& call)
      : call_(&call) {}

  BackendStage stage() const { return static_cast<BackendStage>(call_.index()); }

  /// The call if it is of this type, else null.
  template <class Call>
  const Call* get_if() const {
    const auto* found = std::get_if<const Call*>(&call_);
    return found != nullptr ? *found : nullptr;
  }
  /// The call, which is of this type.
  template <class Call>
  const Call& get() const {
    return *std::get<const Call*>(call_);
  }
  /// Calls `function` with the call.
  template <class Function>
  void visit(Function function) const {
    std::visit([&](const auto* call) { function(*call); }, call_);
  }

 private:
  Reference call_;
};

constexpr std::size_t kBackendStages = std::variant_size_v<StageCall::Reference>;
static_assert(kStageNames.size() == kBackendStages);

/// The results of `function` for each type of call, given as std::type_identity, in the order of
/// the stages.
template <class Function>
constexpr auto for_each_call(Function function) {
  return [&]<std::size_t... k>(std::index_sequence<k...>) {
    return std::array{function(
        std::type_identity<std::remove_const_t<
            std::remove_pointer_t<std::variant_alternative_t<k, StageCall::Reference>>>>())...};
  }
  (std::make_index_sequence<kBackendStages>());
}

constexpr std::size_t index_of(BackendStage stage) { return static_cast<std::size_t>(stage); }

/// The one seam between the driver and the arithmetic. HostBackend (OpenMP) is the reference and
/// computes every stage; every other backend gives the same bits.
///
/// Rules   const inputs, owned results. A call either completes or throws an Error; after an
///         Error the work may be given to another backend as if nothing had happened.
/// Threads concurrent_batches() threads may call compute() at the same time.
/// Cost    called once per batch (tens of times per run), so dispatch is free.
class Backend {
 public:
  virtual ~Backend() = default;

  /// The name of the device, for messages and the report.
  virtual std::string name() const = 0;

  /// Batches that may be computed at the same time.
  virtual std::uint32_t concurrent_batches() const { return 1; }

  /// Batches that the backend computes before it starts `concurrent` of them at the same time:
  /// setting up another one takes longer than it saves in a short run.
  virtual std::size_t warm_up_batches(std::uint32_t /*concurrent*/) const { return 0; }

  /// No value if the backend does not compute the stage.
  virtual std::optional<StageLimits> limits(BackendStage stage) const = 0;

  /// Announces a stage that will be used later, so that the backend can prepare for it.
  virtual void announce(BackendStage) {}

  /// Computes a batch of a stage. The backend plans its own tasks, and uses one of `memory_parts`
  /// equal parts of its memory.
  virtual void compute(const StageCall& call, std::uint32_t memory_parts) = 0;
  /// The same with all of its memory.
  void compute(const StageCall& call) { compute(call, 1); }
};

}  // namespace accord
