// SPDX-License-Identifier: Apache-2.0
#include "stages/consistency/call.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <utility>

#include "accord/base/error.hpp"
#include "base/parallel.hpp"
#include "engine/backend.hpp"
#include "stages/posteriors/call.hpp"
#include "stages/posteriors/self_test_family.hpp"

namespace accord {
namespace {

/// Cells of a family that is not large. (Their units take 32 MiB.)
constexpr double kMostCells = 1 << 24;

}  // namespace

void relax_in_rounds(const RelaxCall& call,
                     const std::function<void(const RelaxCall&)>& one_round) {
  PosteriorSet between;
  for (std::size_t round = 0; round < call.cutoffs.size(); ++round) {
    const PosteriorSet& current = round == 0 ? call.current : between;
    const auto cutoff = call.cutoffs.subspan(round, 1);
    if (round + 1 == call.cutoffs.size()) {
      return one_round({current, call.pairs, call.weights, cutoff, call.sink});
    }
    // The packed cells stay those of the call, as its sink wants them.
    PosteriorSet next = call.current.without_cells();
    const RelaxSink keep = [&](std::size_t k, std::span<const std::uint16_t> units) {
      const auto [x, y] = call.pairs[k];
      next.at(x, y) = current.at(x, y).with_all_units(units);
    };
    one_round({current, call.pairs, call.weights, cutoff, keep});
    between = std::move(next);
  }
}

RelaxRequest::RelaxRequest(const PosteriorSet& current, std::vector<PairIndex> pairs,
                           const RelaxWeights& weights, std::span<const float> cutoffs, Sink sink)
    : current_(current),
      pairs_(std::move(pairs)),
      weights_(weights),
      cutoffs_(cutoffs),
      sink_(std::move(sink)) {
  std::size_t cells = 0;
  for (const auto [x, y] : pairs_) cells += current_.at(x, y).packed().size();
  if (kept_bytes(static_cast<double>(cells)) == 0) return;
  units_.reserve(cells);
  for (const auto [x, y] : pairs_) {
    first_unit_.push_back(units_.size());
    units_.resize(units_.size() + current_.at(x, y).packed().size());
  }
}

double RelaxRequest::work(std::size_t item) const {
  std::size_t bytes = 0;
  if (cutoffs_.size() == 1) {
    bytes = relax_pair_bytes(current_, pairs_[item]);
  } else {
    for (const PairIndex pair : pairs_) bytes += cutoffs_.size() * relax_pair_bytes(current_, pair);
  }
  return static_cast<double>(bytes * current_.sequences());
}

void RelaxRequest::run(Backend& backend, std::uint32_t memory_parts,
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
  const RelaxSink sink = [&](std::size_t k, std::span<const std::uint16_t> units) {
    deliver(number_of[k], units);
    delivered.fetch_add(1, std::memory_order_relaxed);
  };
  backend.compute(RelaxCall{current_, pairs, weights_, cutoffs_, sink}, memory_parts);
  if (delivered.load() != pairs.size()) {
    throw Error(ErrorKind::device_failed, backend.name() + ": transformed " +
                                              std::to_string(delivered.load()) + " of " +
                                              std::to_string(pairs.size()) + " pairs");
  }
}

/// Errors  Error{device_failed} if there are not as many units as cells.
void RelaxRequest::deliver(std::size_t pair, std::span<const std::uint16_t> units) {
  const SparseMatrix& before = current_.at(pairs_[pair].x, pairs_[pair].y);
  if (units.size() != before.packed().size()) {
    throw Error(ErrorKind::device_failed, "a pair of " + std::to_string(before.packed().size()) +
                                              " cells came back with " +
                                              std::to_string(units.size()));
  }
  if (units_.empty()) return sink_(pairs_[pair], before.with_units(units));
  std::ranges::copy(units, units_.begin() + static_cast<std::ptrdiff_t>(first_unit_[pair]));
}

bool RelaxRequest::is_large(double cells) { return cells > kMostCells; }

double RelaxRequest::kept_bytes(double cells) {
  return is_large(cells) ? 0 : sizeof(std::uint16_t) * cells;
}

void RelaxRequest::finish() {
  if (units_.empty()) return;
  parallel_for(pairs_.size(), [&](std::size_t pair, int) {
    const SparseMatrix& before = current_.at(pairs_[pair].x, pairs_[pair].y);
    const auto units = std::span(units_).subspan(first_unit_[pair], before.packed().size());
    sink_(pairs_[pair], before.with_units(units));
  });
}

std::string RelaxCall::self_test(Backend& tested, Backend& reference) {
  const SelfTestFamily family;
  const SequenceSet& set = family.set();
  const PosteriorModel& model = family.models().back();
  const std::vector<SelfTestFamily::Cells> cells = family.cells(reference, model, SIZE_MAX);
  PosteriorSet posteriors(set.size());
  std::vector<PairIndex> pairs;
  std::vector<float> sequence_weights;
  std::vector<std::uint32_t> intermediates;  // two of three, for the others a transform has as well
  for (std::uint32_t y = 0; y < set.size(); ++y) {
    sequence_weights.push_back(static_cast<float>(1 + y % 7) / 8.0f);
    if (y % 3 != 1) intermediates.push_back(y);
    for (std::uint32_t x = 0; x < y; ++x) {
      posteriors.at(x, y) =
          model.calibration.matrix(set.length(x), set.length(y), cells[pairs.size()]);
      pairs.push_back({x, y});
    }
  }
  const ConsistencyParams params;
  const RelaxWeights weights(sequence_weights, params.self_weight_for(set.size()), intermediates);
  const auto relaxed = [&](Backend& backend, std::span<const float> cutoffs) {
    std::vector<std::vector<std::uint16_t>> units_of(pairs.size());
    const RelaxSink sink = [&](std::size_t k, std::span<const std::uint16_t> units) {
      units_of[k].assign(units.begin(), units.end());
    };
    backend.compute(RelaxCall{posteriors, pairs, weights, cutoffs, sink});
    return units_of;
  };
  const std::array cutoffs = {params.cutoff, params.final_cutoff};
  for (const std::size_t rounds : {std::size_t{1}, cutoffs.size()}) {
    const auto of_rounds = std::span(cutoffs).first(rounds);
    const auto expected = relaxed(reference, of_rounds), found = relaxed(tested, of_rounds);
    const std::string where =
        family.first_difference([&](std::size_t pair) { return expected[pair] == found[pair]; });
    if (!where.empty()) return "wrong consistency " + where;
  }
  return {};
}

}  // namespace accord
