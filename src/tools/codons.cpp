// SPDX-License-Identifier: Apache-2.0
#include "tools/codons.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <string_view>

#include "accord/base/error.hpp"

namespace accord {
namespace {

/// What a code has other than the standard one: codon and amino acid, four letters each.
/// Reference  NCBI, The Genetic Codes (Elzanowski and Ostell),
///         https://www.ncbi.nlm.nih.gov/Taxonomy/ Utils/wprintgc.cgi. Codons that may end or not
///         (27, 28, 31) are read as amino acids.
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

/// Place in kBases of each base that a letter may stand for.
std::vector<std::size_t> bases_of(char letter) {
  std::vector<std::size_t> places;
  for (const std::uint8_t base :
       residues_of_code(ResidueType::dna, encode_letter(ResidueType::dna, letter))) {
    places.push_back(kBases.find("ACGT"[base]));
  }
  return places;
}

std::string three_times(const std::string& text) {
  std::string result;
  for (const char c : text) result.append(3, c);
  return result;
}

std::string listed(const std::vector<std::size_t>& numbers) {
  constexpr std::size_t kShown = 5;
  std::string text;
  for (std::size_t k = 0; k < numbers.size() && k < kShown; ++k) {
    if (k > 0) text += ", ";
    text += std::to_string(numbers[k]);
  }
  return numbers.size() > kShown ? text + ", ..." : text;
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

Translation translate(const std::string& bases, const GeneticCode& code) {
  Translation result;
  for (std::size_t i = 0; i + 3 <= bases.size(); i += 3) {
    result.protein += code.amino_acid(bases[i], bases[i + 1], bases[i + 2]);
  }
  for (std::size_t k = 0; k + 1 < result.protein.size(); ++k) {
    if (result.protein[k] == '*') result.inner_stops.push_back(k + 1);
  }
  result.left_over = bases.size() % 3;
  if (result.left_over > 0) {
    // A stop before an incomplete codon ends nothing.
    if (result.protein.ends_with('*')) result.inner_stops.push_back(result.protein.size());
    result.protein += 'X';
  }
  return result;
}

std::string frame_problem(const std::string& bases, const GeneticCode& code) {
  const Translation found = translate(bases, code);
  std::string text;
  if (!found.inner_stops.empty()) {
    text = std::to_string(found.inner_stops.size()) +
           (found.inner_stops.size() == 1 ? " stop" : " stops") + " inside, at codon " +
           listed(found.inner_stops);
  }
  if (found.left_over > 0) {
    if (!text.empty()) text += "; ";
    text += "its length is not a multiple of 3";
  }
  for (std::size_t frame = 1; frame < 3 && !found.inner_stops.empty(); ++frame) {
    if (bases.size() < frame + 3) break;
    const std::string shifted = bases.substr(frame, (bases.size() - frame) / 3 * 3);
    if (translate(shifted, code).inner_stops.empty()) {
      text += "; read from base " + std::to_string(frame + 1) + " it has no stop inside";
    }
  }
  return text;
}

AlignmentText codon_alignment(const AlignmentText& protein,
                              const std::vector<SequenceRecord>& records, ResidueType type,
                              bool upper_case) {
  AlignmentText text = protein;
  text.type = type;
  text.columns = 3 * protein.columns;
  text.rows = GappedRows(text.columns);
  for (std::size_t k = 0; k < records.size(); ++k) {
    const std::string& bases = records[k].letters;
    std::vector<std::uint32_t> columns;
    for (const std::uint32_t c : protein.rows.column_of(k)) {
      for (std::uint32_t base = 0; base < 3 && columns.size() < bases.size(); ++base) {
        columns.push_back(3 * c + base);
      }
    }
    text.rows.add(bases, columns);
    if (upper_case) {
      for (char& c : text.rows.residues(k)) {
        c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
      }
    }
    if (!text.residue_codes.empty() && text.residue_codes[k]) {
      text.residue_codes[k] = three_times(*text.residue_codes[k]).substr(0, columns.size());
    }
    // Else a name has blanks, which the headers of `protein` are without.
    if (protein.whole_names.empty()) text.headers[k] = records[k].header;
  }
  text.column_codes = three_times(protein.column_codes);
  text.column_confidence.clear();
  for (const float confidence : protein.column_confidence) {
    text.column_confidence.insert(text.column_confidence.end(), 3, confidence);
  }
  return text;
}

}  // namespace accord
