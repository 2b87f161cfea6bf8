// SPDX-License-Identifier: Apache-2.0
#include "models/substitution_matrix.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <memory>
#include <string>

#include "models/emissions.hpp"
#include "models/matrix_parameters.hpp"
#include "models/models.hpp"
#include "support/paths.hpp"
#include "support/scratch.hpp"

using namespace accord;
using namespace accord::testing;

namespace {

using Scores = std::vector<std::vector<double>>;

SubstitutionMatrix blosum62() {
  const std::string path = source_dir() + "/datasets/substitution/blosum62.txt";
  return parse_substitution_matrix(file_bytes(path), path);
}

Scores canonical_scores(const SubstitutionMatrix& matrix) {
  Scores scores(20, std::vector<double>(20));
  for (std::size_t a = 0; a < 20; ++a) {
    for (std::size_t b = 0; b < 20; ++b) scores[a][b] = matrix.scores[a][b];
  }
  return scores;
}

Scores match_mismatch(double match, double mismatch) {
  Scores scores(4, std::vector<double>(4, mismatch));
  for (std::size_t a = 0; a < 4; ++a) scores[a][a] = match;
  return scores;
}

/// A matrix of bases in NCBI's format.
std::string bases_text(const Scores& scores) {
  std::string text = "# bases\n  A C G T\n";
  for (std::size_t a = 0; a < 4; ++a) {
    text += "ACGT"[a];
    for (const double score : scores[a]) text += " " + std::to_string(score);
    text += "\n";
  }
  return text;
}

/// A matrix of any letters in NCBI's format: 5 for the same letter, else -1.
std::string letters_text(const std::string& letters) {
  std::string text;
  for (const char letter : letters) text += std::string(" ") + letter;
  for (const char a : letters) {
    text += std::string("\n") + a;
    for (const char b : letters) text += a == b ? " 5" : " -1";
  }
  return text + "\n";
}

std::string complaint_about(const std::string& text) {
  const Error error = error_of([&] { parse_substitution_matrix(text, "my.mat"); });
  CHECK(error.kind() == ErrorKind::bad_input);
  return error.what();
}

}  // namespace

// BLAST's own ungapped values: 0.3176 (blastp, BLOSUM62), 1.374, 1.33 and 0.192 (blastn, +1 -3,
// +1 -2 and +5 -4). That of +1 -1 is ln 3, by hand: exp(l) + 3 exp(-l) = 4.
TEST_CASE("matrices: lambda is that of BLAST") {
  CHECK(karlin_lambda(canonical_scores(blosum62()), robinson_background()) ==
        doctest::Approx(0.3176).epsilon(0.0002));
  const std::vector<double> even(4, 0.25);
  CHECK(karlin_lambda(match_mismatch(1, -3), even) == doctest::Approx(1.374).epsilon(0.001));
  CHECK(karlin_lambda(match_mismatch(1, -2), even) == doctest::Approx(1.33).epsilon(0.005));
  CHECK(karlin_lambda(match_mismatch(5, -4), even) == doctest::Approx(0.192).epsilon(0.005));
  CHECK(karlin_lambda(match_mismatch(1, -1), even) ==
        doctest::Approx(std::log(3.0)).epsilon(1e-12));
  // No exp() of scores this far apart is left: 4 = exp(l), by hand.
  CHECK(karlin_lambda(match_mismatch(1, -5000), even) == doctest::Approx(std::log(4.0)));
  CHECK(karlin_lambda(match_mismatch(3, 0), even) == 0);
  CHECK(karlin_lambda(match_mismatch(-1, -2), even) == 0);
}

TEST_CASE("matrices: the scale that log odds imply is the one that they were made with") {
  // Joint probabilities of three letters, by hand; their sums are the background.
  const Scores joint = {{0.4, 0.06, 0.04}, {0.06, 0.2, 0.04}, {0.04, 0.04, 0.12}};
  const std::vector<double> background = {0.5, 0.3, 0.2};
  Scores scores = joint;
  for (std::size_t a = 0; a < 3; ++a) {
    for (std::size_t b = 0; b < 3; ++b) {
      scores[a][b] = std::log(joint[a][b] / (background[a] * background[b])) / 0.35;
    }
  }
  const MatrixScale scale = implied_scale(scores, 0.3);
  CHECK(scale.lambda == doctest::Approx(0.35).epsilon(1e-9));
  REQUIRE(scale.background.size() == 3);
  for (std::size_t a = 0; a < 3; ++a) {
    CHECK(scale.background[a] == doctest::Approx(background[a]).epsilon(1e-8));
  }
  // Two equal rows imply nothing.
  CHECK(implied_scale({{1, 1, -2}, {1, 1, -2}, {-2, -2, 2}}, 0.5).background.empty());
}

