// SPDX-License-Identifier: Apache-2.0
#include "accord/stages/relax.hpp"

#include <algorithm>
#include <atomic>
#include <utility>

#include "accord/base/error.hpp"
#include "accord/base/parallel.hpp"
#include "accord/stages/backend.hpp"
#include "accord/stages/self_test_family.hpp"

namespace accord {
namespace {

/// Units that are kept until all of them are there, at most: 32 MiB.
constexpr double kMostKept = 1 << 24;

}  // namespace

RelaxRequest::RelaxRequest(const PosteriorSet& current, std::vector<PairIndex> pairs,
                           const RelaxWeights& weights, float cutoff, Sink sink)
    : current_(current),
      pairs_(std::move(pairs)),
      weights_(weights),
      cutoff_(cutoff),
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
  return static_cast<double>(relax_pair_bytes(current_, pairs_[item]) * current_.sequences());
}

void RelaxRequest::run(Backend& backend, std::uint32_t memory_parts,
                       std::span<const ItemRange> items) {
  std::vector<PairIndex> pairs;
  std::vector<std::size_t> item_of;
  for (const ItemRange& range : items) {
    for (std::size_t item = range.first; item < range.last; ++item) {
      pairs.push_back(pairs_[item]);
      item_of.push_back(item);
    }
  }
  std::atomic<std::size_t> delivered{0};
  const RelaxSink sink = [&](std::size_t k, std::span<const std::uint16_t> units) {
    deliver(item_of[k], units);
    delivered.fetch_add(1, std::memory_order_relaxed);
  };
  backend.compute(RelaxCall{current_, pairs, weights_, cutoff_, sink}, memory_parts);
  if (delivered.load() != pairs.size()) {
    throw Error(ErrorKind::device_failed, backend.name() + ": transformed " +
                                              std::to_string(delivered.load()) + " of " +
                                              std::to_string(pairs.size()) + " pairs");
  }
}

/// Errors  Error{device_failed} if there are not as many units as cells.
void RelaxRequest::deliver(std::size_t item, std::span<const std::uint16_t> units) {
  const SparseMatrix& before = current_.at(pairs_[item].x, pairs_[item].y);
  if (units.size() != before.packed().size()) {
    throw Error(ErrorKind::device_failed, "a pair of " + std::to_string(before.packed().size()) +
                                              " cells came back with " +
                                              std::to_string(units.size()));
  }
  if (units_.empty()) return sink_(pairs_[item], before.with_units(units));
  std::ranges::copy(units, units_.begin() + static_cast<std::ptrdiff_t>(first_unit_[item]));
}

double RelaxRequest::kept_bytes(double cells) {
  return cells <= kMostKept ? sizeof(std::uint16_t) * cells : 0;
}

void RelaxRequest::finish() {
  if (units_.empty()) return;
  parallel_for(pairs_.size(), [&](std::size_t item, int) {
    const SparseMatrix& before = current_.at(pairs_[item].x, pairs_[item].y);
    const auto units = std::span(units_).subspan(first_unit_[item], before.packed().size());
    sink_(pairs_[item], before.with_units(units));
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
          posterior_matrix(cells[pairs.size()], set.length(x), set.length(y), model);
      pairs.push_back({x, y});
    }
  }
  const ConsistencyParams params;
  const RelaxWeights weights(sequence_weights, params.self_weight_for(set.size()), intermediates);
  const auto relaxed = [&](Backend& backend) {
    std::vector<std::vector<std::uint16_t>> units_of(pairs.size());
    const RelaxSink sink = [&](std::size_t k, std::span<const std::uint16_t> units) {
      units_of[k].assign(units.begin(), units.end());
    };
    backend.compute(RelaxCall{posteriors, pairs, weights, params.cutoff, sink});
    return units_of;
  };
  const auto expected = relaxed(reference), found = relaxed(tested);
  const std::string where =
      family.first_difference([&](std::size_t pair) { return expected[pair] == found[pair]; });
  return where.empty() ? where : "wrong consistency " + where;
}

}  // namespace accord
