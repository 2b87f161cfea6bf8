// SPDX-License-Identifier: Apache-2.0
// Weights and scores of two aligned residues in the pair models.
#pragma once
#include <array>
#include <cstddef>
#include <vector>

#include "models/parameters.hpp"

namespace accord {

/// The largest number of canonical residues: the amino acids.
constexpr std::size_t kMaxResidues = 20;

/// [a][b]: a value for the pair of canonical residues with the codes a and b; 0 for unused codes.
/// The canonical residues are the 20 amino acids or the four bases, without ambiguous letters.
using ResiduePairs = std::array<std::array<double, kMaxResidues>, kMaxResidues>;

/// Background probability of each canonical residue, by code: 20 values for proteins, 4 for
/// nucleotides.
std::vector<double> background(ResidueKind kind);

/// The odds with which the match state of the pair-HMM emits two residues (see EmissionParams).
ResiduePairs emission_odds(const EmissionParams& emissions, ResidueKind kind);

/// The scores of two aligned residues in the partition function, in the units of its substitution
/// matrix (Gonnet160 and VTML200, or HOXD70 for nucleotides).
ResiduePairs partition_scores(const PartitionFunction& partition, ResidueKind kind);

/// The weights exp(score / temperature) of two aligned residues in the partition function.
ResiduePairs partition_weights(const PartitionFunction& partition, ResidueKind kind);

}  // namespace accord