TEST_CASE("matrices: letters that stand for several, and letters without scores") {
  const SubstitutionMatrix matrix = blosum62();
  CHECK(matrix.name == "blosum62");
  CHECK(matrix.residues == ResidueKind::protein);
  CHECK(matrix.implies_background);
  // Near the half bit that the scores were rounded from.
  CHECK(matrix.lambda == doctest::Approx(0.324).epsilon(0.001));
  const auto code = [](char letter) { return encode_letter(ResidueType::protein, letter); };
  CHECK(matrix.weight(code('W'), code('W'), 0.3) == doctest::Approx(std::exp(3.3)));
  CHECK(matrix.weight(code('B'), code('D'), 0.3) == doctest::Approx(std::exp(1.2)));  // B:D is 4
  CHECK(matrix.weight(code('X'), code('W'), 0.3) == 1);
  CHECK(matrix.weight(code('*'), code('*'), 0.3) == 1);
  const double i = matrix.background[code('I')], l = matrix.background[code('L')];
  CHECK(matrix.weight(code('J'), code('I'), 0.3) ==
        doctest::Approx((i * std::exp(1.2) + l * std::exp(0.6)) / (i + l)));
  // An alphabet without all of the amino acids: its letters are what they are.
  const SubstitutionMatrix three =
      parse_substitution_matrix("  B Z q\nB 3 -2 -2\nZ -2 3 -2\nQ -2 -2 3\n", "dir/three.mat");
  CHECK(three.name == "three");
  CHECK(three.background[code('B')] == doctest::Approx(1.0 / 3));
  CHECK(three.weight(code('Z'), code('Q'), 1) == doctest::Approx(std::exp(-2)));
  CHECK(three.weight(code('W'), code('Q'), 1) == 1);
}

// The scale rests on the amino acids: exp(5 l) / 20 + 19 exp(-l) / 20 = 1, by bisection in Python.
TEST_CASE("matrices: an alphabet has up to 23 letters, with scores of their own") {
  const std::string letters = "ABCDEFGHIJKLMNPQRSTVWYZ";
  REQUIRE(letters.size() == 23);
  const SubstitutionMatrix matrix =
      parse_substitution_matrix(letters_text(letters + "X*"), "states.mat");
  CHECK(matrix.lambda == doctest::Approx(0.39471815907372065).epsilon(1e-9));
  for (const char a : letters) {
    const std::uint8_t x = encode_letter(ResidueType::protein, a);
    CHECK(matrix.has_scores[x]);
    for (const char b : letters) {
      const std::uint8_t y = encode_letter(ResidueType::protein, b);
      CHECK(matrix.weight(x, y, 0.3) == doctest::Approx(std::exp(a == b ? 1.5 : -0.3)));
    }
  }
  const std::string more = "an alphabet may have 23 letters, all but O, U and X";
  for (const std::string letter : {"O", "U", "OU"}) {
    const std::string complaint = complaint_about(letters_text(letters + letter));
    CAPTURE(complaint);
    CHECK(complaint.find(more) != std::string::npos);
    CHECK(complaint.find("the letter " + letter.substr(0, 1) + " can have no scores") !=
          std::string::npos);
  }
  CHECK(complaint_about(letters_text("ABCDEFGHIJKLMNOPQRSTUVWXYZ")).find(more) !=
        std::string::npos);
}

