// SPDX-License-Identifier: Apache-2.0
#include "tools/genetic_code.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "accord/base/error.hpp"
#include "core/alphabet.hpp"

namespace accord {
namespace {

/// The differences of a code from the standard one: four letters each, codon and amino acid.
/// Reference  NCBI, The Genetic Codes (Elzanowski and Ostell),
///            https://www.ncbi.nlm.nih.gov/Taxonomy/Utils/wprintgc.cgi. Codons that are stops in
///            some contexts only (27, 28, 31) are read as amino acids.
struct CodeEntry {
  int number;
  std::string_view name, differences;
};
constexpr std::array<CodeEntry, 27> kCodes = {{
    {1, "standard", ""},
    {2, "vertebrate mitochondrial", "TGAW ATAM AGA* AGG*"},
    {3, "yeast mitochondrial", "TGAW CTTT CTCT CTAT CTGT ATAM"},
    {4, "mold and protozoan mitochondrial, mycoplasma", "TGAW"},
    {5, "invertebrate mitochondrial", "TGAW ATAM AGAS AGGS"},
    {6, "ciliate nuclear", "TAAQ TAGQ"},
    {9, "echinoderm and flatworm mitochondrial", "TGAW AAAN AGAS AGGS"},
    {10, "euplotid nuclear", "TGAC"},
    {11, "bacterial, archaeal and plant plastid", ""},
    {12, "alternative yeast nuclear", "CTGS"},
    {13, "ascidian mitochondrial", "TGAW ATAM AGAG AGGG"},
    {14, "alternative flatworm mitochondrial", "TAAY TGAW AAAN AGAS AGGS"},
    {15, "blepharisma macronuclear", "TAGQ"},
    {16, "chlorophycean mitochondrial", "TAGL"},
    {21, "trematode mitochondrial", "TGAW ATAM AAAN AGAS AGGS"},
    {22, "scenedesmus mitochondrial", "TCA* TAGL"},
    {23, "thraustochytrium mitochondrial", "TTA*"},
    {24, "pterobranchia mitochondrial", "TGAW AGAS AGGK"},
    {25, "candidate division SR1 and gracilibacteria", "TGAG"},
    {26, "pachysolen nuclear", "CTGA"},
    {27, "karyorelict nuclear", "TAAQ TAGQ TGAW"},
    {28, "condylostoma nuclear", "TAAQ TAGQ TGAW"},
    {29, "mesodinium nuclear", "TAAY TAGY"},
    {30, "peritrich nuclear", "TAAE TAGE"},
    {31, "blastocrithidia nuclear", "TAAE TAGE TGAW"},
    {32, "balanophoraceae plastid", "TAGW"},
    {33, "cephalodiscidae mitochondrial", "TAAY TGAW AGAS AGGK"},
}};
constexpr std::string_view kStandard =
    "FFLLSSSSYY**CC*WLLLLPPPPHHQQRRRRIIIMTTTTNNKKSSRRVVVVAAAADDEEGGGG";
constexpr std::string_view kBases = "TCAG";

/// For each base that a letter may stand for, its place in kBases.
std::vector<std::size_t> bases_of(char letter) {
  std::vector<std::size_t> places;
  for (const std::uint8_t base :
       residues_of_code(ResidueType::dna, encode_letter(ResidueType::dna, letter))) {
    places.push_back(kBases.find("ACGT"[base]));
  }
  return places;
}

}  // namespace

GeneticCode::GeneticCode(int number) : amino_acids_(kStandard) {
  for (const CodeEntry& entry : kCodes) {
    if (entry.number != number) continue;
    for (std::string_view rest = entry.differences; rest.size() >= 4;) {
      const std::size_t codon =
          16 * kBases.find(rest[0]) + 4 * kBases.find(rest[1]) + kBases.find(rest[2]);
      amino_acids_[codon] = rest[3];
      rest.remove_prefix(std::min<std::size_t>(5, rest.size()));
    }
    return;
  }
  throw Error(ErrorKind::usage, "genetic code " + std::to_string(number) + ": not known",
              "'accord help codes' lists them");
}

char GeneticCode::amino_acid(char first, char second, char third) const {
  char found = 0;
  for (const std::size_t a : bases_of(first)) {
    for (const std::size_t b : bases_of(second)) {
      for (const std::size_t c : bases_of(third)) {
        const char amino_acid = amino_acids_[16 * a + 4 * b + c];
        if (found != 0 && found != amino_acid) return 'X';
        found = amino_acid;
      }
    }
  }
  return found;
}

std::string genetic_codes() {
  std::string text;
  for (const CodeEntry& entry : kCodes) {
    const std::string number = std::to_string(entry.number);
    text.append(4 - number.size(), ' ').append(number).append("  ").append(entry.name) += '\n';
  }
  return text;
}

}  // namespace accord
