// SPDX-License-Identifier: Apache-2.0
// Weights and scores of two aligned residues in the pair models.
#pragma once
#include <array>
#include <cstddef>
#include <vector>

#include "models/parameters.hpp"

namespace accord {

constexpr std::size_t kMaxResidues = 20;

/// A value for every pair of canonical residues.
using ResiduePairs = std::array<std::array<double, kMaxResidues>, kMaxResidues>;

/// Background probabilities of the canonical residues.
std::vector<double> background(ResidueKind kind);

/// Odds of the match state of the pair-HMM (see EmissionParams).
ResiduePairs emission_odds(const EmissionParams& emissions, ResidueKind kind);

/// The scores of the partition function.
ResiduePairs partition_scores(const PartitionFunction& partition, ResidueKind kind);

/// Weights exp(score / temperature) of the partition function.
ResiduePairs partition_weights(const PartitionFunction& partition, ResidueKind kind);

}  // namespace accord
