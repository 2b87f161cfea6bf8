// SPDX-License-Identifier: Apache-2.0
// The scale of a substitution matrix.
#include "models/substitution_matrix.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>
#include <utility>

#include "accord/base/error.hpp"
#include "base/paths.hpp"
#include "base/portable_math.hpp"
#include "base/text.hpp"
#include "io/files/text_input.hpp"

namespace accord {
namespace {

constexpr const char* kHint = "'accord help parameters' describes matrices";
constexpr std::string_view kProteinsOnly = "EFIJLOPQZ";

Error complaint(const std::string& label, std::size_t line, const std::string& problem) {
  return {ErrorKind::bad_input, label + ":" + std::to_string(line) + ": " + problem, kHint};
}

/// A line of the matrix.
struct Row {
  char letter;
  std::size_t line;
  std::vector<double> scores;
};

/// The matrix as read from the file.
struct ScoreTable {
  std::string letters;  // of the columns
  std::vector<Row> rows;
};

char letter_of(std::string_view word, const std::string& label, std::size_t line) {
  const char c =
      word[0] >= 'a' && word[0] <= 'z' ? static_cast<char>(word[0] - 'a' + 'A') : word[0];
  if (word.size() != 1 || !((c >= 'A' && c <= 'Z') || c == '*')) {
    throw complaint(label, line, "not a letter: " + quote(word));
  }
  return c;
}

double score_of(std::string_view word, const std::string& label, std::size_t line) {
  constexpr double kMost = 1e4;
  double value = 0;
  const auto parsed = std::from_chars(word.data(), word.data() + word.size(), value);
  if (parsed.ec != std::errc() || parsed.ptr != word.data() + word.size() ||
      !(std::fabs(value) <= kMost)) {
    throw complaint(label, line, "not a score: " + quote(word));
  }
  return value;
}

ScoreTable read_table(std::string_view text, const std::string& label) {
  ScoreTable table;
  LineReader reader(text);
  while (reader.next()) {
    std::string_view line = trimmed(reader.line());
    if (line.empty() || line[0] == '#') continue;
    const std::size_t number = reader.number();
    if (table.letters.empty()) {
      while (!trimmed(line).empty()) {
        const char letter = letter_of(take_word(line), label, number);
        if (table.letters.find(letter) != table.letters.npos) {
          throw complaint(label, number, std::string("the letter ") + letter + " occurs twice");
        }
        table.letters += letter;
      }
      continue;
    }
    Row row{letter_of(take_word(line), label, number), number, {}};
    while (!trimmed(line).empty()) row.scores.push_back(score_of(take_word(line), label, number));
    if (row.scores.size() != table.letters.size()) {
      throw complaint(
          label, number,
          counted(row.scores.size(), "score") + " for " + counted(table.letters.size(), "letter"));
    }
    table.rows.push_back(std::move(row));
  }
  if (table.rows.empty())
    throw Error(ErrorKind::bad_input, label + ": no substitution matrix", kHint);
  return table;
}

/// Nucleotides if the letters include all four bases and no letter that stands for no nucleotide.
ResidueKind kind_of_letters(const std::string& letters) {
  const auto has = [&](char c) { return letters.find(c) != letters.npos; };
  const bool has_bases = has('A') && has('C') && has('G') && (has('T') || has('U'));
  const bool is_nucleotide = has_bases && letters.find_first_of(kProteinsOnly) == letters.npos;
  return is_nucleotide ? ResidueKind::nucleotide : ResidueKind::protein;
}

ResidueType type_of(ResidueKind kind) {
  return kind == ResidueKind::protein ? ResidueType::protein : ResidueType::dna;
}

/// Whether a letter stands for any residue. Matrices have scores for such letters, which are
/// ignored.
bool is_unknown(ResidueKind kind, char letter) {
  return letter == '*' || letter == 'X' || (kind == ResidueKind::nucleotide && letter == 'N');
}

/// The code of a letter that may have scores.
std::uint8_t code_of(ResidueKind kind, char letter, const std::string& label, std::size_t line) {
  if (kind == ResidueKind::protein && (letter == 'U' || letter == 'O')) {
    throw complaint(label, line,
                    std::string("the letter ") + letter + " can have no scores: it is read as " +
                        (letter == 'U' ? "C" : "K") +
                        "; an alphabet may have 23 letters, all but O, U and X");
  }
  const std::uint8_t code = encode_letter(type_of(kind), letter);
  if (residues_of_code(type_of(kind), code).size() == residue_count(type_of(kind))) {
    throw complaint(label, line, std::string("the letter ") + letter + " can have no scores");
  }
  return code;
}

void fill_scores(SubstitutionMatrix& matrix, const ScoreTable& table, const std::string& label) {
  std::array<std::array<bool, ACCORD_SYMBOLS>, ACCORD_SYMBOLS> is_filled{};
  for (const Row& row : table.rows) {
    if (is_unknown(matrix.residues, row.letter)) continue;
    const std::uint8_t a = code_of(matrix.residues, row.letter, label, row.line);
    if (matrix.has_scores[a]) {
      throw complaint(label, row.line, std::string("the letter ") + row.letter + " occurs twice");
    }
    matrix.has_scores[a] = true;
    for (std::size_t k = 0; k < table.letters.size(); ++k) {
      if (is_unknown(matrix.residues, table.letters[k])) continue;
      const std::uint8_t b = code_of(matrix.residues, table.letters[k], label, row.line);
      matrix.scores[a][b] = row.scores[k];
      is_filled[a][b] = true;
    }
  }
  for (const Row& row : table.rows) {
    if (is_unknown(matrix.residues, row.letter)) continue;
    const std::uint8_t a = code_of(matrix.residues, row.letter, label, row.line);
    for (std::size_t b = 0; b < ACCORD_SYMBOLS; ++b) {
      if (is_filled[a][b] == is_filled[b][a] && matrix.scores[a][b] == matrix.scores[b][a] &&
          (is_filled[a][b] || !matrix.has_scores[b])) {
        continue;
      }
      throw complaint(label, row.line,
                      std::string("not symmetric: the scores of ") + row.letter +
                          " in its line and in its column differ");
    }
  }
}

/// The codes from whose scores the scale is computed.
std::vector<std::uint8_t> letters_of_scale(const SubstitutionMatrix& matrix) {
  const std::size_t canonical = residue_count(type_of(matrix.residues));
  bool has_all = true;
  for (std::size_t a = 0; a < canonical; ++a) has_all = has_all && matrix.has_scores[a];
  std::vector<std::uint8_t> codes;
  for (std::size_t a = 0; a < (has_all ? canonical : matrix.has_scores.size()); ++a) {
    if (matrix.has_scores[a]) codes.push_back(static_cast<std::uint8_t>(a));
  }
  return codes;
}

void find_scale(SubstitutionMatrix& matrix, const std::string& label) {
  const std::vector<std::uint8_t> codes = letters_of_scale(matrix);
  const std::size_t n = codes.size();
  std::vector<std::vector<double>> scores(n, std::vector<double>(n));
  for (std::size_t a = 0; a < n; ++a) {
    for (std::size_t b = 0; b < n; ++b) scores[a][b] = matrix.scores[codes[a]][codes[b]];
  }
  const bool are_amino_acids = n == residue_count(ResidueType::protein) && codes.back() + 1u == n;
  std::vector<double> background =
      are_amino_acids ? robinson_background() : std::vector<double>(n, 1 / static_cast<double>(n));
  matrix.lambda = karlin_lambda(scores, background);
  if (matrix.lambda == 0) {
    throw Error(ErrorKind::bad_input,
                label + ": no scale: a matrix of log odds has positive scores, and a negative mean",
                kHint);
  }
  MatrixScale implied = implied_scale(scores, matrix.lambda);
  matrix.implies_background = !implied.background.empty();
  if (matrix.implies_background) {
    matrix.lambda = implied.lambda;
    background = std::move(implied.background);
  }
  for (std::size_t a = 0; a < n; ++a) matrix.background[codes[a]] = background[a];
}

using Matrix = std::vector<std::vector<double>>;

constexpr int kHalvings = 60;  // of an interval; a double has no more digits

/// portable_exp(x), with x clamped to [-690, 690]; weights beyond have no meaning.
double bounded_exp(double x) { return portable_exp(std::clamp(x, -690.0, 690.0)); }

Matrix exponentials(const Matrix& scores, double lambda) {
  Matrix values = scores;
  for (std::vector<double>& row : values) {
    for (double& value : row) value = bounded_exp(lambda * value);
  }
  return values;
}

/// Solves `matrix` x = 1 by elimination with row pivots; empty if the rows depend on each other.
std::vector<double> solve_for_ones(Matrix matrix) {
  const std::size_t n = matrix.size();
  std::vector<double> x(n, 1.0);
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k + 1; i < n; ++i) {
      if (std::fabs(matrix[i][k]) > std::fabs(matrix[pivot][k])) pivot = i;
    }
    if (matrix[pivot][k] == 0) return {};
    std::swap(matrix[k], matrix[pivot]);
    std::swap(x[k], x[pivot]);
    for (std::size_t i = k + 1; i < n; ++i) {
      const double factor = matrix[i][k] / matrix[k][k];
      for (std::size_t j = k; j < n; ++j) matrix[i][j] -= factor * matrix[k][j];
      x[i] -= factor * x[k];
    }
  }
  for (std::size_t k = n; k-- > 0;) {
    for (std::size_t j = k + 1; j < n; ++j) x[k] -= matrix[k][j] * x[j];
    x[k] /= matrix[k][k];
  }
  return x;
}

