// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

#include "models/model_tables.hpp"
#include "models/models.hpp"

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

/// Substitution scores of two canonical residues, in matrix units.
inline double gonnet160(std::size_t a, std::size_t b) {
  return triangle_entry<std::int16_t>(tables::kGonnet160, a, b) / 10.0;
}
inline double vtml200(std::size_t a, std::size_t b) {
  return triangle_entry<std::int16_t>(tables::kVtml200, a, b);
}
inline double hoxd70(std::size_t a, std::size_t b) {
  return triangle_entry<std::int16_t>(tables::kHoxd70, a, b);
}

/// The score s(a, b) of a partition function.
inline double substitution_score(const PartitionFunction& partition, ResidueType type,
                                 std::size_t a, std::size_t b) {
  if (type != ResidueType::protein) return hoxd70(a, b);
  const double share = partition.vtml200_share;
  return (1 - share) * gonnet160(a, b) + share * vtml200(a, b);
}

/// Odds of a match of the pair-HMM, in the form p^(1 - share) exp(0.2319 s)^share of the
/// definition, to the power of the sharpness.
inline long double match_odds(const EmissionParams& emissions, ResidueType type, std::size_t a,
                              std::size_t b) {
  const long double published =
      static_cast<long double>(pair_emission(type, a, b)) /
      (static_cast<long double>(single_emission(type, a)) * single_emission(type, b));
  const long double share = emissions.vtml200_share;
  const long double vtml = share == 0 ? 1 : std::exp(0.2319L * vtml200(a, b));
  return std::pow(std::pow(published, 1 - share) * std::pow(vtml, share),
                  static_cast<long double>(emissions.sharpness));
}

}  // namespace accord::testing
