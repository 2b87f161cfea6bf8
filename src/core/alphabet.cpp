// SPDX-License-Identifier: Apache-2.0
#include "core/alphabet.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "shared/layout.h"

namespace accord {
namespace {

constexpr std::string_view kProteinSymbols = "ARNDCQEGHILKMFPSTWYVBZJX";
constexpr std::string_view kNucleotideSymbols = "ACGTRYSWKMBDHVN";
static_assert(kProteinSymbols.size() <= ACCORD_LETTERS);
static_assert(kNucleotideSymbols.size() <= ACCORD_LETTERS);

/// Letters that stand for no nucleotide and no set of nucleotides.
constexpr std::string_view kProteinsOnly = "EFIJLOPQZ";

/// Letters that say nothing about the type.
constexpr std::string_view kUnknown = "NX?";

/// Bases of the IUPAC nucleotide letters (Cornish-Bowden 1985), in the order of the codes.
constexpr std::array<std::string_view, 15> kNucleotideSets = {
    "A", "C", "G", "T", "AG", "CT", "CG", "AT", "GT", "AC", "CGT", "AGT", "ACT", "ACG", "ACGT"};

/// Counts of the letters of one sequence, from which its type is detected.
struct LetterCounts {
  std::size_t all = 0;                    // N, X and ? left out
  std::array<std::size_t, 4> bases = {};  // A, C, G, T or U
  std::size_t proteins_only = 0;          // letters that stand for no nucleotide

  static constexpr std::size_t kFewest = 10;

  bool surely_nucleotides() const {
    const std::size_t sum = std::accumulate(bases.begin(), bases.end(), std::size_t{0});
    return all >= kFewest && std::find(bases.begin(), bases.end(), 0U) == bases.end() &&
           20 * sum >= 19 * all;
  }
  bool surely_protein() const { return all >= kFewest && 10 * proteins_only >= all; }
};

char upper_case(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }

/// How often each character occurs. Letters are counted in upper case.
class Histogram {
 public:
  explicit Histogram(std::string_view letters) { add(letters); }
  Histogram() = default;

  void add(std::string_view letters) {
    for (char c : letters) ++count_[static_cast<unsigned char>(upper_case(c)) % kCharacters];
    all_ += letters.size();
  }
  std::size_t of(char upper) const { return count_[static_cast<unsigned char>(upper)]; }
  std::size_t of(std::string_view upper) const {
    std::size_t sum = 0;
    for (char c : upper) sum += of(c);
    return sum;
  }
  std::size_t all() const { return all_; }

 private:
  static constexpr std::size_t kCharacters = 128;  // sequences are ASCII
  std::array<std::size_t, kCharacters> count_{};
  std::size_t all_ = 0;
};

LetterCounts count_letters(std::string_view letters) {
  const Histogram found(letters);
  LetterCounts counts;
  counts.all = found.all() - found.of(kUnknown);
  counts.bases = {found.of('A'), found.of('C'), found.of('G'), found.of("TU")};
  counts.proteins_only = found.of(kProteinsOnly);
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
  using Codes = std::array<std::uint8_t, 256>;
  const auto codes_of = [](ResidueType type) {
    Codes codes{};
    for (std::size_t c = 0; c < codes.size(); ++c) {
      codes[c] = encode_upper(type, upper_case(static_cast<char>(c)));
    }
    return codes;
  };
  static const Codes protein = codes_of(ResidueType::protein);
  static const Codes nucleotides = codes_of(ResidueType::dna);  // RNA has the same codes
  const auto at = static_cast<unsigned char>(letter);
  return type == ResidueType::protein ? protein[at] : nucleotides[at];
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
  return c == '*' || c == '?' || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
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

TypeGuess guess_residue_type(const std::vector<std::string_view>& sequences) {
  constexpr std::size_t kFewest = 20;  // fewer letters do not show the type
  Histogram found;
  for (std::string_view letters : sequences) found.add(letters);
  const std::size_t bases = found.of("ACGTU");
  const std::size_t all = found.all() - found.of(kUnknown);
  TypeGuess guess;
  if (bases == 0) return guess;
  guess.bases = static_cast<double>(bases) / static_cast<double>(all);
  const bool is_clear = 10 * bases >= 9 * all;
  bool has_all_bases = true;
  for (const char* base : {"A", "C", "G", "TU"}) has_all_bases &= 50 * found.of(base) >= all;
  const bool is_ambiguous = 5 * bases >= 3 * all && has_all_bases && found.of(kProteinsOnly) == 0;
  if (is_clear || is_ambiguous) {
    guess.type = found.of('U') > found.of('T') ? ResidueType::rna : ResidueType::dna;
    guess.is_close = !is_clear;
  } else {
    guess.is_close = all >= kFewest && 10 * bases >= 7 * all;
  }
  return guess;
}

}  // namespace accord
