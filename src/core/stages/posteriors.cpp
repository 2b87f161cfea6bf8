// SPDX-License-Identifier: Apache-2.0
#include "accord/core/stages/posteriors.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <exception>
#include <iterator>
#include <utility>

#include "accord/base/error.hpp"
#include "accord/core/backend.hpp"
#include "accord/core/expected_accuracy.hpp"
#include "accord/core/stages/self_test_family.hpp"

namespace accord {

SparseMatrix posterior_matrix(std::span<const PosteriorCell> cells, std::uint32_t rows,
                              std::uint32_t cols, const PosteriorModel& model) {
  return model.calibration.matrix(
      rows, cols, limit_cells({cells.begin(), cells.end()}, rows, cols, model.sparsity));
}

void PosteriorCall::deliver(std::uint32_t x, std::uint32_t y,
                            std::span<const PosteriorCell> cells) const {
  if (const auto* to_cells = std::get_if<CellSink>(&sink)) return (*to_cells)(x, y, cells);
  std::get<MatrixSink>(sink)(
      x, y, posterior_matrix(cells, sequences.length(x), sequences.length(y), model));
}

PosteriorRequest::PosteriorRequest(const CodedSequences& sequences, std::vector<PairBlock> blocks,
                                   const PosteriorModel& model, const PosteriorSink& sink)
    : sequences_(sequences), blocks_(std::move(blocks)), model_(model), sink_(sink) {}

double PosteriorRequest::work(std::size_t item) const {
  const PairBlock& block = blocks_[item];
  return static_cast<double>(sequences_.length(block.first_x)) * sequences_.length(block.y) *
         block.count;
}

bool PosteriorRequest::shares_batch_with(const StageRequest& other) const {
  const auto* request = dynamic_cast<const PosteriorRequest*>(&other);
  return request != nullptr && request->sink_.index() == sink_.index() &&
         std::memcmp(&request->model_.tables, &model_.tables, sizeof model_.tables) == 0 &&
         request->model_.sparsity == model_.sparsity &&
         request->model_.calibration == model_.calibration;
}

/// What the sink throws is no fault of the backend that computed the pair.
template <class Result>
void PosteriorRequest::deliver(std::uint32_t x, std::uint32_t y, Result result) {
  if (failed()) return;
  try {
    std::get<std::function<void(std::uint32_t, std::uint32_t, Result)>>(sink_)(x, y,
                                                                               std::move(result));
  } catch (...) {
    fail(std::current_exception());
  }
}

/// The families of a batch one behind the other, and the blocks of the batch in that numbering.
struct PosteriorRequest::Joined {
  struct Part {
    PosteriorRequest* request;
    std::uint32_t first;  // of its sequences
  };
  std::vector<Part> parts;
  CodedSequences sequences;
  std::vector<PairBlock> blocks;
  std::uint64_t pairs = 0;

  explicit Joined(std::span<const ItemRange> items) {
    for (const ItemRange& range : items) {
      auto* request = static_cast<PosteriorRequest*>(range.request);
      auto part = std::find_if(parts.begin(), parts.end(),
                               [&](const Part& known) { return known.request == request; });
      if (part == parts.end()) {
        part = parts.insert(part, {request, static_cast<std::uint32_t>(sequences.size())});
        sequences.append(request->sequences_);
      }
      for (std::size_t item = range.first; item < range.last; ++item) {
        const PairBlock& block = request->blocks_[item];
        blocks.push_back({part->first + block.y, part->first + block.first_x, block.count});
        pairs += block.count;
      }
    }
  }

  const Part& part_of(std::uint32_t x) const {
    return *std::prev(
        std::upper_bound(parts.begin(), parts.end(), x,
                         [](std::uint32_t index, const Part& part) { return index < part.first; }));
  }
};

void PosteriorRequest::run(Backend& backend, std::uint32_t memory_parts,
                           std::span<const ItemRange> items) {
  const Joined joined(items);
  std::atomic<std::uint64_t> delivered{0};
  const auto to_part = [&](std::uint32_t x, std::uint32_t y, auto result) {
    const Joined::Part& part = joined.part_of(x);
    part.request->deliver(x - part.first, y - part.first, std::move(result));
    delivered.fetch_add(1, std::memory_order_relaxed);
  };
  const PosteriorSink sink = std::holds_alternative<CellSink>(sink_)
                                 ? PosteriorSink(CellSink(to_part))
                                 : PosteriorSink(MatrixSink(to_part));
  backend.compute(PosteriorCall{joined.sequences, joined.blocks, model_, sink}, memory_parts);
  if (delivered.load() != joined.pairs) {
    throw Error(ErrorKind::device_failed,
                backend.name() + ": computed " + std::to_string(delivered.load()) + " of " +
                    std::to_string(joined.pairs) + " pairs",
                "'--device none' computes the same alignment without the device");
  }
}

std::string PosteriorCall::self_test(Backend& tested, Backend& reference) {
  const SelfTestFamily family;
  const auto same_bits = [](const SelfTestFamily::Cells& a, const SelfTestFamily::Cells& b) {
    return a.size() == b.size() &&
           (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof a[0]) == 0);
  };
  constexpr std::size_t kInBands = std::size_t{1} << 20;
  for (const PosteriorModel& model : family.models()) {
    const std::vector<SelfTestFamily::Cells> expected = family.cells(reference, model, SIZE_MAX);
    for (const std::size_t task_bytes : {SIZE_MAX, kInBands}) {
      const std::vector<SelfTestFamily::Cells> found = family.cells(tested, model, task_bytes);
      const std::string where = family.first_difference(
          [&](std::size_t pair) { return same_bits(expected[pair], found[pair]); });
      if (!where.empty()) return "wrong posteriors " + where;
    }
  }
  return {};
}

}  // namespace accord
