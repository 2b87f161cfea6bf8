// SPDX-License-Identifier: Apache-2.0
// What is computed of the rows of an alignment alone: identity, columns.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "core/alphabet.hpp"
#include "support/scratch.hpp"
#include "tools/column_distances.hpp"
#include "tools/columns.hpp"
#include "tools/identity.hpp"

using namespace accord;
using namespace accord::testing;

namespace {

AlignmentText text_of(const std::vector<std::string>& rows) {
  AlignmentText text;
  text.columns = rows[0].size();
  for (std::size_t k = 0; k < rows.size(); ++k) {
    text.names.push_back("s" + std::to_string(k));
    text.headers.push_back(text.names.back());
    text.rows.push_back(rows[k]);
  }
  return text;
}

}  // namespace

TEST_CASE("identity: pairs of residues in one column, in either case") {
  // Columns: A A A (3 of 3 pairs), C c - (1 of 1), D E D (1 of 3), a gap each and a letter (none).
  constexpr ResidueType kType = ResidueType::protein;
  CHECK(mean_identity({"ACD-", "AcE-", "A-DW"}, kType) == doctest::Approx(5.0 / 7));
  CHECK(std::isnan(mean_identity({"A-", "-C"}, kType)));
  CHECK(std::isnan(mean_identity({}, kType)));
  const SequenceSet set({{"a", "ACD"}, {"b", "AcE"}, {"c", "ADW"}}, ResidueType::protein);
  const DistanceMatrix d = model_distances({"ACD-", "AcE-", "A-DW"}, set, {});
  const auto at = [&](std::size_t k, std::size_t l) {
    return d.at(set.from_input(k), set.from_input(l));
  };
  CHECK(at(0, 1) == doctest::Approx(1.0 / 3));
  CHECK(at(0, 2) == doctest::Approx(0));
  CHECK(at(1, 2) == doctest::Approx(0.5));
}

TEST_CASE("identity: all pairs together are the sums of pairs, whatever is divided by") {
  std::mt19937 random(20261126);
  const std::string letters = "ACGTUacgtuNRX-----";
  for (int round = 0; round < 30; ++round) {
    const std::size_t count = 2 + random() % 5, columns = 1 + random() % 12;
    std::vector<std::string> rows(count);
    for (std::string& row : rows) {
      for (std::size_t c = 0; c < columns; ++c) row += letters[random() % letters.size()];
    }
    for (const IdentityOver over :
         {IdentityOver::aligned, IdentityOver::shorter, IdentityOver::columns}) {
      double same = 0, all = 0;
      for (std::size_t y = 0; y < count; ++y) {
        for (std::size_t x = 0; x < y; ++x) {
          double both = 0, only_x = 0, only_y = 0;
          for (std::size_t c = 0; c < columns; ++c) {
            const char a = compared_letter(ResidueType::dna, rows[x][c]);
            const char b = compared_letter(ResidueType::dna, rows[y][c]);
            const bool has_a = rows[x][c] != '-', has_b = rows[y][c] != '-';
            if ((has_a && a == kUnknownLetter) || (has_b && b == kUnknownLetter)) continue;
            both += has_a && has_b;
            only_x += has_a && !has_b;
            only_y += has_b && !has_a;
            same += has_a && has_b && a == b;
          }
          all += both;
          if (over == IdentityOver::shorter) all += std::min(only_x, only_y);
          if (over == IdentityOver::columns) all += only_x + only_y;
        }
      }
      const double found = mean_identity(rows, ResidueType::dna, over);
      CHECK((all > 0 ? found == doctest::Approx(same / all) : std::isnan(found)));
    }
  }
}

TEST_CASE("columns: kept by gaps and confidence, with their map and markup") {
  AlignmentText text = text_of({"AC-D", "A--D", "ACWE"});
  text.markup.of_columns.push_back({"", "SS_cons", "HHEE"});
  CHECK(passing_columns(text, {}) == std::vector<bool>{true, true, true, true});
  CHECK(passing_columns(text, {.most_gaps = 0.5}) == std::vector<bool>{true, true, false, true});
  CHECK(error_of([&] { passing_columns(text, {.least_confidence = 0.5}); }).kind() ==
        ErrorKind::internal);
  text.column_confidence = {0.9f, 0.4f, std::nanf(""), 0.5f};
  const std::vector<bool> kept = passing_columns(text, {.least_confidence = 0.5});
  CHECK(kept == std::vector<bool>{true, false, false, true});
  CHECK(format_column_map(text, judge_columns(text, {.least_confidence = 0.5})) ==
        "column\tkept_as\tgaps\tconfidence\tconsistency\twhy\n"
        "1\t1\t0.0000\t0.9000\tNA\tkept\n2\t-\t0.3333\t0.4000\tNA\tconfidence\n"
        "3\t-\t0.6667\tNA\tNA\tconfidence\n4\t2\t0.0000\t0.5000\tNA\tkept\n");
  keep_columns(text, kept);
  CHECK(text.columns == 2);
  CHECK(text.rows == std::vector<std::string>{"AD", "AD", "AE"});
  CHECK(text.column_confidence == std::vector<float>{0.9f, 0.5f});
  CHECK(text.markup.of_columns[0].text == "HE");
}

TEST_CASE("columns: uncertain residues in lower case") {
  AlignmentText text = text_of({"Ac-D", "-C-d"});
  const SequenceSet set({{"a", "AcD"}, {"b", "Cd"}}, ResidueType::protein);
  Confidence confidence;
  confidence.residue = {{0.9f, 0.4f, 0.5f}, {0.5f, 0.1f}};
  mask_residues(text, set, confidence, 0.5);
  CHECK(text.rows == std::vector<std::string>{"Ac-D", "-C-d"});
}
