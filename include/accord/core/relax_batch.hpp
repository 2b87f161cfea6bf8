// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "accord/core/posterior_set.hpp"

namespace accord {

/// The pairs of a posterior set that have cells, those with most cells first.
std::vector<PairIndex> plan_relax_pairs(const PosteriorSet& posteriors);

/// Memory of the cells of a pair, in bytes.
std::size_t relax_pair_bytes(const PosteriorSet& posteriors, PairIndex pair);

}  // namespace accord
