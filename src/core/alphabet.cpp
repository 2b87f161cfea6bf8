// SPDX-License-Identifier: Apache-2.0
#include "accord/core/alphabet.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <numeric>

namespace accord {
namespace {

constexpr std::string_view kProteinSymbols = "ARNDCQEGHILKMFPSTWYVBZJX";
constexpr std::string_view kNucleotideSymbols = "ACGTRYSWKMBDHVN";

/// Bases of the IUPAC nucleotide letters (Cornish-Bowden 1985), in the order of the codes.
constexpr std::array<std::string_view, 15> kNucleotideSets = {
    "A", "C", "G", "T", "AG", "CT", "CG", "AT", "GT", "AC", "CGT", "AGT", "ACT", "ACG", "ACGT"};

/// What the letters of a sequence say about its type.
struct LetterCounts {
  std::size_t all = 0;                    // N and X left out
  std::array<std::size_t, 4> bases = {};  // A, C, G, T or U
  std::size_t proteins_only = 0;          // letters without a meaning for nucleotides

  static constexpr std::size_t kFewest = 10;

  bool surely_nucleotides() const {
    const std::size_t sum = std::accumulate(bases.begin(), bases.end(), std::size_t{0});
    return all >= kFewest && std::find(bases.begin(), bases.end(), 0U) == bases.end() &&
           20 * sum >= 19 * all;
  }
  bool surely_protein() const { return all >= kFewest && 10 * proteins_only >= all; }
};

LetterCounts count_letters(std::string_view letters) {
  LetterCounts counts;
  for (char c : letters) {
    const char upper = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    if (upper == 'N' || upper == 'X') continue;
    ++counts.all;
    const std::size_t base = std::string_view("ACGT").find(upper == 'U' ? 'T' : upper);
    if (base < counts.bases.size()) ++counts.bases[base];
    counts.proteins_only += std::string_view("EFIJLOPQZ").find(upper) != std::string_view::npos;
  }
  return counts;
}

std::uint8_t position(std::string_view symbols, char letter, char otherwise) {
  auto at = symbols.find(letter);
  if (at == std::string_view::npos) at = symbols.find(otherwise);
  return static_cast<std::uint8_t>(at);
}

std::uint8_t encode_upper(ResidueType type, char upper) {
  if (type == ResidueType::protein) {
    if (upper == 'U') upper = 'C';  // selenocysteine: nearest standard residue
    if (upper == 'O') upper = 'K';  // pyrrolysine: a lysine derivative
    return position(kProteinSymbols, upper, 'X');
  }
  return position(kNucleotideSymbols, upper == 'U' ? 'T' : upper, 'N');
}

}  // namespace

std::string_view to_string(ResidueType type) {
  switch (type) {
    case ResidueType::protein:
      return "protein";
    case ResidueType::dna:
      return "dna";
    case ResidueType::rna:
      return "rna";
  }
  return "protein";
}

std::uint8_t encode_letter(ResidueType type, char letter) {
  return encode_upper(type, static_cast<char>(std::toupper(static_cast<unsigned char>(letter))));
}

std::size_t symbol_count(ResidueType type) {
  return type == ResidueType::protein ? kProteinSymbols.size() : kNucleotideSymbols.size();
}

std::size_t residue_count(ResidueType type) { return type == ResidueType::protein ? 20 : 4; }

std::vector<std::uint8_t> residues_of_code(ResidueType type, std::uint8_t code) {
  if (code < residue_count(type)) return {code};
  std::vector<std::uint8_t> residues;
  if (type != ResidueType::protein) {
    for (char base : kNucleotideSets[code]) residues.push_back(encode_upper(type, base));
    return residues;
  }
  constexpr std::array<std::string_view, 3> kPairs = {"ND", "QE", "IL"};  // B, Z, J
  const std::size_t ambiguous = code - residue_count(type);
  if (ambiguous < kPairs.size()) {
    for (char residue : kPairs[ambiguous]) residues.push_back(encode_upper(type, residue));
  } else {
    for (std::uint8_t residue = 0; residue < 20; ++residue) residues.push_back(residue);
  }
  return residues;
}

bool is_sequence_letter(char c) {
  return c == '*' || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

std::optional<MixedTypes> find_mixed_types(const std::vector<std::string_view>& sequences) {
  std::optional<std::size_t> nucleotides, protein;
  for (std::size_t k = 0; k < sequences.size() && !(nucleotides && protein); ++k) {
    const LetterCounts counts = count_letters(sequences[k]);
    if (!nucleotides && counts.surely_nucleotides()) nucleotides = k;
    if (!protein && counts.surely_protein()) protein = k;
  }
  if (!nucleotides || !protein) return std::nullopt;
  return MixedTypes{*nucleotides, *protein};
}

ResidueType detect_residue_type(const std::vector<std::string_view>& sequences) {
  std::size_t bases = 0, others = 0, thymine = 0, uracil = 0;
  for (std::string_view letters : sequences) {
    for (char c : letters) {
      switch (std::toupper(static_cast<unsigned char>(c))) {
        case 'A':
        case 'C':
        case 'G':
          ++bases;
          break;
        case 'T':
          ++bases;
          ++thymine;
          break;
        case 'U':
          ++bases;
          ++uracil;
          break;
        case 'N':
        case 'X':
          break;
        default:
          ++others;
      }
    }
  }
  if (bases == 0 || others * 9 > bases) return ResidueType::protein;
  return uracil > thymine ? ResidueType::rna : ResidueType::dna;
}

}  // namespace accord
