// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace accord {

/// The meaning of the letters of a family.
enum class ResidueType { protein, dna, rna };

/// "protein", "dna" or "rna".
std::string_view to_string(ResidueType type);

/// Code of a letter, in [0, symbol_count(type)); case does not matter.
///
/// Protein: 0..19 are A R N D C Q E G H I L K M F P S T W Y V, then B Z J and X. U is scored as
/// C, O as K; every other letter and `*` as X. Nucleotides: 0..3 are A C G T (U = T), then the
/// IUPAC letters of two and three bases and N; every other letter as N.
std::uint8_t encode_letter(ResidueType type, char letter);

/// Number of codes in use for a type.
std::size_t symbol_count(ResidueType type);

/// The canonical residues that a code, below symbol_count(type), may stand for. A canonical residue
/// stands for itself. Of the protein letters, B, Z and J have two residues, and X has all; an IUPAC
/// letter of nucleotides has its bases. Canonical residues are the codes below 20 (protein) or 4
/// (nucleotides).
std::vector<std::uint8_t> residues_of_code(ResidueType type, std::uint8_t code);

/// Number of canonical residues: 20 or 4.
std::size_t residue_count(ResidueType type);

/// True for a character that may occur in a sequence: a letter, `*`, or `?` for an unknown residue.
bool is_sequence_letter(char c);

/// The character that accord writes for a gap.
inline constexpr char kGap = '-';

/// True for a character that files have for a gap: `-` or `.`.
inline bool is_gap(char c) { return c == kGap || c == '.'; }

/// The type that the letters of a family suggest.
struct TypeGuess {
  ResidueType type = ResidueType::protein;
  double bases = 0;       ///< share of A C G T U among the letters other than N, X and ?
  bool is_close = false;  ///< the other type is also plausible
};

/// Guesses the type from the letters, without gaps, of all sequences of a family. N, X and ? are
/// not counted.
/// The type is nucleotides if at least 90 % of the letters are A C G T U and there is at least one
/// of these. It is also nucleotides, as a close guess, if at least 60 % of the letters are A C G T
/// U, each of the four bases makes up at least 2 % of the letters, and no letter is one of E F I J
/// L O P Q Z, which stand for no nucleotide: this covers DNA with many ambiguous bases. Nucleotides
/// are RNA if U is more frequent than T. Everything else is protein; it is a close guess if there
/// are at least 20 letters, and at least 70 % of them are A C G T U.
TypeGuess guess_residue_type(const std::vector<std::string_view>& sequences);

/// Two sequences of a family that cannot be of one type, by their positions in the input, from 0.
struct MixedTypes {
  std::size_t nucleotides, protein;
};

/// Finds the first sequence that is surely nucleotides and the first that is surely a protein;
/// returns nothing unless both exist. Only sequences with at least ten letters other than N, X and
/// ? are judged, and only by these letters. A sequence is surely nucleotides if at least 95 % of
/// the letters are A C G T U and all four bases occur. It is surely a protein if at least 10 % of
/// the letters are E F I J L O P Q Z, which stand for no nucleotide.
std::optional<MixedTypes> find_mixed_types(const std::vector<std::string_view>& sequences);

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
