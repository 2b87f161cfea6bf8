// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/alphabet.hpp"

namespace accord {

/// Stands for a letter that cannot be compared with others.
constexpr char kUnknownLetter = '?';

/// A letter in the form in which letters are compared: upper case, and T for U in nucleotides.
/// Returns kUnknownLetter for every character that may stand for several residues (N in
/// nucleotides, B in proteins, X, `*`, `?`), and for a character that is no letter, such as a gap.
inline char compared_letter(ResidueType type, char letter) {
  if (!is_sequence_letter(letter)) return kUnknownLetter;
  if (residues_of_code(type, encode_letter(type, letter)).size() > 1) return kUnknownLetter;
  const char upper =
      letter >= 'a' && letter <= 'z' ? static_cast<char>(letter - 'a' + 'A') : letter;
  return upper == 'U' && type != ResidueType::protein ? 'T' : upper;
}

}  // namespace accord
