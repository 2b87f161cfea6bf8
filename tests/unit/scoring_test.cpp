// SPDX-License-Identifier: Apache-2.0
#include "tools/scoring.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>

#include "support/scratch.hpp"

using namespace accord;
using namespace accord::testing;

namespace {

using Rows = std::vector<std::string>;

AlignedRows alignment(Rows rows, std::vector<bool> core = {}) {
  AlignedRows result{{}, std::move(rows), std::move(core), "x.aln"};
  for (std::size_t r = 0; r < result.rows.size(); ++r) {
    result.names.emplace_back("s").append(std::to_string(r));
  }
  return result;
}

/// Column of each residue of a row.
std::vector<std::size_t> columns_of(const std::string& row) {
  std::vector<std::size_t> columns;
  for (std::size_t c = 0; c < row.size(); ++c) {
    if (row[c] != '-') columns.push_back(c);
  }
  return columns;
}

/// The definition, pair by pair; row r of the reference is row r of the test.
Score naive_score(const AlignedRows& test, const AlignedRows& reference) {
  Score score;
  const std::size_t rows = reference.rows.size();
  for (std::size_t c = 0; c < reference.rows[0].size(); ++c) {
    if (!reference.core_columns.empty() && !reference.core_columns[c]) continue;
    std::vector<std::size_t> stands_in;
    for (std::size_t r = 0; r < rows; ++r) {
      const std::string& row = reference.rows[r];
      if (row[c] == '-') continue;
      const auto i = static_cast<std::size_t>(
          std::count_if(row.begin(), row.begin() + static_cast<std::ptrdiff_t>(c),
                        [](char letter) { return letter != '-'; }));
      stands_in.push_back(columns_of(test.rows[r])[i]);
    }
    std::uint64_t pairs = 0, correct = 0;
    for (std::size_t a = 0; a < stands_in.size(); ++a) {
      for (std::size_t b = 0; b < a; ++b) {
        ++pairs;
        correct += stands_in[a] == stands_in[b];
      }
    }
    score.reference_pairs += pairs;
    score.correct_pairs += correct;
    score.reference_columns += pairs > 0;
    score.correct_columns += pairs > 0 && pairs == correct;
  }
  return score;
}

/// `letters` with gaps at random places, `columns` long.
std::string gapped(const std::string& letters, std::size_t columns, std::mt19937& random) {
  std::string row(columns, '-');
  std::vector<std::size_t> places(columns);
  for (std::size_t c = 0; c < columns; ++c) places[c] = c;
  std::shuffle(places.begin(), places.end(), random);
  places.resize(letters.size());
  std::sort(places.begin(), places.end());
  for (std::size_t i = 0; i < letters.size(); ++i) row[places[i]] = letters[i];
  return row;
}

std::string message(const AlignedRows& test, const AlignedRows& reference) {
  const Error error = error_of([&] { score_alignment(test, reference); });
  CHECK(error.kind() == ErrorKind::bad_input);
  return error.what();
}

}  // namespace

TEST_CASE("pairs and columns of a small example") {
  const AlignedRows reference = alignment({"ACD-", "AC-E", "ACDE"});
  const Score self = score_alignment(reference, reference);
  CHECK(self.sum_of_pairs() == 1);
  CHECK(self.total_column() == 1);
  CHECK(self.reference_pairs == 3 + 3 + 1 + 1);
  CHECK(self.reference_columns == 4);

  // s1 is one column late from its second residue on.
  const Score score = score_alignment(alignment({"ACD--", "A-C-E", "ACDE-"}), reference);
  CHECK(score.correct_pairs == 3 + 1 + 1 + 0);
  CHECK(score.correct_columns == 2);
  CHECK(score.sum_of_pairs() == doctest::Approx(5.0 / 8));
  CHECK(score.total_column() == doctest::Approx(2.0 / 4));
}

TEST_CASE("only core columns with two residues are scored") {
  const AlignedRows reference = alignment({"ACD-E", "AC-FE"}, {false, true, true, true, false});
  const Score score = score_alignment(alignment({"A-CDE", "AC-FE"}), reference);
  CHECK(score.reference_pairs == 1);
  CHECK(score.reference_columns == 1);
  CHECK(score.correct_pairs == 0);
  CHECK(score.correct_columns == 0);
}

TEST_CASE("a gap in a core column asks nothing of the test") {
  const AlignedRows reference = alignment({"ACD", "A-D", "ACD"});
  const Score score = score_alignment(alignment({"ACD-", "A--D", "ACD-"}), reference);
  CHECK(score.correct_columns == 2);
  CHECK(score.correct_pairs == 3 + 1 + 1);
}

