// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/alphabet.hpp"

namespace accord {

/// The case in which the letters of an alignment are written.
enum class LetterCase {
  keep,    ///< that of the input
  upper,   ///< upper case
  lower,   ///< lower case
  by_type  ///< proteins in upper case, nucleotides in lower case
};

/// A letter in the wanted case; `type` is that of the sequence. What is no letter of ASCII stays.
constexpr char in_case(char letter, LetterCase wanted, ResidueType type) {
  if (wanted == LetterCase::by_type) {
    wanted = type == ResidueType::protein ? LetterCase::upper : LetterCase::lower;
  }
  constexpr int kDistance = 'a' - 'A';
  if (wanted == LetterCase::upper && letter >= 'a' && letter <= 'z') {
    return static_cast<char>(letter - kDistance);
  }
  if (wanted == LetterCase::lower && letter >= 'A' && letter <= 'Z') {
    return static_cast<char>(letter + kDistance);
  }
  return letter;
}

}  // namespace accord
