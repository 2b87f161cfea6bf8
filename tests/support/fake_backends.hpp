// SPDX-License-Identifier: Apache-2.0
// Backends that compute like the host and misbehave in one way each.
#pragma once
#include <algorithm>
#include <atomic>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "accord/base/error.hpp"
#include "engine/host/host_backend.hpp"
#include "stages/consistency/consistency_call.hpp"
#include "stages/neighbor_joining/neighbor_joining_call.hpp"
#include "stages/posteriors/posterior_call.hpp"

namespace accord::testing {

/// The most that were there at the same time.
class Crowd {
 public:
  class Visit {
   public:
    explicit Visit(Crowd& crowd) : crowd_(crowd) {
      const int now = ++crowd_.now_;
      int most = crowd_.most_;
      while (now > most && !crowd_.most_.compare_exchange_weak(most, now)) {
      }
    }
    ~Visit() { --crowd_.now_; }
    Visit(const Visit&) = delete;
    Visit& operator=(const Visit&) = delete;

   private:
    Crowd& crowd_;
  };
  int now() const { return now_; }
  int most() const { return most_; }

 private:
  std::atomic<int> now_{0}, most_{0};
};

/// The pairs of a call.
inline std::size_t pairs_of(const PosteriorCall& call) {
  std::size_t pairs = 0;
  for (const PairBlock& block : call.blocks) pairs += block.count;
  return pairs;
}

/// A host backend under another name, with hooks. Counts its calls.
class FakeDevice : public HostBackend {
 public:
  explicit FakeDevice(std::string name, const host::Kernels* kernels = nullptr)
      : HostBackend(kernels), name_(std::move(name)) {}

  std::function<void(int call)> before = [](int) {};  ///< may throw
  std::function<void(const PosteriorCall&)> check_pairs = [](const PosteriorCall&) {};  ///< same
  std::function<void(std::uint32_t)> check_memory = [](std::uint32_t) {};               ///< same
  std::function<PosteriorSink(const PosteriorSink&)> tamper_with = [](const PosteriorSink& sink) {
    return sink;
  };
  std::function<ConsistencySink(const ConsistencySink&)> tamper_with_units =
      [](const ConsistencySink& sink) { return sink; };
  std::function<void(std::span<GuideTree>)> tamper_with_trees = [](std::span<GuideTree>) {};
  std::uint32_t claimed_batches = 1, claimed_at_once = 1;
  std::size_t claimed_warm_up = 0;         ///< batches before it computes so many at once
  std::vector<const Stage*> missing = {};  ///< stages that it does not compute
  bool is_on_host = false;                 ///< whether it claims the processors of the host

  std::string name() const override { return name_; }
  std::uint32_t concurrent_batches() const override { return claimed_batches; }
  std::size_t warm_up_batches(std::uint32_t concurrent) const override {
    return concurrent == claimed_batches ? claimed_warm_up : 0;
  }
  bool uses_host_processors() const override { return is_on_host; }
  std::optional<StageLimits> limits(const Stage& stage) const override {
    if (std::find(missing.begin(), missing.end(), &stage) != missing.end()) return std::nullopt;
    return StageLimits{claimed_at_once};
  }

  using Backend::compute;
  void compute(const StageCall& call, std::uint32_t memory_parts) override {
    const Crowd::Visit visit(crowd_);
    before(calls_++);
    check_memory(memory_parts);
    if (const auto* posteriors = call.get_if<PosteriorCall>()) {
      check_pairs(*posteriors);
      compute_tampered(*posteriors);
      pairs_ += pairs_of(*posteriors);
    } else if (const auto* transform = call.get_if<ConsistencyCall>()) {
      const ConsistencySink tampered = tamper_with_units(transform->sink);
      HostBackend::compute(ConsistencyCall{transform->current, transform->pairs, transform->weights,
                                           transform->cutoffs, tampered},
                           memory_parts);
    } else {
      HostBackend::compute(call, memory_parts);
    }
    if (const auto* joins = call.get_if<NeighborJoiningCall>()) tamper_with_trees(joins->trees);
  }

  int calls_made() const { return calls_; }
  std::size_t pairs_done() const { return pairs_; }
  int calls_now() const { return crowd_.now(); }
  int most_calls_at_once() const { return crowd_.most(); }

 private:
  void compute_tampered(const PosteriorCall& call) {
    const PosteriorSink tampered = tamper_with(call.sink);
    HostBackend::compute(
        PosteriorCall{call.sequences, call.blocks, call.model, tampered, SIZE_MAX, call.listener},
        1);
  }

  std::string name_;
  std::atomic<int> calls_{0};
  std::atomic<std::size_t> pairs_{0};
  Crowd crowd_;
};

[[noreturn]] inline void fail_with(ErrorKind kind, const std::string& text) {
  throw Error(kind, text, "");
}

/// Fails every call.
inline void make_useless(FakeDevice& device, ErrorKind kind) {
  device.before = [kind](int) { fail_with(kind, "this device always fails"); };
}

/// Fails call number `n` and no other.
inline void make_fail_once(FakeDevice& device, int n, ErrorKind kind) {
  device.before = [n, kind](int call) {
    if (call == n) fail_with(kind, "the device fails once");
  };
}

/// Has only one of so many parts of the memory that it claims, and fails if a batch plans with
/// more.
inline void make_lie_about_memory(FakeDevice& device, std::uint32_t parts) {
  device.check_memory = [parts](std::uint32_t planned) {
    if (planned < parts) fail_with(ErrorKind::out_of_memory, "no memory on the device");
  };
}

}  // namespace accord::testing