/// The root of a function in an interval at whose ends it has different signs.
template <class Function>
double root_between(double low, double high, const Function& function) {
  const bool rises = function(high) > 0;
  for (int k = 0; k < kHalvings; ++k) {
    const double middle = (low + high) / 2;
    ((function(middle) > 0) == rises ? high : low) = middle;
  }
  return low;
}

}  // namespace

double SubstitutionMatrix::weight(std::uint8_t a, std::uint8_t b, double factor) const {
  if (has_scores[a] && has_scores[b]) return bounded_exp(factor * scores[a][b]);
  const ResidueType type = type_of(residues);
  const auto meanings = [&](std::uint8_t code) {
    std::vector<std::uint8_t> known;
    if (has_scores[code]) return std::vector<std::uint8_t>{code};
    const std::vector<std::uint8_t> all = residues_of_code(type, code);
    if (all.size() == residue_count(type)) return known;
    for (const std::uint8_t residue : all) {
      if (has_scores[residue]) known.push_back(residue);
    }
    return known;
  };
  double sum = 0, total = 0;
  for (const std::uint8_t x : meanings(a)) {
    for (const std::uint8_t y : meanings(b)) {
      const double share =
          (has_scores[a] ? 1 : background[x]) * (has_scores[b] ? 1 : background[y]);
      sum += share * bounded_exp(factor * scores[x][y]);
      total += share;
    }
  }
  return total > 0 ? sum / total : 1;
}