TEST_CASE("matrices: what is none is refused with its line") {
  CHECK(complaint_about("# nothing\n") == "my.mat: no substitution matrix");
  CHECK(complaint_about("A C\nA 1 -1\nC -1\n") == "my.mat:3: 1 score for 2 letters");
  CHECK(complaint_about("A C\nA 1 x\nC -1 1\n") == "my.mat:2: not a score: \"x\"");
  CHECK(complaint_about("A C\nA 1 -1\nC -2 1\n").find("not symmetric") != std::string::npos);
  CHECK(complaint_about("A C\nA 1 -1\n").find("not symmetric") != std::string::npos);
  CHECK(complaint_about("A C A\nA 1 -1 1\n") == "my.mat:1: the letter A occurs twice");
  CHECK(complaint_about("A C\nA 1 -1\nA 1 -1\n") == "my.mat:3: the letter A occurs twice");
  CHECK(complaint_about("A U E\nA 1 -1 -1\nU -1 1 -1\nE -1 -1 1\n").find("it is read as C") !=
        std::string::npos);
  CHECK(complaint_about("A CD\nA 1 -1\n") == "my.mat:1: not a letter: \"CD\"");
  CHECK(complaint_about("A E\nA 1 1\nE 1 1\n").find("no scale") != std::string::npos);
}

TEST_CASE("matrices: the built-in scores as a matrix give the built-in weights") {
  const ParameterSet& set = built_in_parameters(ResidueType::dna);
  const ResiduePairs built_in = partition_scores(set.parameters.partition, ResidueKind::nucleotide);
  Scores scores(4, std::vector<double>(4));
  for (std::size_t a = 0; a < 4; ++a) {
    for (std::size_t b = 0; b < 4; ++b) scores[a][b] = built_in[a][b];
  }
  const auto matrix = std::make_shared<const SubstitutionMatrix>(
      parse_substitution_matrix(bases_text(scores), "hoxd70.txt"));
  const ParameterSet changed = with_matrix(set, matrix);
  CHECK(changed.name == "nucleotide+hoxd70");
  const accord_model before = build_posterior_model(set.parameters, ResidueType::dna).tables;
  const accord_model after = build_posterior_model(changed.parameters, ResidueType::dna).tables;
  for (std::size_t a = 0; a < symbol_count(ResidueType::dna); ++a) {
    for (std::size_t b = 0; b < symbol_count(ResidueType::dna); ++b) {
      const std::size_t at = a * ACCORD_SYMBOLS + b;
      // Codes of several bases have their mean over the background, which is even there.
      const double tolerance = a < 4 && b < 4 ? 1e-6 : 0.05;
      CHECK(after.partition.weight[at] ==
            doctest::Approx(before.partition.weight[at]).epsilon(tolerance));
    }
  }
  CHECK(after.hmm.gap_scale[0] == before.hmm.gap_scale[0]);
  CHECK(after.hmm.weight[0] / after.hmm.weight[2] ==
        doctest::Approx(std::exp((scores[0][0] - scores[0][2]) * matrix->lambda *
                                 set.parameters.hmm.emissions.sharpness))
            .epsilon(1e-5));
}

TEST_CASE("matrices: costs of gaps weigh the same in both models as scores do") {
  const auto matrix = std::make_shared<const SubstitutionMatrix>(blosum62());
  const ParameterSet& set = built_in_parameters(ResidueType::protein);
  const ParameterSet changed = with_matrix(set, matrix, GapCosts{11, 1});
  const Parameters& parameters = changed.parameters;
  const accord_model tables = build_posterior_model(parameters, ResidueType::protein).tables;
  const double f = parameters.matrix.hmm_factor, g = parameters.matrix.partition_factor;
  CHECK(f == doctest::Approx(matrix->lambda * set.parameters.hmm.emissions.sharpness));
  CHECK(tables.hmm.gap_scale[0] == doctest::Approx(std::exp(-12 * f)).epsilon(1e-5));
  CHECK(tables.hmm.gap_extend[0] == doctest::Approx(std::exp(-f)).epsilon(1e-5));
  CHECK(tables.hmm.gap_scale[1] == 0);
  CHECK(tables.partition.gap_scale[0] == doctest::Approx(std::exp(-12 * g)).epsilon(1e-5));
  CHECK(tables.partition.gap_extend[0] == doctest::Approx(std::exp(-g)).epsilon(1e-5));
  CHECK(tables.hmm.context[1] == 1);  // contexts know amino acids alone
  CHECK(changed.text != with_matrix(set, matrix, GapCosts{10, 1}).text);
  const auto error = [&](double extend) {
    return error_of([&] { with_matrix(set, matrix, GapCosts{11, extend}); });
  };
  CHECK(std::string(error(0.1).what()).find("largest possible weight is 0.917") !=
        std::string::npos);
  const Error mixed = error_of([&] { with_matrix(built_in_parameters(ResidueType::dna), matrix); });
  CHECK(mixed.kind() == ErrorKind::bad_input);
}
