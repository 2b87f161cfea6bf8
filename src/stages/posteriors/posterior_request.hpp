// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/progress_listener.hpp"
#include "engine/scheduler.hpp"
#include "stages/posteriors/block_stream.hpp"
#include "stages/posteriors/posterior_call.hpp"

namespace accord {

/// The posteriors of the wanted pairs of a family. The items are blocks of pairs, those with most
/// cells first.
class PosteriorRequest : public StageRequest {
 public:
  /// Pairs with an empty sequence are left out. The arguments must outlive the request. `progress`
  /// may be null; the request calls only its advance(), with finished pairs, and with cells of the
  /// dynamic programming as work.
  PosteriorRequest(const CodedSequences& sequences, const PairSet& wanted,
                   const PosteriorModel& model, const PosteriorSink& sink,
                   ProgressListener* progress = nullptr);

  const Stage& stage() const override { return PosteriorCall::stage; }
  const SharePolicy& policy() const override { return PosteriorCall::policy; }
  std::size_t items() override { return blocks_.blocks(); }
  double work(std::size_t item) const override {
    return static_cast<double>(blocks_.at(item).cells);
  }
  double all_work(std::size_t) const override { return blocks_.cells(); }
  std::uint32_t pairs(std::size_t item) const override { return blocks_.at(item).count; }
  /// Requests of one model share a batch.
  bool shares_batch_with(const StageRequest& other) const override;
  /// Throws  Error{device_failed} if the backend leaves pairs out.
  void run(Backend& backend, std::uint32_t memory_parts, std::span<const ItemRange> items) override;

 private:
  void take(std::uint32_t x, std::uint32_t y, PairPosterior pair);
  void report(std::uint64_t items, std::uint64_t cells);

  const CodedSequences& sequences_;
  const PairSet& wanted_;
  const std::vector<std::uint32_t> lengths_;
  mutable BlockWindow blocks_;  // computed when they are asked for
  const PosteriorModel& model_;
  const PosteriorSink& sink_;
  ProgressListener* const progress_;  // may be null

  struct MergedBatch;
};

/// Computes the posteriors of the wanted pairs, except pairs with an empty sequence, and passes
/// them to `sink`. Several threads call `sink`. Returns when all pairs are done. `progress`
/// receives the stage "posteriors"; may be null.
/// Throws  what the host, `sink` or `progress` throws.
void request_posteriors(const PosteriorFamily& family, const PairSet& wanted, Scheduler& scheduler,
                        const PosteriorSink& sink, ProgressListener* progress = nullptr);

}  // namespace accord
