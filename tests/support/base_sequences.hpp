// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <random>
#include <string>

#include "core/sequence_set.hpp"
#include "method/pieces.hpp"

namespace accord::testing {

/// Pieces of pairs that a test can afford.
constexpr PieceRule kShortPieces{
    .least_cells = 1e6, .piece = 150, .flank = 80, .margin = 32, .sure = 100};

inline std::string random_bases(std::mt19937& random, std::size_t length) {
  std::string letters;
  for (std::size_t i = 0; i < length; ++i) letters += "ACGT"[random() % 4];
  return letters;
}

/// A copy in which one base of `rarity` is another, or left out, or doubled.
inline std::string changed(std::mt19937& random, const std::string& letters, unsigned rarity) {
  std::string copy;
  for (const char c : letters) {
    const unsigned event = random() % (3 * rarity);
    if (event == 0) {
      copy += "ACGT"[random() % 4];
    } else if (event == 1) {
      copy += std::string(1 + random() % 3, c);
    } else if (event > 2) {
      copy += c;
    }
  }
  return copy;
}

inline SequenceSet pair_of(const std::string& a, const std::string& b) {
  return SequenceSet({{"a", a}, {"b", b}}, ResidueType::dna);
}

}  // namespace accord::testing
