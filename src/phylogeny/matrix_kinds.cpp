// SPDX-License-Identifier: Apache-2.0
#include "phylogeny/matrix_kinds.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <utility>

#include "accord/base/error.hpp"
#include "io/files/text_input.hpp"

namespace accord {
namespace {

ModelParameter ratio(std::string name, double value) { return {std::move(name), value, 1e-3, 1e3}; }

/// A model of nucleotides. Its parameters are named, by number, after the first exchange that has
/// them; those of transitions begin at 2.
MatrixKind of_bases(std::string name, std::vector<std::string> aliases, FrequencySource frequencies,
                    const std::string& exchanges, bool has_kappa = false) {
  constexpr const char* kExchanges[] = {"AC", "AG", "AT", "CG", "CT", "GT"};
  MatrixKind kind{std::move(name), std::move(aliases), StateKind::nucleotide, frequencies, {}, {}};
  kind.exchanges = exchanges;
  for (std::size_t k = 0; k < exchanges.size(); ++k) {
    if (exchanges[k] == '.' || exchanges.find(exchanges[k]) < k) continue;
    const bool is_transition = k == 1 || k == 4;
    kind.parameters.push_back(ratio(has_kappa ? "kappa" : kExchanges[k], is_transition ? 2 : 1));
  }
  return kind;
}

MatrixKind of_proteins(std::string name) {
  return {std::move(name), {}, StateKind::amino_acid, FrequencySource::published, {}, {}};
}

constexpr std::size_t kAminoAcids = 20;

double number_of(std::string_view word, const LineReader& lines) {
  double value = 0;
  const auto [end, status] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (status == std::errc() && end == word.data() + word.size() && value >= 0) return value;
  throw Error(ErrorKind::internal, "substitution matrix, line " + std::to_string(lines.number()) +
                                       ": " + quote(word) + " is not a number");
}

/// Rows of the lower triangle, then the frequencies; a line begins with what it is.
AminoAcidMatrix parse_matrix(std::string_view text) {
  AminoAcidMatrix matrix;
  matrix.exchangeabilities.assign(kAminoAcids * kAminoAcids, 0.0);
  LineReader lines(text);
  std::size_t row = 1;
  double sum = 0;
  while (lines.next()) {
    std::string_view line = lines.line();
    if (line.starts_with('#') || is_blank(line)) continue;
    const bool is_last = take_word(line) == "frequencies";
    std::size_t column = 0;
    for (std::string_view word; !(word = take_word(line)).empty(); ++column) {
      const double value = number_of(word, lines);
      if (is_last) {
        matrix.frequencies.push_back(value);
        sum += value;
      } else {
        matrix.exchangeabilities.at(row * kAminoAcids + column) = value;
        matrix.exchangeabilities.at(column * kAminoAcids + row) = value;
      }
    }
    if (column != (is_last ? kAminoAcids : row++)) {
      throw Error(ErrorKind::internal, "substitution matrix, line " +
                                           std::to_string(lines.number()) +
                                           ": wrong number of values");
    }
  }
  for (double& frequency : matrix.frequencies) frequency /= sum;
  return matrix;
}

/// All matrices that a model can have. If a name means different matrices in different programs,
/// the table follows IQ-TREE; for example, TIM2 has equal frequencies in RAxML-NG alone.
/// Reference  Posada 2008, Mol Biol Evol 25:1253 (the reversible models of nucleotides).
const std::vector<MatrixKind>& matrix_kinds() {
  using enum FrequencySource;
  static const std::vector<MatrixKind> kinds = {
      of_bases("JC", {"JC69"}, equal, "......"),
      of_bases("F81", {}, counted, "......"),
      of_bases("K80", {"K2P"}, equal, ".1..1.", true),
      of_bases("HKY", {"HKY85"}, counted, ".1..1.", true),
      of_bases("TNE", {"TNEF", "TRNE", "TRNEF", "TN93EF"}, equal, ".1..2."),
      of_bases("TN", {"TN93", "TRN"}, counted, ".1..2."),
      of_bases("K81", {"K3P", "K3ST", "TPM1"}, equal, ".1221."),
      of_bases("K81U", {"K81UF", "K3PU", "TPM1U", "TPM1UF"}, counted, ".1221."),
      of_bases("TPM2", {}, equal, "121.2."),
      of_bases("TPM2U", {"TPM2UF"}, counted, "121.2."),
      of_bases("TPM3", {}, equal, "12.12."),
      of_bases("TPM3U", {"TPM3UF"}, counted, "12.12."),
      of_bases("TIME", {"TIMEF", "TIM1E"}, equal, ".1223."),
      of_bases("TIM", {"TIM1UF"}, counted, ".1223."),
      of_bases("TIM2E", {"TIM2EF"}, equal, "121.3."),
      of_bases("TIM2", {"TIM2UF"}, counted, "121.3."),
      of_bases("TIM3E", {"TIM3EF"}, equal, "12.13."),
      of_bases("TIM3", {"TIM3UF"}, counted, "12.13."),
      of_bases("TVME", {"TVMEF"}, equal, "12342."),
      of_bases("TVM", {}, counted, "12342."),
      of_bases("SYM", {}, equal, "12345."),
      of_bases("GTR", {}, counted, "12345."),
      of_proteins("LG"),
      of_proteins("WAG"),
      of_proteins("JTT"),
      of_proteins("DAYHOFF"),
      {"GY94",
       {"GY"},
       StateKind::codon,
       codon_positions,
       {ratio("kappa", 2), ratio("omega", 0.3)},
       {}},
  };
  return kinds;
}

}  // namespace

const MatrixKind* find_matrix(std::string_view name) {
  for (const MatrixKind& kind : matrix_kinds()) {
    const bool is_alias =
        std::find(kind.aliases.begin(), kind.aliases.end(), name) != kind.aliases.end();
    if (kind.name == name || is_alias) return &kind;
  }
  return nullptr;
}

std::string without_raxml_words(const std::string& name) {
  std::string rest = name, parts;
  const auto take_prefix = [&](std::string_view prefix) {
    if (!rest.starts_with(prefix)) return false;
    rest.erase(0, prefix.size());
    return true;
  };
  const bool is_ascertained = take_prefix("ASC_");
  if (take_prefix("PROTGAMMA")) {
    if (find_matrix(rest) == nullptr && take_prefix("I")) parts = "+I";
    parts += "+G4";
    if (find_matrix(rest) == nullptr && rest.ends_with('F')) {
      rest.pop_back();
      parts += "+F";
    }
  } else if (rest == "GTRGAMMA" || rest == "GTRGAMMAI") {
    parts = rest.ends_with('I') ? "+I+G4" : "+G4";
    rest = "GTR";
  } else {
    return name;
  }
  if (find_matrix(rest) == nullptr) return name;
  return rest + parts + (is_ascertained ? "+ASC" : "");
}

const AminoAcidMatrix& amino_acid_matrix(std::string_view name) {
  static const std::map<std::string_view, AminoAcidMatrix> matrices = {
      {"LG", parse_matrix(lg_matrix_text())},
      {"WAG", parse_matrix(wag_matrix_text())},
      {"JTT", parse_matrix(jtt_matrix_text())},
      {"DAYHOFF", parse_matrix(dayhoff_matrix_text())}};
  const auto found = matrices.find(name);
  if (found != matrices.end()) return found->second;
  throw Error(ErrorKind::internal, "there is no amino-acid matrix " + quote(name));
}

}  // namespace accord
