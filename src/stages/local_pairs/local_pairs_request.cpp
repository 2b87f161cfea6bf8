// SPDX-License-Identifier: Apache-2.0
#include "stages/local_pairs/local_pairs_request.hpp"

#include <atomic>

#include "accord/base/error.hpp"
#include "base/text.hpp"
#include "engine/backend.hpp"

namespace accord {

LocalPairsRequest::LocalPairsRequest(const CodedSequences& sequences,
                                     const accord_local_scores& scores, ProgressListener* progress)
    : sequences_(sequences),
      lengths_(sequences.lengths()),
      blocks_(plan_pair_blocks(lengths_)),
      scores_(scores),
      progress_(progress),
      alignments_(lengths_.size() * (lengths_.size() - (lengths_.empty() ? 0 : 1)) / 2) {}

/// Stores the alignment of a pair. An exception of the listener is no fault of the backend, and
/// becomes the error of the request.
void LocalPairsRequest::take(std::uint32_t x, std::uint32_t y, LocalAlignment alignment) {
  alignments_[std::size_t{y} * (y - 1) / 2 + x] = std::move(alignment);
  if (progress_ == nullptr || failed()) return;
  try {
    progress_->advance(1, std::uint64_t{lengths_[x]} * lengths_[y]);
  } catch (...) {
    fail(std::current_exception());
  }
}

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
  const PairSink<LocalAlignment> sink = [&](std::uint32_t x, std::uint32_t y,
                                            LocalAlignment alignment) {
    take(x, y, std::move(alignment));
    delivered.fetch_add(1, std::memory_order_relaxed);
  };
  backend.compute(LocalPairsCall{sequences_, blocks, scores_, sink}, memory_parts);
  if (delivered.load() != pairs) {
    throw Error(ErrorKind::device_failed,
                backend.name() + ": aligned " + std::to_string(delivered.load()) + " of " +
                    counted(pairs, "pair"),
                "{device=none} computes the same alignment without the device");
  }
}

std::vector<LocalAlignment> request_local_pairs(const SequenceSet& set,
                                                const accord_local_scores& scores,
                                                Scheduler& scheduler, ProgressListener* progress) {
  if (progress != nullptr) {
    std::uint64_t pairs = 0;
    for (std::uint32_t y = 0; y < set.size() && set.length(y) > 0; ++y) pairs += y;
    const double cells = work_of_pairs(set.lengths(), PairSet::all(set.size()), {}).cells;
    progress->begin("local pairs", "pairs", pairs, static_cast<std::uint64_t>(cells));
  }
  LocalPairsRequest request(set.coded(), scores, progress);
  scheduler.run(request);
  return request.result();
}

}  // namespace accord
