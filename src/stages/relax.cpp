// SPDX-License-Identifier: Apache-2.0
#include "accord/stages/relax.hpp"

#include <atomic>
#include <utility>

#include "accord/base/error.hpp"
#include "accord/stages/backend.hpp"
#include "accord/stages/self_test_family.hpp"

namespace accord {

RelaxRequest::RelaxRequest(const PosteriorSet& current, std::vector<PairIndex> pairs,
                           const RelaxWeights& weights, float cutoff, Sink sink)
    : current_(current),
      pairs_(std::move(pairs)),
      weights_(weights),
      cutoff_(cutoff),
      sink_(std::move(sink)) {}

double RelaxRequest::work(std::size_t item) const {
  return static_cast<double>(relax_pair_bytes(current_, pairs_[item]) * current_.sequences());
}

void RelaxRequest::run(Backend& backend, std::uint32_t memory_parts,
                       std::span<const ItemRange> items) {
  std::vector<PairIndex> pairs;
  for (const ItemRange& range : items) {
    const auto first = pairs_.begin();
    pairs.insert(pairs.end(), first + static_cast<std::ptrdiff_t>(range.first),
                 first + static_cast<std::ptrdiff_t>(range.last));
  }
  std::atomic<std::size_t> delivered{0};
  const RelaxSink sink = [&](std::size_t k, SparseMatrix matrix) {
    sink_(pairs[k], std::move(matrix));
    delivered.fetch_add(1, std::memory_order_relaxed);
  };
  backend.compute(RelaxCall{current_, pairs, weights_, cutoff_, sink}, memory_parts);
  if (delivered.load() != pairs.size()) {
    throw Error(ErrorKind::device_failed, backend.name() + ": transformed " +
                                              std::to_string(delivered.load()) + " of " +
                                              std::to_string(pairs.size()) + " pairs");
  }
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
    std::vector<SparseMatrix> matrices(pairs.size());
    const RelaxSink sink = [&](std::size_t k, SparseMatrix matrix) {
      matrices[k] = std::move(matrix);
    };
    backend.compute(RelaxCall{posteriors, pairs, weights, params.cutoff, sink});
    return matrices;
  };
  const std::vector<SparseMatrix> expected = relaxed(reference), found = relaxed(tested);
  const std::string where =
      family.first_difference([&](std::size_t pair) { return expected[pair] == found[pair]; });
  return where.empty() ? where : "wrong consistency " + where;
}

}  // namespace accord
