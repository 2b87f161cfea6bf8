// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace accord {

/// What the letters of a family stand for.
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

/// The canonical residues that a code may stand for: itself for a canonical residue, two for B,
/// all for X. Canonical residues are the codes below 20 (protein) or 4 (nucleotides).
std::vector<std::uint8_t> residues_of_code(ResidueType type, std::uint8_t code);

/// Number of canonical residues: 20 or 4.
std::size_t residue_count(ResidueType type);

/// True for a character that may stand in a sequence: a letter, `*`, or `?` for a residue that is
/// not known.
bool is_sequence_letter(char c);

/// What the letters of a family suggest.
struct TypeGuess {
  ResidueType type = ResidueType::protein;
  double bases = 0;       ///< share of A C G T U among the letters other than N, X and ?
  bool is_close = false;  ///< the other type is possible, too
};

/// Guesses the type from the letters of all sequences of a family. Nucleotides if at least 90 % of
/// the letters other than N, X and ? are A C G T U, and there is at least one such letter; or at
/// least 60 %, if each of the four bases is 2 % of them and none is a letter that stands for no
/// nucleotide (E F I J L O P Q Z), as in DNA with many ambiguous bases; this is a close guess. RNA
/// if U is then more frequent than T. Everything else is protein; a close guess if at least 70 %
/// of the letters are A C G T U.
TypeGuess guess_residue_type(const std::vector<std::string_view>& sequences);

/// Two sequences of a family, by their place, that cannot be of one type.
struct MixedTypes {
  std::size_t nucleotides, protein;
};

/// The first sequence that is surely nucleotides and the first that is surely a protein, if there
/// are both. Surely nucleotides: ten letters or more, at least 95 % of those other than N, X and ?
/// are A C G T U, and each of the four bases is there. Surely a protein: ten letters or more, of
/// which at least 10 % stand for no nucleotide and no set of them (E F I J L O P Q Z).
std::optional<MixedTypes> find_mixed_types(const std::vector<std::string_view>& sequences);

}  // namespace accord
