// SPDX-License-Identifier: Apache-2.0
#include "models/local_scores.hpp"

#include <algorithm>
#include <cstddef>

#include "models/model_tables.hpp"

namespace accord {
namespace {

/// Score of two canonical residues. For nucleotides, every matrix with one score for equal and one
/// for different bases becomes 600 and -200 once it is centred and scaled.
std::int32_t canonical_score(ResidueType type, std::size_t a, std::size_t b) {
  if (type != ResidueType::protein) return a == b ? 600 : -200;
  const auto [low, high] = std::minmax(a, b);
  return tables::kCentredBlosum62[high * (high + 1) / 2 + low];
}

std::int64_t background_of(ResidueType type, std::size_t a) {
  return type == ResidueType::protein ? tables::kBlosum62Background[a] : 250;
}

/// Means are rounded to the nearest integer, halves away from 0.
std::int32_t score_of_codes(ResidueType type, std::uint8_t code_a, std::uint8_t code_b) {
  const std::vector<std::uint8_t> of_a = residues_of_code(type, code_a);
  const std::vector<std::uint8_t> of_b = residues_of_code(type, code_b);
  const std::size_t all = residue_count(type);
  if (of_a.size() == all || of_b.size() == all) return 0;
  std::int64_t sum = 0, weight = 0;
  for (const std::uint8_t a : of_a) {
    for (const std::uint8_t b : of_b) {
      const std::int64_t share = background_of(type, a) * background_of(type, b);
      sum += share * canonical_score(type, a, b);
      weight += share;
    }
  }
  const std::int64_t half = sum < 0 ? -weight / 2 : weight / 2;
  return static_cast<std::int32_t>((sum + half) / weight);
}

}  // namespace

std::vector<std::int32_t> residue_scores(ResidueType type) {
  std::vector<std::int32_t> scores(ACCORD_SYMBOLS * ACCORD_SYMBOLS, 0);
  for (std::size_t a = 0; a < symbol_count(type); ++a) {
    for (std::size_t b = 0; b < symbol_count(type); ++b) {
      scores[a * ACCORD_SYMBOLS + b] =
          score_of_codes(type, static_cast<std::uint8_t>(a), static_cast<std::uint8_t>(b));
    }
  }
  return scores;
}

}  // namespace accord
