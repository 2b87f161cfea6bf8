// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/sequence_set.hpp"
#include "engine/progress_listener.hpp"
#include "engine/scheduler.hpp"
#include "stages/local_pairs/local_pairs_call.hpp"

namespace accord {

/// The local alignments of all pairs of a family. The items are blocks of pairs.
class LocalPairsRequest : public StageRequest {
 public:
  /// Pairs with an empty sequence are left out. The arguments must outlive the request; `progress`
  /// may be null.
  LocalPairsRequest(const CodedSequences& sequences, const accord_local_scores& scores,
                    ProgressListener* progress);

  const Stage& stage() const override { return LocalPairsCall::stage; }
  const SharePolicy& policy() const override { return LocalPairsCall::policy; }
  std::size_t items() override { return blocks_.size(); }
  double work(std::size_t item) const override {
    return static_cast<double>(block_cells(lengths_, blocks_[item]));
  }
  std::uint32_t pairs(std::size_t item) const override { return blocks_[item].count; }
  /// Throws  Error{device_failed} if the backend leaves pairs out.
  void run(Backend& backend, std::uint32_t memory_parts, std::span<const ItemRange> items) override;

  /// The alignment of each pair (x, y), at place y (y - 1) / 2 + x. Call it once, when all items
  /// are computed.
  std::vector<LocalAlignment> result() { return std::move(alignments_); }

 private:
  void take(std::uint32_t x, std::uint32_t y, LocalAlignment alignment);

  const CodedSequences& sequences_;
  const std::vector<std::uint32_t> lengths_;
  const std::vector<PairBlock> blocks_;
  const accord_local_scores& scores_;
  ProgressListener* const progress_;
  std::vector<LocalAlignment> alignments_;
};

/// Computes the best local alignment of each pair (x, y), x < y, of sequences on the backends (see
/// LocalPairsCall). The alignment of (x, y) is at place y (y - 1) / 2 + x; it is empty if x or y is
/// empty. `progress` receives the progress; may be null.
/// Throws  Error{bad_input} for sequences so long that scores could leave 32 bits; what the host or
///         `progress` throws.
std::vector<LocalAlignment> request_local_pairs(const SequenceSet& set,
                                                const accord_local_scores& scores,
                                                Scheduler& scheduler,
                                                ProgressListener* progress = nullptr);

}  // namespace accord
