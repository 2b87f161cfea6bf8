// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/stage_request.hpp"
#include "stages/local_pairs/local_pairs_call.hpp"

namespace accord {

/// Local alignments of all pairs of a family; the items are blocks of pairs.
class LocalPairsRequest : public StageRequest {
 public:
  /// Pairs with an empty sequence are left out. What is given must outlive this.
  LocalPairsRequest(const CodedSequences& sequences, const accord_local_scores& scores,
                    const PairSink<LocalAlignment>& sink);

  BackendStage stage() const override { return LocalPairsCall::stage; }
  const SharePolicy& policy() const override { return LocalPairsCall::policy; }
  std::size_t items() override { return blocks_.size(); }
  double work(std::size_t item) const override {
    return static_cast<double>(block_cells(lengths_, blocks_[item]));
  }
  std::uint32_t pairs(std::size_t item) const override { return blocks_[item].count; }
  /// Throws  Error{device_failed} if the backend leaves pairs out.
  void run(Backend& backend, std::uint32_t memory_parts, std::span<const ItemRange> items) override;

 private:
  const CodedSequences& sequences_;
  const std::vector<std::uint32_t> lengths_;
  const std::vector<PairBlock> blocks_;
  const accord_local_scores& scores_;
  const PairSink<LocalAlignment>& sink_;
};

}  // namespace accord
