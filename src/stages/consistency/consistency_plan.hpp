// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/posterior_set.hpp"

namespace accord {

/// The pairs of a posterior set that have cells, those with most cells first.
std::vector<PairIndex> plan_consistency_pairs(const PosteriorSet& posteriors);
/// The same for the wanted pairs only, which must all be in the set.
std::vector<PairIndex> plan_consistency_pairs(const PosteriorSet& posteriors,
                                              const PairSet& wanted);

/// The indices of `pairs`, in an order that groups pairs of 16 neighbouring x's and 16 neighbouring
/// y's. So the sequences that a device reads at the same time fit a cache.
std::vector<std::size_t> by_neighbourhood(std::span<const PairIndex> pairs);

/// Checks that `present` has the pairs of each sequence of a wanted pair with all intermediates.
/// Throws  Error{internal} if `present` lacks the pair of a sequence of a wanted pair and an
///         intermediate.
void check_intermediates(const PairSet& present, const PairSet& wanted,
                         std::span<const std::uint32_t> intermediates);

/// Memory of the cells of a pair, in bytes.
std::size_t consistency_pair_bytes(const PosteriorSet& posteriors, PairIndex pair);

}  // namespace accord
