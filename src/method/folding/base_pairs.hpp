// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/base_pair.hpp"

namespace accord {

/// The probabilities of the base pairs of an RNA in the ensemble of all structures without
/// pseudoknots, by the partition function of McCaskill 1990 (Biopolymers 29:1105) over
/// loop_weights().
///
/// `factors`: [i L + j], for bases i < j of L bases. The factor of a pair multiplies the weight of
/// each structure that has the pair. Empty: all factors are 1.
/// Returns  the pairs with a probability of at least kLeastPairProbability, by the first and the
///          second base.
/// Cost     O(L^3) time and O(L^2) memory, on one thread: 48 bytes for each pair of bases.
std::vector<BasePair> base_pair_probabilities(std::span<const std::uint8_t> bases,
                                              std::span<const double> factors = {});

constexpr double kLeastPairProbability = 1e-3;

}  // namespace accord
