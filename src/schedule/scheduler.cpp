// SPDX-License-Identifier: Apache-2.0
#include "accord/schedule/scheduler.hpp"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "accord/base/log.hpp"
#include "accord/core/pair_batch.hpp"
#include "accord/core/relax_batch.hpp"

namespace accord {
namespace {

/// All pairs of a family; the items are blocks of pairs.
class PosteriorRequest : public WorkRequest {
 public:
  PosteriorRequest(const SequenceSet& set, const accord_model& model, const PosteriorSink& sink,
                   ProgressListener* progress)
      : set_(set),
        lengths_(set.lengths()),
        blocks_(plan_pair_blocks(lengths_)),
        model_(model),
        sink_(sink),
        progress_(progress) {
    if (progress_ != nullptr) begin_progress();
  }

  BackendStage stage() const override { return BackendStage::posteriors; }

  std::vector<WorkItem> items() override {
    std::vector<WorkItem> items;
    items.reserve(blocks_.size());
    for (std::uint32_t k = 0; k < blocks_.size(); ++k) {
      items.push_back(
          {this, k, static_cast<double>(block_cells(lengths_, blocks_[k])), blocks_[k].count});
    }
    return items;
  }

  std::size_t item_bytes(std::uint32_t index, const BackendLimits& limits) const override {
    return block_bytes(lengths_, blocks_[index], limits);
  }

  bool shares_batch_with(const WorkRequest& other) const override {
    const auto* request = dynamic_cast<const PosteriorRequest*>(&other);
    return request && std::memcmp(&request->model_, &model_, sizeof model_) == 0;
  }

  void run(Backend& backend, const BackendLimits& limits, std::span<const WorkItem> items) override;

 private:
  /// A family of a batch, and where its sequences begin among those of the batch.
  struct Part {
    PosteriorRequest* request;
    std::uint32_t first;
  };

  /// The families of a batch one behind the other, and the blocks of the batch in that numbering.
  struct Joined {
    std::vector<Part> parts;
    CodedSequences sequences;
    std::vector<PairBlock> blocks;
    std::uint64_t pairs = 0;
  };
  static Joined join(std::span<const WorkItem> items);
  void begin_progress();
  void deliver(std::uint32_t x, std::uint32_t y, std::span<const PosteriorCell> cells);

  const SequenceSet& set_;
  std::vector<std::uint32_t> lengths_;
  std::vector<PairBlock> blocks_;
  const accord_model& model_;
  const PosteriorSink& sink_;
  ProgressListener* progress_;
};

void PosteriorRequest::begin_progress() {
  std::uint64_t pairs = 0, cells = 0, longer = 0;
  for (std::size_t y = 0; y < lengths_.size() && lengths_[y] > 0; ++y) {
    pairs += y;
    cells += longer * lengths_[y];
    longer += lengths_[y];
  }
  progress_->begin("posteriors", "pairs", pairs, cells);
}

PosteriorRequest::Joined PosteriorRequest::join(std::span<const WorkItem> items) {
  Joined joined;
  for (const WorkItem& item : items) {
    auto* request = static_cast<PosteriorRequest*>(item.request);
    auto part = std::find_if(joined.parts.begin(), joined.parts.end(),
                             [&](const Part& known) { return known.request == request; });
    if (part == joined.parts.end()) {
      const auto first = static_cast<std::uint32_t>(joined.sequences.size());
      part = joined.parts.insert(part, {request, first});
      joined.sequences.append(request->set_.coded());
    }
    const PairBlock& block = request->blocks_[item.index];
    joined.blocks.push_back({part->first + block.y, part->first + block.first_x, block.count});
    joined.pairs += block.count;
  }
  return joined;
}

/// What the sink throws is no fault of the device that found the cells.
void PosteriorRequest::deliver(std::uint32_t x, std::uint32_t y,
                               std::span<const PosteriorCell> cells) {
  if (failed()) return;
  try {
    sink_(x, y, cells);
    if (progress_ != nullptr) progress_->advance(1, std::uint64_t{lengths_[x]} * lengths_[y]);
  } catch (...) {
    fail(std::current_exception());
  }
}

void PosteriorRequest::run(Backend& backend, const BackendLimits& limits,
                           std::span<const WorkItem> items) {
  const Joined joined = join(items);
  std::atomic<std::uint64_t> delivered{0};
  const PosteriorSink distribute = [&](std::uint32_t x, std::uint32_t y,
                                       std::span<const PosteriorCell> cells) {
    const auto next =
        std::upper_bound(joined.parts.begin(), joined.parts.end(), x,
                         [](std::uint32_t index, const Part& part) { return index < part.first; });
    const Part& part = *std::prev(next);
    part.request->deliver(x - part.first, y - part.first, cells);
    delivered.fetch_add(1, std::memory_order_relaxed);
  };
  for (const PairBatch& batch :
       plan_pair_batches(joined.sequences.lengths(), joined.blocks, limits)) {
    backend.posteriors(joined.sequences, batch, model_, distribute);
  }
  if (delivered.load() != joined.pairs) {
    throw Error(ErrorKind::device_failed,
                backend.name() + ": computed " + std::to_string(delivered.load()) + " of " +
                    std::to_string(joined.pairs) + " pairs",
                "'--device none' computes the same alignment without the device");
  }
}

/// One round of consistency of a family; the items are pairs.
class RelaxRequest : public WorkRequest {
 public:
  RelaxRequest(const PosteriorSet& current, const RelaxWeights& weights, float cutoff,
               ProgressListener* progress)
      : current_(current),
        weights_(weights),
        cutoff_(cutoff),
        pairs_(plan_relax_pairs(current)),
        relaxed_(current.without_cells()),
        progress_(progress) {
    if (progress_ == nullptr) return;
    std::uint64_t bytes = 0;
    for (const PairIndex pair : pairs_) bytes += relax_pair_bytes(current_, pair);
    progress_->begin("consistency", "pairs", pairs_.size(), bytes);
  }

