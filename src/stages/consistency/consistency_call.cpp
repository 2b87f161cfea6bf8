// SPDX-License-Identifier: Apache-2.0
#include "stages/consistency/consistency_call.hpp"

#include <array>
#include <utility>

#include "engine/backend.hpp"
#include "stages/posteriors/self_test_family.hpp"

namespace accord {

void transform_in_rounds(const ConsistencyCall& call,
                         const std::function<void(const ConsistencyCall&)>& one_round) {
  PosteriorSet between;
  for (std::size_t round = 0; round < call.cutoffs.size(); ++round) {
    const PosteriorSet& current = round == 0 ? call.current : between;
    const auto cutoff = call.cutoffs.subspan(round, 1);
    if (round + 1 == call.cutoffs.size()) {
      return one_round({current, call.pairs, call.weights, cutoff, call.sink});
    }
    // The sink of the call needs units for the packed cells of the call, so that rounds keep these
    // cells.
    PosteriorSet next = call.current.without_cells();
    const ConsistencySink keep = [&](std::size_t k, std::span<const std::uint16_t> units) {
      const auto [x, y] = call.pairs[k];
      next.at(x, y) = current.at(x, y).with_all_units(units);
    };
    one_round({current, call.pairs, call.weights, cutoff, keep});
    between = std::move(next);
  }
}

std::string ConsistencyCall::self_test(Backend& tested, Backend& reference) {
  const SelfTestFamily family;
  const SequenceSet& set = family.set();
  const PosteriorModel& model = family.models().back();
  auto matrices = family.matrices(reference, model);
  PosteriorSet posteriors(set.size());
  std::vector<PairIndex> pairs;
  std::vector<float> sequence_weights;
  std::vector<std::uint32_t> intermediates;  // two of three sequences
  for (std::uint32_t y = 0; y < set.size(); ++y) {
    sequence_weights.push_back(static_cast<float>(1 + y % 7) / 8.0f);
    if (y % 3 != 1) intermediates.push_back(y);
    for (std::uint32_t x = 0; x < y; ++x) {
      posteriors.at(x, y) = std::move(matrices[pairs.size()].first);
      pairs.push_back({x, y});
    }
  }
  const ConsistencyParams params;
  const ConsistencyWeights weights(sequence_weights, params.self_weight_for(set.size()),
                                   intermediates);
  const auto transformed = [&](Backend& backend, std::span<const float> cutoffs) {
    std::vector<std::vector<std::uint16_t>> units_of(pairs.size());
    const ConsistencySink sink = [&](std::size_t k, std::span<const std::uint16_t> units) {
      units_of[k].assign(units.begin(), units.end());
    };
    backend.compute(ConsistencyCall{posteriors, pairs, weights, cutoffs, sink});
    return units_of;
  };
  const std::array cutoffs = {params.cutoff, params.final_cutoff};
  for (const std::size_t rounds : {std::size_t{1}, cutoffs.size()}) {
    const auto of_rounds = std::span(cutoffs).first(rounds);
    const auto expected = transformed(reference, of_rounds), found = transformed(tested, of_rounds);
    const std::string where =
        family.first_difference([&](std::size_t pair) { return expected[pair] == found[pair]; });
    if (!where.empty()) return "wrong consistency " + where;
  }
  return {};
}

}  // namespace accord
