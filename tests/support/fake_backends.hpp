// SPDX-License-Identifier: Apache-2.0
// Backends that compute like the host and misbehave in one way each.
#pragma once
#include <atomic>
#include <functional>
#include <string>
#include <utility>

#include "accord/base/error.hpp"
#include "accord/host/host_backend.hpp"

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

/// A host backend under another name, with hooks. Counts its calls.
class FakeDevice : public HostBackend {
 public:
  explicit FakeDevice(std::string name, const host::Kernels* kernels = nullptr)
      : HostBackend(kernels), name_(std::move(name)) {}

  std::function<void(int call)> before = [](int) {};                            ///< may throw
  std::function<void(const PairBatch&)> check_pairs = [](const PairBatch&) {};  ///< may throw
  std::function<BackendLimits(BackendLimits)> claim = [](BackendLimits limits) { return limits; };
  std::function<PosteriorSink(const PosteriorSink&)> bend = [](const PosteriorSink& sink) {
    return sink;
  };

  std::function<void(std::vector<GuideTree>&)> bend_trees = [](std::vector<GuideTree>&) {};

  std::string name() const override { return name_; }
  BackendLimits limits() const override { return claim(HostBackend::limits()); }
  void posteriors(const CodedSequences& sequences, const PairBatch& batch,
                  const accord_model& model, const PosteriorSink& sink) override {
    const Crowd::Visit visit(crowd_);
    before(calls_++);
    check_pairs(batch);
    HostBackend::posteriors(sequences, batch, model, bend(sink));
    pairs_ += batch.tasks.size();
  }
  void relax(const PosteriorSet& current, const RelaxBatch& batch, const RelaxWeights& weights,
             float cutoff, const RelaxSink& sink) override {
    const Crowd::Visit visit(crowd_);
    before(calls_++);
    HostBackend::relax(current, batch, weights, cutoff, sink);
  }
  std::vector<GuideTree> join(std::span<const DistanceMatrix> matrices) override {
    const Crowd::Visit visit(crowd_);
    before(calls_++);
    std::vector<GuideTree> trees = HostBackend::join(matrices);
    bend_trees(trees);
    return trees;
  }

  int calls() const { return calls_; }
  std::size_t tasks_done() const { return pairs_; }
  int calls_now() const { return crowd_.now(); }
  int most_calls_at_once() const { return crowd_.most(); }

 private:
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

/// Says that it computes so many batches at the same time.
inline void make_wide(FakeDevice& device, std::uint32_t calls) {
  device.claim = [calls](BackendLimits limits) {
    limits.calls = calls;
    return limits;
  };
}

/// Claims any amount of memory and fails when a batch needs more than `bytes`.
inline void make_lie_about_memory(FakeDevice& device, std::size_t bytes) {
  device.claim = [](BackendLimits limits) {
    limits.batch_bytes = SIZE_MAX / 2;
    return limits;
  };
  device.check_pairs = [bytes](const PairBatch& batch) {
    if (batch.work_bytes > bytes) fail_with(ErrorKind::out_of_memory, "no memory on the device");
  };
}

}  // namespace accord::testing
