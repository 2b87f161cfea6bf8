// SPDX-License-Identifier: Apache-2.0
#include "tools/codons.hpp"

#include <algorithm>
#include <cctype>
#include <utility>

namespace accord {
namespace {

constexpr std::size_t kBases = 3;

std::string three_times(const std::string& text) {
  std::string result;
  for (const char c : text) result.append(kBases, c);
  return result;
}

/// A row of codons in place of one of residues.
std::string codon_row(const std::string& row, const std::vector<std::string>& codons) {
  std::string text;
  std::size_t next = 0;
  for (const char c : row) text += c == '-' ? std::string(kBases, '-') : codons.at(next++);
  return text;
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

void CodingSequence::add(const std::string& bases, const GeneticCode& code, char fill) {
  std::string codon = bases;
  codon.resize(kBases, fill);
  protein += bases.size() == kBases ? code.amino_acid(codon[0], codon[1], codon[2]) : 'X';
  codons.push_back(std::move(codon));
}

void CodingSequence::add_all(const std::string& bases, const GeneticCode& code) {
  for (std::size_t i = 0; i < bases.size(); i += kBases) add(bases.substr(i, kBases), code);
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
    found.codons.push_back(std::string(kBases - first, '-') + bases.substr(0, first));
    found.protein += 'X';
  }
  found.add_all(bases.substr(first), code);
  found.find_inner_stops();
  return found;
}

std::size_t open_frame(const std::string& bases, const GeneticCode& code) {
  std::size_t best = 0, fewest = read_codons(bases, code).inner_stops.size();
  for (std::size_t frame = 1; frame < kBases; ++frame) {
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
    text = std::to_string(stops.size()) + (stops.size() == 1 ? " stop" : " stops") +
           " inside, at codon " + listed_numbers(stops);
  }
  if (incomplete == 0 && bases.size() % kBases > 0) {
    if (!text.empty()) text += "; ";
    text += "its length is not a multiple of 3";
  }
  for (std::size_t frame = 0; frame < kBases && !stops.empty(); ++frame) {
    if (frame == incomplete || bases.size() < frame + kBases) continue;
    const std::string shifted = bases.substr(frame, (bases.size() - frame) / kBases * kBases);
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
  text.columns *= kBases;
  for (std::size_t r = 0; r < text.rows.size(); ++r) {
    text.rows[r] = codon_row(text.rows[r], codons[r]);
    if (!upper_case) continue;
    for (char& c : text.rows[r]) {
      c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    }
  }
  for (std::string& codes : text.posterior_codes) codes = three_times(codes);
  text.column_codes = three_times(text.column_codes);
  std::vector<float> confidence;
  for (const float c : text.column_confidence) confidence.insert(confidence.end(), kBases, c);
  text.column_confidence = std::move(confidence);
  std::vector<bool> matches;
  for (const bool is_match : text.match_columns) matches.insert(matches.end(), kBases, is_match);
  text.match_columns = std::move(matches);
  for (auto* lines : {&text.markup.of_columns, &text.markup.of_residues}) {
    for (StockholmMarkup::Columns& line : *lines) line.text = three_times(line.text);
  }
  return text;
}

}  // namespace accord
