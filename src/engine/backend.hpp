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
struct JoinCall;
struct RelaxCall;
struct LikelihoodCall;
struct LocalFitCall;
struct LocalPairsCall;

/// A call of one of the stages, which are listed here alone, in the order of BackendStage; each is
/// defined in the folder of its stage. For what a backend declares once for each of them there is
/// ACCORD_FOR_EACH_CALL(declare).
#define ACCORD_FOR_EACH_CALL(declare)                                                 \
  declare(PosteriorCall) declare(JoinCall) declare(RelaxCall) declare(LikelihoodCall) \
      declare(LocalFitCall) declare(LocalPairsCall)
class StageCall {
 public:
  using Reference = std::variant<const PosteriorCall*, const JoinCall*, const RelaxCall*,
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

/// What `function` returns for each type of call, given as std::type_identity, in the order of the
/// stages.
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
