// SPDX-License-Identifier: Apache-2.0
#include "stages/consistency/consistency_call.hpp"

#include <utility>

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

}  // namespace accord