  BackendStage stage() const override { return BackendStage::relax; }

  /// The work of a cell is to walk over the term lists of two residues, which are about as long
  /// for all cells of a family: each has cells against all intermediate sequences.
  std::vector<WorkItem> items() override {
    std::vector<WorkItem> items;
    items.reserve(pairs_.size());
    for (std::uint32_t k = 0; k < pairs_.size(); ++k) {
      const std::size_t bytes = relax_pair_bytes(current_, pairs_[k]);
      items.push_back({this, k, static_cast<double>(bytes * current_.sequences())});
    }
    return items;
  }

  std::size_t item_bytes(std::uint32_t index, const BackendLimits&) const override {
    return relax_pair_bytes(current_, pairs_[index]);
  }

  void run(Backend& backend, const BackendLimits& limits,
           std::span<const WorkItem> items) override {
    std::vector<PairIndex> pairs;
    for (const WorkItem& item : items) pairs.push_back(pairs_[item.index]);
    for (const RelaxBatch& batch : plan_relax_batches(current_, pairs, limits)) {
      std::atomic<std::size_t> delivered{0};
      backend.relax(current_, batch, weights_, cutoff_, [&](std::size_t k, SparseMatrix matrix) {
        const PairIndex pair = batch.pairs[k];
        relaxed_.at(pair.x, pair.y) = std::move(matrix);
        delivered.fetch_add(1, std::memory_order_relaxed);
        if (progress_ != nullptr) progress_->advance(1, relax_pair_bytes(current_, pair));
      });
      if (delivered.load() != batch.pairs.size()) {
        throw Error(ErrorKind::device_failed, backend.name() + ": transformed " +
                                                  std::to_string(delivered.load()) + " of " +
                                                  std::to_string(batch.pairs.size()) + " pairs");
      }
    }
  }

  PosteriorSet result() { return std::move(relaxed_); }

 private:
  const PosteriorSet& current_;
  const RelaxWeights& weights_;
  float cutoff_;
  std::vector<PairIndex> pairs_;
  PosteriorSet relaxed_;
  ProgressListener* progress_;
};

/// The neighbour-joining tree of a family, one item; trees of several families share a batch.
class JoinRequest : public WorkRequest {
 public:
  explicit JoinRequest(const DistanceMatrix& distances) : distances_(distances) {}

  BackendStage stage() const override { return BackendStage::join; }

  std::vector<WorkItem> items() override {
    const auto n = static_cast<double>(distances_.size());
    return {{this, 0, n * n}};
  }

  std::size_t item_bytes(std::uint32_t, const BackendLimits&) const override {
    return distances_.size() * distances_.size() / 2 * sizeof(std::int32_t);
  }

  bool shares_batch_with(const WorkRequest& other) const override {
    return dynamic_cast<const JoinRequest*>(&other) != nullptr;
  }

  void run(Backend& backend, const BackendLimits&, std::span<const WorkItem> items) override {
    std::vector<DistanceMatrix> copies;
    std::span<const DistanceMatrix> matrices(&distances_, 1);
    if (items.size() > 1) {
      for (const WorkItem& item : items) copies.push_back(of(item).distances_);
      matrices = copies;
    }
    std::vector<GuideTree> trees = backend.join(matrices);
    if (trees.size() != items.size()) {
      throw Error(ErrorKind::device_failed, backend.name() + ": built " +
                                                std::to_string(trees.size()) + " of " +
                                                std::to_string(items.size()) + " trees");
    }
    for (std::size_t k = 0; k < items.size(); ++k) of(items[k]).tree_ = std::move(trees[k]);
  }

  GuideTree result() { return std::move(tree_); }

 private:
  static JoinRequest& of(const WorkItem& item) { return static_cast<JoinRequest&>(*item.request); }

  const DistanceMatrix& distances_;
  GuideTree tree_;
};

}  // namespace

void Scheduler::posteriors(const SequenceSet& set, const accord_model& model,
                           const PosteriorSink& sink, ProgressListener* progress) {
  PosteriorRequest request(set, model, sink, progress);
  queue_.run(request);
}

PosteriorSet Scheduler::relax(const PosteriorSet& current, const RelaxWeights& weights,
                              float cutoff, ProgressListener* progress) {
  RelaxRequest request(current, weights, cutoff, progress);
  queue_.run(request);
  return request.result();
}

GuideTree Scheduler::join(const DistanceMatrix& distances) {
  JoinRequest request(distances);
  queue_.run(request);
  return request.result();
}

void warn_of(const DeviceFaults& faults) {
  if (faults.faults == 0) return;
  // The messages of a compiler are several lines; -v shows all of them.
  std::string text = "a device failed: " + faults.first.substr(0, faults.first.find('\n'));
  if (faults.faults > 1) text += " (and " + std::to_string(faults.faults - 1) + " more faults)";
  text += "; nothing is lost: " + std::to_string(faults.retries) + " batches were tried again, " +
          std::to_string(faults.moves) + " were moved to another device";
  for (const std::string& name : faults.retired) text += ", " + name + " was given up";
  log_warning(text, "'--device none' computes the same alignment without devices");
}

}  // namespace accord