TEST_CASE("columns of gaps alone change nothing, in the reference or in the test") {
  const AlignedRows reference = alignment({"A-CD", "A-C-"}, {true, true, true, true});
  const Score score = score_alignment(alignment({"-A--CD-", "-A--C--"}), reference);
  CHECK(score.correct_columns == 2);
  CHECK(score.reference_columns == 2);
  CHECK(score.correct_pairs == 2);
}

TEST_CASE("scored columns carry the number that they have in the reference") {
  const AlignedRows reference =
      alignment({"ACD-E", "A-DFE", "ACDFE"}, {true, true, false, true, true});
  const std::vector<ColumnScore> columns =
      score_columns(alignment({"AC-D-E", "A--DFE", "A-CDFE"}), reference);
  REQUIRE(columns.size() == 4);
  const std::size_t numbers[] = {0, 1, 3, 4};
  const std::uint64_t residues[] = {3, 2, 2, 3}, correct_pairs[] = {3, 0, 1, 3};
  for (std::size_t k = 0; k < 4; ++k) {
    CAPTURE(k);
    CHECK(columns[k].column == numbers[k]);
    CHECK(columns[k].residues == residues[k]);
    CHECK(columns[k].correct_pairs == correct_pairs[k]);
    CHECK(columns[k].correct() == (k != 1));
  }
  const Score total = total_score(columns);
  CHECK(total.correct_pairs == 7);
  CHECK(total.reference_pairs == 8);
  CHECK(total.correct_columns == 3);
  CHECK(total.reference_columns == 4);
}

TEST_CASE("rows are matched by name, case does not matter, more rows may be there") {
  const AlignedRows reference = alignment({"AcD", "A-D"});
  AlignedRows test{{"other", "s1", "s0"}, {"WWWW", "-a-d", "-ACD"}, {}, ""};
  CHECK(score_alignment(test, reference).total_column() == 1);
}

TEST_CASE("rows that do not fit the reference are named") {
  const AlignedRows reference = alignment({"ACD", "A-D"});
  AlignedRows test = alignment({"ACD", "A-D"});
  test.names = {"s0", "z"};
  CHECK(message(test, reference) == "x.aln: there is no row \"s1\", which the reference has");
  for (const char* row : {"A-E", "-A-", "ADE", "---"}) {
    CHECK(message(alignment({"ACD", row}), reference)
              .starts_with("x.aln: the residues of row \"s1\""));
  }
  // A letter that may stand for the residue is no other residue.
  CHECK(score_alignment(alignment({"ACD", "X-D"}), reference).total_column() == 1);
  CHECK(message(alignment({"ACD", "AD-W"}), reference)
            .starts_with("x.aln: row \"s1\" has 4 columns"));
  test.names = {"s0", "s0"};
  CHECK(message(test, reference) == "x.aln: two rows are named \"s0\"");
  CHECK(message(reference, test) == "x.aln: two rows are named \"s0\"");
  test.names.pop_back();
  CHECK(message(test, reference) == "x.aln: the numbers of names and of rows differ");
}

TEST_CASE("a reference without anything to score is refused") {
  const std::string expected = "x.aln: the reference has no scored column with two residues";
  CHECK(message(alignment({}), alignment({})) == expected);
  CHECK(message(alignment({"ACD"}), alignment({"ACD"})) == expected);
  CHECK(message(alignment({"", ""}), alignment({"", ""})) == expected);
  const AlignedRows no_core = alignment({"AC", "AC"}, {false, false});
  CHECK(message(no_core, no_core) == expected);
  const AlignedRows bad_core = alignment({"AC", "AC"}, {true});
  CHECK(message(bad_core, bad_core) == "x.aln: the core marks do not fit the columns");
}

TEST_CASE("random alignments score as by the definition") {
  const unsigned seed = 77;
  CAPTURE(seed);
  std::mt19937 random(seed);
  for (int trial = 0; trial < 200; ++trial) {
    const std::size_t rows = 2 + random() % 6, columns = 12;
    Rows reference_rows, test_rows;
    for (std::size_t r = 0; r < rows; ++r) {
      std::string letters(random() % columns, 'A');
      for (char& letter : letters) letter = "ACDE"[random() % 4];
      reference_rows.push_back(gapped(letters, columns, random));
      test_rows.push_back(gapped(letters, columns + 1, random));
    }
    std::vector<bool> core(columns);
    for (std::size_t c = 0; c < columns; ++c) core[c] = random() % 3 > 0;
    const AlignedRows reference = alignment(reference_rows, core), test = alignment(test_rows);
    const Score expected = naive_score(test, reference);
    if (expected.reference_columns == 0) continue;
    const Score score = score_alignment(test, reference);
    CHECK(score.correct_pairs == expected.correct_pairs);
    CHECK(score.reference_pairs == expected.reference_pairs);
    CHECK(score.correct_columns == expected.correct_columns);
    CHECK(score.reference_columns == expected.reference_columns);
  }
}
