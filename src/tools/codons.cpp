// SPDX-License-Identifier: Apache-2.0
#include "tools/codons.hpp"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <span>
#include <utility>

#include "base/text.hpp"

namespace accord {
namespace {

constexpr std::uint32_t kCodonBases = 3;

std::string three_times(const std::string& text) {
  std::string result;
  for (const char c : text) result.append(kCodonBases, c);
  return result;
}

char in_upper_case(char letter) {
  return static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
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
                              bool upper_case) {
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
        letters += upper_case ? in_upper_case(letter) : letter;
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

}  // namespace accord
