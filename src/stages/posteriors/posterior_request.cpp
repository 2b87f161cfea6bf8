// SPDX-License-Identifier: Apache-2.0
#include "stages/posteriors/posterior_request.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <exception>
#include <unordered_map>
#include <utility>

#include "accord/base/error.hpp"
#include "engine/backend.hpp"

namespace accord {

PosteriorRequest::PosteriorRequest(const CodedSequences& sequences, const PairSet& wanted,
                                   const PosteriorModel& model, const PosteriorSink& sink,
                                   const CellCounter* listener)
    : sequences_(sequences),
      wanted_(wanted),
      lengths_(sequences.lengths()),
      blocks_(lengths_, wanted),
      model_(model),
      sink_(sink),
      listener_(listener) {}

bool PosteriorRequest::shares_batch_with(const StageRequest& other) const {
  const auto* request = dynamic_cast<const PosteriorRequest*>(&other);
  return request != nullptr && request->sink_.index() == sink_.index() &&
         std::memcmp(&request->model_.tables, &model_.tables, sizeof model_.tables) == 0 &&
         request->model_.calibration == model_.calibration;
}

/// What the sink throws is no fault of the backend that computed the pair.
template <class Result>
void PosteriorRequest::deliver(std::uint32_t x, std::uint32_t y, Result result) {
  if (failed()) return;
  try {
    std::get<PairSink<Result>>(sink_)(x, y, std::move(result));
  } catch (...) {
    fail(std::current_exception());
  }
}

/// Nor is what the listener throws.
void PosteriorRequest::tell(std::uint32_t x, std::uint32_t y, std::uint64_t cells) {
  if (listener_ == nullptr || failed()) return;
  try {
    (*listener_)(x, y, cells);
  } catch (...) {
    fail(std::current_exception());
  }
}

/// The sequences of a batch, and its blocks in their numbering. Of a family whose pairs are all
/// wanted these are all sequences; of others those that are needed, the partners of a block side by
/// side.
struct PosteriorRequest::MergedBatch {
  /// Where a sequence comes from.
  struct Origin {
    PosteriorRequest* request;
    std::uint32_t x;  // in the family
  };
  CodedSequences sequences;
  std::vector<Origin> origins;  // by sequence
  std::vector<PairBlock> blocks;
  std::uint64_t pairs = 0;

  explicit MergedBatch(std::span<const ItemRange> items) {
    for (const ItemRange& range : items) {
      auto& request = static_cast<PosteriorRequest&>(*range.request);
      for (std::size_t item = range.first; item < range.last; ++item) {
        const WantedBlock block = request.blocks_.at(item);
        blocks.push_back(request.wanted_.is_all() ? of_whole_family(request, block)
                                                  : of_some(request, block));
        pairs += block.count;
      }
    }
  }

 private:
  /// Of a family, where its sequences are that have been taken.
  struct Taken {
    bool is_whole = false;
    std::uint32_t first = 0;                              // of a whole family
    std::unordered_map<std::uint32_t, std::uint32_t> ys;  // by y
    std::unordered_map<std::size_t, PairBlock> partners;  // by place in the array of all lists
  };

  std::uint32_t add(PosteriorRequest& request, std::uint32_t x) {
    origins.push_back({&request, x});
    sequences.append(request.sequences_.codes(x));
    return static_cast<std::uint32_t>(origins.size() - 1);
  }

  PairBlock of_whole_family(PosteriorRequest& request, const WantedBlock& block) {
    Taken& taken = taken_[&request];
    if (!std::exchange(taken.is_whole, true)) {
      taken.first = static_cast<std::uint32_t>(origins.size());
      for (std::uint32_t x = 0; x < request.sequences_.size(); ++x) add(request, x);
    }
    const PairIndex pair = request.wanted_[block.first];
    return {taken.first + pair.y, taken.first + pair.x, block.count};
  }

  PairBlock of_some(PosteriorRequest& request, const WantedBlock& block) {
    Taken& taken = taken_[&request];
    const PairSet& wanted = request.wanted_;
    const std::size_t place = block.first - wanted.first(block.y);
    PairBlock& known = taken.partners[wanted.list(block.y) + place];
    if (known.count < block.count) {
      known = {0, static_cast<std::uint32_t>(origins.size()), block.count};
      for (const std::uint32_t x : wanted.partners(block.y).subspan(place, block.count)) {
        add(request, x);
      }
    }
    const auto [y, is_new] = taken.ys.try_emplace(block.y, 0);
    if (is_new) y->second = add(request, block.y);
    return {y->second, known.first_x, block.count};
  }

  std::unordered_map<const PosteriorRequest*, Taken> taken_;
};

void PosteriorRequest::run(Backend& backend, std::uint32_t memory_parts,
                           std::span<const ItemRange> items) {
  const MergedBatch merged(items);
  std::atomic<std::uint64_t> delivered{0};
  const auto to_family = [&](std::uint32_t x, std::uint32_t y, auto result) {
    const MergedBatch::Origin origin = merged.origins[x];
    origin.request->deliver(origin.x, merged.origins[y].x, std::move(result));
    delivered.fetch_add(1, std::memory_order_relaxed);
  };
  const PosteriorSink sink = std::holds_alternative<CellSink>(sink_)
                                 ? PosteriorSink(CellSink(to_family))
                                 : PosteriorSink(MatrixSink(to_family));
  // Where every family was given up, the rest of the batch is not computed.
  const CellCounter listener = [&](std::uint32_t x, std::uint32_t y, std::uint64_t cells) {
    const MergedBatch::Origin origin = merged.origins[x];
    origin.request->tell(origin.x, merged.origins[y].x, cells);
    if (!origin.request->failed()) return;
    if (std::all_of(items.begin(), items.end(),
                    [](const ItemRange& range) { return range.request->failed(); })) {
      throw Error(ErrorKind::internal, "the posteriors of a batch were given up");
    }
  };
  backend.compute(PosteriorCall{merged.sequences, merged.blocks, model_, sink, SIZE_MAX, &listener},
                  memory_parts);
  if (delivered.load() != merged.pairs) {
    throw Error(ErrorKind::device_failed,
                backend.name() + ": computed " + std::to_string(delivered.load()) + " of " +
                    std::to_string(merged.pairs) + " pairs",
                "{device=none} computes the same alignment without the device");
  }
  for (const ItemRange& range : items) {
    static_cast<PosteriorRequest*>(range.request)->blocks_.release(range.first, range.last);
  }
}

}  // namespace accord
