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

  /// Refers to `call`, which must outlive this object.
  template <class Call>
  requires std::is_constructible_v<Reference, const Call*> StageCall(const Call& call)
      : call_(&call) {}

  BackendStage stage() const { return static_cast<BackendStage>(call_.index()); }

  /// The call if it has the type Call, else null.
  template <class Call>
  const Call* get_if() const {
    const auto* found = std::get_if<const Call*>(&call_);
    return found != nullptr ? *found : nullptr;
  }
  /// The call, which must have the type Call.
  template <class Call>
  const Call& get() const {
    return *std::get<const Call*>(call_);
  }
  /// Calls `function` with the call, in its type.
  template <class Function>
  void visit(Function function) const {
    std::visit([&](const auto* call) { function(*call); }, call_);
  }

 private:
  Reference call_;
};

constexpr std::size_t kBackendStages = std::variant_size_v<StageCall::Reference>;
static_assert(kStageNames.size() == kBackendStages);

/// An array of the results of `function`, called with std::type_identity of each type of call, in
/// the order of the stages.
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

  /// The limits of a stage; no value if the backend does not compute the stage.
  virtual std::optional<StageLimits> limits(BackendStage stage) const = 0;

  /// Announces a stage that will be used later, so that the backend can prepare for it.
  virtual void announce(BackendStage) {}

  /// Computes a batch of a stage. The backend plans its own tasks, and uses one of `memory_parts`
  /// equal parts of its memory.
  virtual void compute(const StageCall& call, std::uint32_t memory_parts) = 0;
  /// The same with all of the memory.
  void compute(const StageCall& call) { compute(call, 1); }
};

}  // namespace accord
