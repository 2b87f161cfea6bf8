// SPDX-License-Identifier: Apache-2.0
#include "core/alphabet.hpp"

#include <doctest/doctest.h>

#include <cctype>
#include <cstdint>
#include <string_view>
#include <vector>

namespace accord {
namespace {

using Residues = std::vector<std::uint8_t>;

std::uint8_t protein(char letter) { return encode_letter(ResidueType::protein, letter); }
std::uint8_t dna(char letter) { return encode_letter(ResidueType::dna, letter); }

Residues residues(ResidueType type, char letter) {
  return residues_of_code(type, encode_letter(type, letter));
}

TEST_CASE("alphabet: types are mixed only where the letters leave no doubt") {
  const auto mixed = [](const std::vector<std::string_view>& sequences) {
    return find_mixed_types(sequences).has_value();
  };
  const std::string_view dna = "ACGTACGGTCANNACGA", protein = "MKVLAAGIVGLLWC";
  CHECK(mixed({dna, protein}));
  CHECK(mixed({protein, protein, "acguacgguuacga"}));
  const auto found = find_mixed_types({"", protein, "GGG", protein, dna, dna});
  REQUIRE(found.has_value());
  CHECK(found->nucleotides == 4);
  CHECK(found->protein == 1);
  CHECK_FALSE(mixed({}));
  CHECK_FALSE(mixed({dna, dna}));
  CHECK_FALSE(mixed({protein, protein}));
  CHECK_FALSE(mixed({protein, "ACGTACGT"}));               // too short to be sure
  CHECK_FALSE(mixed({protein, "GAGAGSGAGAGAGAGAAAAA"}));   // silk
  CHECK_FALSE(mixed({protein, "GATTAGATTAGATTAGATTAG"}));  // no C
  CHECK_FALSE(mixed({protein, "XXXXXXXXXXXXXXXXXXXX"}));
  CHECK_FALSE(mixed({dna, "ACGTRYSWKMBDHVNACGTACGT"}));  // every IUPAC letter
  CHECK_FALSE(mixed({dna, "DHVDHVKKSSRRYYWWMM"}));
}

TEST_CASE("alphabet: canonical residues have the codes of the tables") {
  const std::string_view amino_acids = "ARNDCQEGHILKMFPSTWYV";
  for (std::size_t k = 0; k < amino_acids.size(); ++k) CHECK(protein(amino_acids[k]) == k);
  CHECK(residue_count(ResidueType::protein) == amino_acids.size());
  const std::string_view bases = "ACGT";
  for (std::size_t k = 0; k < bases.size(); ++k) CHECK(dna(bases[k]) == k);
  CHECK(residue_count(ResidueType::dna) == bases.size());
  CHECK(residue_count(ResidueType::rna) == bases.size());
}

TEST_CASE("alphabet: every letter has a code in range, whatever its case") {
  for (ResidueType type : {ResidueType::protein, ResidueType::dna, ResidueType::rna}) {
    for (char upper = 'A'; upper <= 'Z'; ++upper) {
      CHECK(encode_letter(type, upper) < symbol_count(type));
      const char lower = static_cast<char>(std::tolower(upper));
      CHECK(encode_letter(type, lower) == encode_letter(type, upper));
    }
    CHECK(encode_letter(type, '*') == symbol_count(type) - 1);
  }
}

TEST_CASE("alphabet: rare amino acids are scored as their nearest relatives") {
  CHECK(protein('U') == protein('C'));
  CHECK(protein('O') == protein('K'));
}

TEST_CASE("alphabet: U and T are one base") {
  CHECK(dna('U') == dna('T'));
  CHECK(encode_letter(ResidueType::rna, 'T') == encode_letter(ResidueType::rna, 'U'));
}

TEST_CASE("alphabet: residues of ambiguous amino acids") {
  const auto of = [](char letter) { return residues(ResidueType::protein, letter); };
  CHECK(of('W') == Residues{protein('W')});
  CHECK(of('B') == Residues{protein('N'), protein('D')});
  CHECK(of('Z') == Residues{protein('Q'), protein('E')});
  CHECK(of('J') == Residues{protein('I'), protein('L')});
  CHECK(of('X').size() == 20);
  CHECK(of('*').size() == 20);
}

TEST_CASE("alphabet: residues of the IUPAC nucleotide letters") {
  const auto of = [](char letter) { return residues(ResidueType::dna, letter); };
  CHECK(of('G') == Residues{dna('G')});
  CHECK(of('R') == Residues{dna('A'), dna('G')});
  CHECK(of('Y') == Residues{dna('C'), dna('T')});
  CHECK(of('S') == Residues{dna('C'), dna('G')});
  CHECK(of('W') == Residues{dna('A'), dna('T')});
  CHECK(of('K') == Residues{dna('G'), dna('T')});
  CHECK(of('M') == Residues{dna('A'), dna('C')});
  CHECK(of('B') == Residues{dna('C'), dna('G'), dna('T')});
  CHECK(of('D') == Residues{dna('A'), dna('G'), dna('T')});
  CHECK(of('H') == Residues{dna('A'), dna('C'), dna('T')});
  CHECK(of('V') == Residues{dna('A'), dna('C'), dna('G')});
  CHECK(of('N').size() == 4);
  CHECK(of('E').size() == 4);
}

TEST_CASE("alphabet: characters that may stand in a sequence") {
  for (char c : {'A', 'z', 'X', '*', '?'}) CHECK(is_sequence_letter(c));
  for (char c : {'-', '.', ' ', '1', '>', '@', '[', '`', '{', '\0', '\xe4'})
    CHECK_FALSE(is_sequence_letter(c));
}

TEST_CASE("alphabet: the type of a family is guessed from its letters") {
  using List = std::vector<std::string_view>;
  CHECK(guess_residue_type(List{"ACGTACGT", "ACGA"}).type == ResidueType::dna);
  CHECK(guess_residue_type(List{"ACGUACGU"}).type == ResidueType::rna);
  CHECK(guess_residue_type(List{"acgunnnnnn"}).type == ResidueType::rna);
  CHECK(guess_residue_type(List{"MKVLAAGIVG"}).type == ResidueType::protein);
  // Nine bases and one other letter are 90 %; less is protein if a letter is no nucleotide.
  CHECK(guess_residue_type(List{"ACGTACGTAL"}).type == ResidueType::dna);
  CHECK(guess_residue_type(List{"ACGTACGTL"}).type == ResidueType::protein);
  // The family decides, not one sequence.
  CHECK(guess_residue_type(List{"ACGT", "MKVLHHEW"}).type == ResidueType::protein);
  CHECK(guess_residue_type(List{"XXXX", "NN"}).type == ResidueType::protein);
  CHECK(guess_residue_type(List{""}).type == ResidueType::protein);
  CHECK(guess_residue_type(List{}).type == ResidueType::protein);
}

TEST_CASE("alphabet: ambiguous DNA, and what only looks like it") {
  using List = std::vector<std::string_view>;
  const TypeGuess clear = guess_residue_type(List{"ACGTACGTACGTR"});
  CHECK(clear.type == ResidueType::dna);
  CHECK_FALSE(clear.is_close);
  const TypeGuess ambiguous = guess_residue_type(List{"ACGTRYKACGTMSWACGUTACGBDN"});
  CHECK(ambiguous.type == ResidueType::dna);
  CHECK(ambiguous.is_close);
  CHECK(ambiguous.bases == doctest::Approx(16.0 / 24));
  // Silk, which has no T and hardly a C: protein, but worth a word.
  const TypeGuess silk = guess_residue_type(List{"GAGAGSGAASGAGAGSGYGAGAGSS"});
  CHECK(silk.type == ResidueType::protein);
  CHECK(silk.is_close);
  const TypeGuess protein = guess_residue_type(List{"MKVLAAGIVGLPTWERNDKK"});
  CHECK(protein.type == ResidueType::protein);
  CHECK_FALSE(protein.is_close);
  CHECK_FALSE(guess_residue_type(List{"XXNN"}).is_close);
}

TEST_CASE("alphabet: types have names") {
  CHECK(to_string(ResidueType::protein) == "protein");
  CHECK(to_string(ResidueType::dna) == "dna");
  CHECK(to_string(ResidueType::rna) == "rna");
}

}  // namespace
}  // namespace accord