SubstitutionMatrix parse_substitution_matrix(std::string text, const std::string& label) {
  SubstitutionMatrix matrix;
  matrix.name = file_stem(label);
  const ScoreTable table = read_table(text, label);
  matrix.residues = kind_of_letters(table.letters);
  fill_scores(matrix, table, label);
  find_scale(matrix, label);
  matrix.text = std::move(text);
  return matrix;
}

double karlin_lambda(const Matrix& scores, const std::vector<double>& background) {
  double mean = 0, most = 0;
  for (std::size_t a = 0; a < scores.size(); ++a) {
    for (std::size_t b = 0; b < scores.size(); ++b) {
      mean += background[a] * background[b] * scores[a][b];
      most = std::max(most, scores[a][b]);
    }
  }
  if (!(most > 0) || !(mean < 0)) return 0;
  const auto excess = [&](double lambda) {
    double sum = -1;
    for (std::size_t a = 0; a < scores.size(); ++a) {
      for (std::size_t b = 0; b < scores.size(); ++b) {
        sum += background[a] * background[b] * bounded_exp(lambda * scores[a][b]);
      }
    }
    return sum;
  };
  // The sum falls from lambda = 0 on, and then rises without bound.
  double high = 1 / most;
  while (excess(high) <= 0 && high * most < 500) high *= 2;
  double low = high;
  while (excess(low) > 0 && low * most > 1e-9) low /= 2;
  return root_between(low, high, excess);
}

MatrixScale implied_scale(const Matrix& scores, double near) {
  constexpr int kSteps = 300;
  const auto background_at = [&](double lambda) {
    return solve_for_ones(exponentials(scores, lambda));
  };
  const auto excess = [&](double lambda) {
    double sum = -1;
    for (const double p : background_at(lambda)) sum += p;
    return sum;
  };
  const auto place = [&](int step) { return near * (0.5 + 1.5 * step / kSteps); };
  MatrixScale found;
  double before = excess(place(0));
  for (int step = 1; step <= kSteps; ++step) {
    const double here = excess(place(step));
    if ((before > 0) != (here > 0)) {
      const double lambda = root_between(place(step - 1), place(step), excess);
      std::vector<double> background = background_at(lambda);
      const bool is_good =
          !background.empty() && std::all_of(background.begin(), background.end(),
                                             [](double p) { return p > 0 && p < 1; });
      const bool is_nearer =
          found.background.empty() || std::fabs(lambda - near) < std::fabs(found.lambda - near);
      if (is_good && is_nearer) found = {lambda, std::move(background)};
    }
    before = here;
  }
  return found;
}

const std::vector<double>& robinson_background() {
  // A R N D C Q E G H I L K M F P S T W Y V
  static const std::vector<double> background = [] {
    std::vector<double> p = {78.05, 51.29, 44.87, 53.64, 19.25, 42.64, 62.95, 73.77, 21.99, 51.42,
                             90.19, 57.44, 22.43, 38.56, 52.03, 71.20, 58.41, 13.30, 32.16, 64.41};
    double sum = 0;
    for (const double value : p) sum += value;
    for (double& value : p) value /= sum;
    return p;
  }();
  return background;
}

}  // namespace accord
