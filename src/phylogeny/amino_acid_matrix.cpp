// SPDX-License-Identifier: Apache-2.0
#include <charconv>
#include <map>

#include "accord/base/error.hpp"
#include "io/files/text_input.hpp"
#include "phylogeny/model.hpp"

namespace accord {
namespace {

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

}  // namespace

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
