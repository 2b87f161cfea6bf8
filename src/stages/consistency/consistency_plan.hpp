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
/// The same of the wanted pairs.
std::vector<PairIndex> plan_consistency_pairs(const PosteriorSet& posteriors,
                                              const PairSet& wanted);

/// The numbers of pairs in an order that groups 16 neighbouring x's and y's, so that the sequences
/// that a device reads at the same time fit a cache.
std::vector<std::size_t> by_neighbourhood(std::span<const PairIndex> pairs);

/// Checks that the pairs which the transform of the wanted pairs goes through are present.
/// Throws  Error{internal} if a sequence of a wanted pair makes no pair of `present` with one of
///         the intermediates.
void check_intermediates(const PairSet& present, const PairSet& wanted,
                         std::span<const std::uint32_t> intermediates);

/// Memory of the cells of a pair, in bytes.
std::size_t consistency_pair_bytes(const PosteriorSet& posteriors, PairIndex pair);

}  // namespace accord
