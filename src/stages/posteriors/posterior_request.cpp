// SPDX-License-Identifier: Apache-2.0
#include "stages/posteriors/posterior_request.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <exception>
#include <unordered_map>
#include <utility>

#include "accord/base/error.hpp"
#include "base/text.hpp"
#include "engine/backend.hpp"

namespace accord {

PosteriorRequest::PosteriorRequest(const CodedSequences& sequences, const PairSet& wanted,
                                   const PosteriorModel& model, const PosteriorSink& sink,
                                   ProgressListener* progress)
    : sequences_(sequences),
      wanted_(wanted),
      lengths_(sequences.lengths()),
      blocks_(lengths_, wanted),
      model_(model),
      sink_(sink),
      progress_(progress) {}

bool PosteriorRequest::shares_batch_with(const StageRequest& other) const {
  const auto* request = dynamic_cast<const PosteriorRequest*>(&other);
  return request != nullptr &&
         std::memcmp(&request->model_.tables, &model_.tables, sizeof model_.tables) == 0 &&
         request->model_.calibration == model_.calibration;
}

/// Hands a pair to the sink. An exception of the sink or the listener is no fault of the backend,
/// and becomes the error of the request.
void PosteriorRequest::take(std::uint32_t x, std::uint32_t y, PairPosterior pair) {
  if (failed()) return;
  try {
    sink_(x, y, std::move(pair));
  } catch (...) {
    fail(std::current_exception());
  }
  report(1, 0);
}

void PosteriorRequest::report(std::uint64_t items, std::uint64_t cells) {
  if (progress_ == nullptr || failed()) return;
  try {
    progress_->advance(items, cells);
  } catch (...) {
    fail(std::current_exception());
  }
}

/// The sequences of a batch, and its blocks, in the numbering of these sequences. For a family
/// whose pairs are all wanted, the batch has all sequences; for other families, those in the
/// blocks, with the partners of a block side by side.
struct PosteriorRequest::MergedBatch {
  /// The family of a sequence of the batch, by its request, and the place of the sequence in it.
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
  /// The places of the sequences of a family in the batch.
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
  const PosteriorSink to_family = [&](std::uint32_t x, std::uint32_t y, PairPosterior pair) {
    const MergedBatch::Origin origin = merged.origins[x];
    origin.request->take(origin.x, merged.origins[y].x, std::move(pair));
    delivered.fetch_add(1, std::memory_order_relaxed);
  };
  // If the requests of all families were abandoned, the rest of the batch is not computed.
  const CellCounter count = [&](std::uint32_t x, std::uint64_t cells) {
    PosteriorRequest& request = *merged.origins[x].request;
    request.report(0, cells);
    if (!request.failed()) return;
    if (std::all_of(items.begin(), items.end(),
                    [](const ItemRange& range) { return range.request->failed(); })) {
      throw Error(ErrorKind::internal, "the posteriors of a batch were given up");
    }
  };
  backend.compute(
      PosteriorCall{merged.sequences, merged.blocks, model_, to_family, SIZE_MAX, &count},
      memory_parts);
  if (delivered.load() != merged.pairs) {
    throw Error(ErrorKind::device_failed,
                backend.name() + ": computed " + std::to_string(delivered.load()) + " of " +
                    counted(merged.pairs, "pair"),
                "{device=none} computes the same alignment without the device");
  }
  for (const ItemRange& range : items) {
    static_cast<PosteriorRequest*>(range.request)->blocks_.release(range.first, range.last);
  }
}

void request_posteriors(const PosteriorFamily& family, const PairSet& wanted, Scheduler& scheduler,
                        const PosteriorSink& sink, ProgressListener* progress) {
  if (progress != nullptr) {
    const std::vector<std::uint32_t> lengths = family.set.lengths();
    std::uint64_t pairs = 0;
    for (std::size_t y = 0; y < lengths.size() && lengths[y] > 0; ++y) {
      pairs += wanted.partners(y).size();
    }
    const double cells = work_of_pairs(lengths, wanted, {}).cells;
    progress->begin("posteriors", "pairs", pairs, static_cast<std::uint64_t>(cells));
  }
  PosteriorRequest request(family.sequences(), wanted, family.model, sink, progress);
  scheduler.run(request);
}

}  // namespace accord
