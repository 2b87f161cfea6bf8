// SPDX-License-Identifier: Apache-2.0
#include "stages/local_pairs/local_pairs_request.hpp"

#include <atomic>
#include <utility>

#include "accord/base/error.hpp"
#include "engine/backend.hpp"

namespace accord {

LocalPairsRequest::LocalPairsRequest(const CodedSequences& sequences,
                                     const accord_local_scores& scores,
                                     const PairSink<LocalAlignment>& sink)
    : sequences_(sequences),
      lengths_(sequences.lengths()),
      blocks_(plan_pair_blocks(lengths_)),
      scores_(scores),
      sink_(sink) {}

void LocalPairsRequest::run(Backend& backend, std::uint32_t memory_parts,
                            std::span<const ItemRange> items) {
  std::vector<PairBlock> blocks;
  std::uint64_t pairs = 0;
  for (const ItemRange& range : items) {
    for (std::size_t item = range.first; item < range.last; ++item) {
      blocks.push_back(blocks_[item]);
      pairs += blocks_[item].count;
    }
  }
  std::atomic<std::uint64_t> delivered{0};
  // What the sink throws is no fault of the backend.
  const PairSink<LocalAlignment> sink = [&](std::uint32_t x, std::uint32_t y,
                                            LocalAlignment alignment) {
    delivered.fetch_add(1, std::memory_order_relaxed);
    if (failed()) return;
    try {
      sink_(x, y, std::move(alignment));
    } catch (...) {
      fail(std::current_exception());
    }
  };
  backend.compute(LocalPairsCall{sequences_, blocks, scores_, sink}, memory_parts);
  if (delivered.load() != pairs) {
    throw Error(ErrorKind::device_failed,
                backend.name() + ": aligned " + std::to_string(delivered.load()) + " of " +
                    std::to_string(pairs) + " pairs",
                "{device=none} computes the same alignment without the device");
  }
}

}  // namespace accord
