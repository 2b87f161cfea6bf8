// SPDX-License-Identifier: Apache-2.0
#include "tools/codons.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

#include "accord/base/error.hpp"
#include "base/text.hpp"
#include "core/alphabet.hpp"

namespace accord {
namespace {

constexpr std::uint32_t kCodonBases = 3;

std::string three_times(const std::string& text) {
  std::string result;
  for (const char c : text) result.append(kCodonBases, c);
  return result;
}

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

/// The amino acids of the 64 codons of a code.
std::string amino_acids_of(const CodeEntry& entry) {
  std::string amino_acids(kStandard);
  for (std::string_view rest = entry.differences; rest.size() >= 4;) {
    const std::size_t codon =
        16 * kBases.find(rest[0]) + 4 * kBases.find(rest[1]) + kBases.find(rest[2]);
    amino_acids[codon] = rest[3];
    rest.remove_prefix(std::min<std::size_t>(5, rest.size()));
  }
  return amino_acids;
}

}  // namespace

std::string listed_numbers(const std::vector<std::size_t>& numbers) {
  constexpr std::size_t kShown = 5;
  std::string text;
  for (std::size_t k = 0; k < numbers.size() && k < kShown; ++k) {
    if (k > 0) text += ", ";
    text += std::to_string(numbers[k]);
  }
  return numbers.size() > kShown ? text + ", ..." : text;
}

std::string bases_of(const std::vector<std::string>& codons) {
  std::string bases;
  for (const std::string& codon : codons) bases += codon;
  std::erase_if(bases, [](char c) { return c == '-' || c == '!'; });
  return bases;
}

void CodingSequence::add(const std::string& bases, const GeneticCode& code, char fill) {
  std::string codon = bases;
  codon.resize(kCodonBases, fill);
  protein += bases.size() == kCodonBases ? code.amino_acid(codon[0], codon[1], codon[2]) : 'X';
  codons.push_back(std::move(codon));
}

void CodingSequence::add_all(const std::string& bases, const GeneticCode& code) {
  for (std::size_t i = 0; i < bases.size(); i += kCodonBases)
    add(bases.substr(i, kCodonBases), code);
}

void CodingSequence::find_inner_stops() {
  inner_stops.clear();
  for (std::size_t k = 0; k + 1 < protein.size(); ++k) {
    if (protein[k] == '*') inner_stops.push_back(k + 1);
  }
}

void CodingSequence::drop_stop() {
  if (!protein.ends_with('*')) return;
  protein.pop_back();
  codons.pop_back();
}

CodingSequence read_codons(const std::string& bases, const GeneticCode& code,
                           std::size_t incomplete) {
  CodingSequence found;
  const std::size_t first = std::min(incomplete, bases.size());
  if (first > 0) {
    found.codons.push_back(std::string(kCodonBases - first, '-') + bases.substr(0, first));
    found.protein += 'X';
  }
  found.add_all(bases.substr(first), code);
  found.find_inner_stops();
  return found;
}

std::size_t open_frame(const std::string& bases, const GeneticCode& code) {
  std::size_t best = 0, fewest = read_codons(bases, code).inner_stops.size();
  for (std::size_t frame = 1; frame < kCodonBases; ++frame) {
    const std::size_t stops = read_codons(bases, code, frame).inner_stops.size();
    if (stops >= fewest) continue;
    best = frame;
    fewest = stops;
  }
  return best;
}

std::string frame_problem(const std::string& bases, const GeneticCode& code,
                          std::size_t incomplete) {
  const std::vector<std::size_t> stops = read_codons(bases, code, incomplete).inner_stops;
  std::string text;
  if (!stops.empty()) {
    text = counted(stops.size(), "stop") + " inside, at codon " + listed_numbers(stops);
  }
  if (incomplete == 0 && bases.size() % kCodonBases > 0) {
    if (!text.empty()) text += "; ";
    text += "its length is not a multiple of 3";
  }
  for (std::size_t frame = 0; frame < kCodonBases && !stops.empty(); ++frame) {
    if (frame == incomplete || bases.size() < frame + kCodonBases) continue;
    const std::string shifted =
        bases.substr(frame, (bases.size() - frame) / kCodonBases * kCodonBases);
    if (read_codons(shifted, code).inner_stops.empty()) {
      text += "; read from base " + std::to_string(frame + 1) + " it has no stop inside";
    }
  }
  return text;
}

AlignmentText codon_alignment(AlignmentText text,
                              const std::vector<std::vector<std::string>>& codons, ResidueType type,
                              LetterCase letter_case) {
  text.type = type;
  GappedRows rows(kCodonBases * text.columns);
  for (std::size_t r = 0; r < text.rows.size(); ++r) {
    std::string letters, codes;
    std::vector<std::uint32_t> columns;
    const std::span<const std::uint32_t> places = text.rows.column_of(r);
    for (std::size_t i = 0; i < places.size(); ++i) {
      for (std::uint32_t base = 0; base < kCodonBases; ++base) {
        const char letter = codons[r].at(i)[base];
        if (letter == '-') continue;
        letters += in_case(letter, letter_case, type);
        columns.push_back(kCodonBases * places[i] + base);
        if (!text.residue_codes.empty() && text.residue_codes[r]) {
          codes += (*text.residue_codes[r])[i];
        }
      }
    }
    rows.add(letters, columns);
    if (!text.residue_codes.empty() && text.residue_codes[r]) text.residue_codes[r] = codes;
  }
  text.rows = std::move(rows);
  text.columns = text.rows.columns();
  text.column_codes = three_times(text.column_codes);
  std::vector<float> confidence;
  for (const float c : text.column_confidence) confidence.insert(confidence.end(), kCodonBases, c);
  text.column_confidence = std::move(confidence);
  std::vector<bool> matches;
  for (const bool is_match : text.match_columns)
    matches.insert(matches.end(), kCodonBases, is_match);
  text.match_columns = std::move(matches);
  for (auto* lines : {&text.markup.of_columns, &text.markup.of_residues}) {
    for (StockholmMarkup::Columns& line : *lines) line.text = three_times(line.text);
  }
  return text;
}

GeneticCode::GeneticCode(int number) {
  for (const CodeEntry& entry : kCodes) {
    if (entry.number != number) continue;
    amino_acids_ = amino_acids_of(entry);
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

std::vector<NamedCode> named_codes() {
  std::vector<NamedCode> codes;
  for (const CodeEntry& entry : kCodes) {
    codes.push_back({entry.number, std::string(entry.name), amino_acids_of(entry)});
  }
  return codes;
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
