// SPDX-License-Identifier: Apache-2.0
#include "phylogeny/site_patterns.hpp"

#include <array>
#include <string_view>
#include <unordered_map>

#include "accord/base/error.hpp"
#include "base/text.hpp"
#include "io/files/text_input.hpp"

namespace accord {
namespace {

using StateSet = std::uint64_t;

constexpr StateSet first_states(std::size_t count) { return ~StateSet{0} >> (64 - count); }

/// The residues of a letter or a gap, one bit each.
class ResidueSets {
 public:
  explicit ResidueSets(ResidueType type) {
    for (std::size_t c = 0; c < sets_.size(); ++c) {
      const char letter = static_cast<char>(c);
      if (!is_sequence_letter(letter)) {
        sets_[c] = first_states(residue_count(type));
        continue;
      }
      for (const std::uint8_t residue : residues_of_code(type, encode_letter(type, letter))) {
        sets_[c] |= StateSet{1} << residue;
      }
    }
  }
  StateSet of(char letter) const { return sets_[static_cast<unsigned char>(letter)]; }

 private:
  std::array<StateSet, 256> sets_{};
};

/// The sets of states of a row, one per site.
class RowReader {
 public:
  RowReader(ResidueType type, StateKind states, const std::string& label, int code)
      : residues_(type), states_(states), label_(label), code_(code) {
    if (states == StateKind::codon) codons_ = sense_codons(code);
  }

  std::vector<StateSet> read(const SequenceRecord& row) const {
    std::vector<StateSet> sets;
    if (states_ != StateKind::codon) {
      for (const char letter : row.letters) sets.push_back(residues_.of(letter));
      return sets;
    }
    const std::size_t last = row.letters.find_last_not_of("-.");
    for (std::size_t c = 0; c + 2 < row.letters.size(); c += 3) {
      StateSet codons = codons_of(&row.letters[c]);
      if (codons == 0 && last != std::string::npos && c + 2 >= last) {
        codons = first_states(codons_.size());
      }
      if (codons == 0) {
        throw Error(ErrorKind::bad_input,
                    label_ + ": row " + quote(row.header) + " has the stop codon " +
                        row.letters.substr(c, 3) + " in columns " + std::to_string(c + 1) + " to " +
                        std::to_string(c + 3),
                    "codon models take coding sequences in frame; {code} N names another genetic "
                    "code than " +
                        std::to_string(code_));
      }
      sets.push_back(codons);
    }
    return sets;
  }

 private:
  StateSet codons_of(const char* letters) const {
    StateSet found = 0;
    for (std::size_t k = 0; k < codons_.size(); ++k) {
      bool fits = true;
      for (int at = 0; at < 3; ++at) fits &= residues_.of(letters[at]) >> codons_[k].base[at] & 1;
      if (fits) found |= StateSet{1} << k;
    }
    return found;
  }

  ResidueSets residues_;
  StateKind states_;
  const std::string& label_;
  int code_;
  std::vector<Codon> codons_;
};

/// Gives each set of states a code; those of one state come first.
class SymbolTable {
 public:
  SymbolTable(std::uint32_t states, const std::string& label) : label_(label) {
    for (std::uint32_t s = 0; s < states; ++s) code_of(StateSet{1} << s);
  }
  std::uint8_t code_of(StateSet set) {
    const auto [found, is_new] = codes_.try_emplace(set, symbols.size());
    if (is_new) symbols.push_back(set);
    if (symbols.size() > 256) {
      throw Error(ErrorKind::bad_input, label_ + ": more than 256 kinds of ambiguous codons",
                  "write N for bases that are hardly known");
    }
    return static_cast<std::uint8_t>(found->second);
  }

  std::vector<StateSet> symbols;

 private:
  std::unordered_map<StateSet, std::size_t> codes_;
  const std::string& label_;
};

void check_codon_columns(std::size_t columns, const std::string& label) {
  if (columns % 3 == 0) return;
  throw Error(ErrorKind::bad_input,
              label + ": " + counted(columns, "column is", "columns are") +
                  " no multiple of three, and so no codons",
              "a nucleotide model, such as {model=GTR+G4}, takes any columns");
}

}  // namespace

AlignmentPatterns find_patterns(const std::vector<SequenceRecord>& rows,
                                const std::vector<std::size_t>& row_of, ResidueType type,
                                StateKind states, const std::string& label, int code) {
  const std::size_t columns = rows.empty() ? 0 : rows.front().letters.size();
  if (states == StateKind::codon) check_codon_columns(columns, label);
  const std::size_t tips = row_of.size();
  const std::size_t sites = states == StateKind::codon ? columns / 3 : columns;
  const RowReader reader(type, states, label, code);
  SymbolTable table(state_count(states, code), label);
  std::vector<std::string> site(sites, std::string(tips, '\0'));  // the codes of all tips
  for (std::size_t tip = 0; tip < tips; ++tip) {
    const std::vector<StateSet> sets = reader.read(rows[row_of[tip]]);
    for (std::size_t c = 0; c < sites; ++c)
      site[c][tip] = static_cast<char>(table.code_of(sets[c]));
  }
  AlignmentPatterns found;
  SitePatterns& patterns = found.patterns;
  std::unordered_map<std::string_view, std::uint32_t> numbers;
  std::vector<std::size_t> first_site;
  for (std::size_t c = 0; c < sites; ++c) {
    const auto [at, is_new] = numbers.try_emplace(site[c], patterns.weights.size());
    found.pattern_of.push_back(at->second);
    if (is_new) {
      patterns.weights.push_back(0);
      first_site.push_back(c);
    }
    patterns.weights[at->second] += 1;
  }
  patterns.states = state_count(states, code);
  patterns.tips = static_cast<std::uint32_t>(tips);
  patterns.symbols = table.symbols;
  patterns.codes.assign(tips * patterns.stride(), 0);
  for (std::size_t tip = 0; tip < tips; ++tip) {
    for (std::size_t c = 0; c < first_site.size(); ++c) {
      patterns.codes[tip * patterns.stride() + c] =
          static_cast<std::uint8_t>(site[first_site[c]][tip]);
    }
  }
  return found;
}

}  // namespace accord
