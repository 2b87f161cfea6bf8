// SPDX-License-Identifier: Apache-2.0
#include "stages/consistency/consistency_request.hpp"

#include <algorithm>
#include <atomic>
#include <utility>

#include "accord/base/error.hpp"
#include "base/parallel.hpp"
#include "base/text.hpp"
#include "engine/backend.hpp"

namespace accord {
namespace {

/// The most cells of a family that is not large. (Their units take 32 MiB.)
constexpr double kMostCells = 1 << 24;

}  // namespace

ConsistencyRequest::ConsistencyRequest(const PosteriorSet& current, const PairSet& wanted,
                                       const ConsistencyWeights& weights,
                                       std::span<const float> cutoffs, ProgressListener* progress)
    : current_(current),
      pairs_(plan_consistency_pairs(current, wanted)),
      weights_(weights),
      cutoffs_(cutoffs),
      progress_(progress),
      transformed_(current.without_cells(wanted)) {
  if (progress_ != nullptr) {
    std::uint64_t bytes = 0;
    for (const PairIndex pair : pairs_) bytes += consistency_pair_bytes(current_, pair);
    progress_->begin("consistency", "pairs", pairs_.size(), bytes);
  }
  std::size_t cells = 0;
  for (const auto [x, y] : pairs_) cells += current_.at(x, y).packed().size();
  if (kept_bytes(static_cast<double>(cells)) == 0) return;
  units_.reserve(cells);
  for (const auto [x, y] : pairs_) {
    first_unit_.push_back(units_.size());
    units_.resize(units_.size() + current_.at(x, y).packed().size());
  }
}

double ConsistencyRequest::work(std::size_t item) const {
  std::size_t bytes = 0;
  if (cutoffs_.size() == 1) {
    bytes = consistency_pair_bytes(current_, pairs_[item]);
  } else {
    for (const PairIndex pair : pairs_)
      bytes += cutoffs_.size() * consistency_pair_bytes(current_, pair);
  }
  return static_cast<double>(bytes) * static_cast<double>(current_.sequences());
}

void ConsistencyRequest::run(Backend& backend, std::uint32_t memory_parts,
                             std::span<const ItemRange> items) {
  std::vector<PairIndex> pairs;
  std::vector<std::size_t> number_of;
  for (const ItemRange& range : items) {
    const bool is_family = cutoffs_.size() > 1;
    const std::size_t last = is_family ? pairs_.size() : range.last;
    for (std::size_t k = is_family ? 0 : range.first; k < last; ++k) {
      pairs.push_back(pairs_[k]);
      number_of.push_back(k);
    }
  }
  std::atomic<std::size_t> delivered{0};
  const ConsistencySink sink = [&](std::size_t k, std::span<const std::uint16_t> units) {
    keep(number_of[k], units);
    delivered.fetch_add(1, std::memory_order_relaxed);
  };
  backend.compute(ConsistencyCall{current_, pairs, weights_, cutoffs_, sink}, memory_parts);
  if (delivered.load() != pairs.size()) {
    throw Error(ErrorKind::device_failed, backend.name() + ": transformed " +
                                              std::to_string(delivered.load()) + " of " +
                                              counted(pairs.size(), "pair"));
  }
}

/// Keeps the units of a pair, or makes its matrix if the family is large.
/// Throws  Error{device_failed} if there are not as many units as cells.
void ConsistencyRequest::keep(std::size_t pair, std::span<const std::uint16_t> units) {
  const auto [x, y] = pairs_[pair];
  const SparseMatrix& before = current_.at(x, y);
  if (units.size() != before.packed().size()) {
    throw Error(ErrorKind::device_failed, "a pair of " + std::to_string(before.packed().size()) +
                                              " cells came back with " +
                                              std::to_string(units.size()));
  }
  if (units_.empty()) return make(pair, units);
  std::ranges::copy(units, units_.begin() + static_cast<std::ptrdiff_t>(first_unit_[pair]));
}

void ConsistencyRequest::make(std::size_t pair, std::span<const std::uint16_t> units) {
  const auto [x, y] = pairs_[pair];
  transformed_.at(x, y) = current_.at(x, y).with_units(units);
  if (progress_ != nullptr) progress_->advance(1, consistency_pair_bytes(current_, pairs_[pair]));
}

bool ConsistencyRequest::is_large(double cells) { return cells > kMostCells; }

double ConsistencyRequest::kept_bytes(double cells) {
  return is_large(cells) ? 0 : sizeof(std::uint16_t) * cells;
}

PosteriorSet ConsistencyRequest::result() {
  if (!units_.empty()) {
    parallel_for(pairs_.size(), [&](std::size_t pair, int) {
      const auto [x, y] = pairs_[pair];
      const std::size_t cells = current_.at(x, y).packed().size();
      make(pair, std::span(units_).subspan(first_unit_[pair], cells));
    });
  }
  return std::move(transformed_);
}

PosteriorSet request_consistency(const PosteriorSet& current, const PairSet& wanted,
                                 const ConsistencyWeights& weights, float cutoff,
                                 Scheduler& scheduler, ProgressListener* progress) {
  check_intermediates(current.pairs(), wanted, weights.intermediates());
  ConsistencyRequest request(current, wanted, weights, {&cutoff, 1}, progress);
  scheduler.run(request);
  return request.result();
}

PosteriorSet request_consistency(PosteriorSet& direct, const ConsistencyRounds& rounds,
                                 Scheduler& scheduler, ProgressListener* progress) {
  check_intermediates(direct.pairs(), direct.pairs(), rounds.weights.intermediates());
  const auto cells = static_cast<double>(direct.cells());
  std::size_t at_once =
      rounds.on_round || ConsistencyRequest::is_large(cells) ? 1 : rounds.cutoffs.size();
  PosteriorSet transformed;
  for (std::size_t round = 0; round < rounds.cutoffs.size();) {
    const PosteriorSet& before = round == 0 ? direct : transformed;
    ConsistencyRequest request(before, before.pairs(), rounds.weights,
                               rounds.cutoffs.subspan(round, at_once), progress);
    try {
      scheduler.run(request);
    } catch (const Error& error) {
      if (at_once == 1 || !is_device_fault(error)) throw;
      at_once = 1;
      continue;
    }
    transformed = request.result();
    round += at_once;
    if (!rounds.keeps_direct) direct = PosteriorSet();
    if (rounds.on_round) rounds.on_round(transformed);
  }
  return transformed;
}

}  // namespace accord
