// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

#include "../../src/core/model_tables.hpp"
#include "accord/core/models.hpp"

// The numbers of the models in their original form, for oracles and simulated sequences. Nothing
// here goes through the odds form that accord computes with.
namespace accord::testing {

/// Entry (a, b) of a symmetric table stored as a lower triangle.
template <class Integer>
double triangle_entry(std::span<const Integer> table, std::size_t a, std::size_t b) {
  return a < b ? triangle_entry(table, b, a) : static_cast<double>(table[a * (a + 1) / 2 + b]);
}

/// Emission q(a) of a canonical residue in an insert state, also the background.
inline double single_emission(ResidueType type, std::size_t a) {
  return type == ResidueType::protein ? tables::kProteinEmission[a] / 1e8 : 0.25;
}

/// Emission p(a, b) of two canonical residues in the match state.
inline double pair_emission(ResidueType type, std::size_t a, std::size_t b) {
  if (type != ResidueType::protein) return (a == b ? 0.12 : 0.044) / 1.008;
  return triangle_entry<std::int32_t>(tables::kProteinPairEmission, a, b) / 1e8;
}

/// Substitution score s(a, b) of two canonical residues, in matrix units.
inline double substitution_score(PartitionMatrix matrix, std::size_t a, std::size_t b) {
  if (matrix == PartitionMatrix::gonnet160)
    return triangle_entry<std::int16_t>(tables::kGonnet160, a, b) / 10.0;
  if (matrix == PartitionMatrix::vtml200)
    return triangle_entry<std::int16_t>(tables::kVtml200, a, b);
  return triangle_entry<std::int16_t>(tables::kHoxd70, a, b);
}

}  // namespace accord::testing
