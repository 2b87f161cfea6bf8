// SPDX-License-Identifier: Apache-2.0
// The local mode: the best alignment of two groups.
#include "align/local/group_path.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <functional>

#include "accord/base/error.hpp"
#include "align/local/group_bounds.hpp"
#include "support/local_cases.hpp"

using namespace accord;
using namespace accord::testing;

namespace {

/// Calls visit(msa) for every alignment of two groups whose columns are given.
void for_all_merges(const Msa& groups, std::uint32_t rows_of_first, std::uint32_t columns_first,
                    std::uint32_t columns_second, const std::function<void(const Msa&)>& visit) {
  std::vector<std::uint32_t> map_first, map_second;
  const std::function<void(std::uint32_t)> go = [&](std::uint32_t columns) {
    const bool done_first = map_first.size() == columns_first;
    const bool done_second = map_second.size() == columns_second;
    if (done_first && done_second) {
      Msa msa{columns, groups.column_of};
      for (std::uint32_t x = 0; x < msa.column_of.size(); ++x) {
        const auto& map = x < rows_of_first ? map_first : map_second;
        for (std::uint32_t& c : msa.column_of[x]) c = map[c];
      }
      return visit(msa);
    }
    for (const int move : {1, 2, 3}) {
      if (((move & 1) && done_first) || ((move & 2) && done_second)) continue;
      if (move & 1) map_first.push_back(columns);
      if (move & 2) map_second.push_back(columns);
      go(columns + 1);
      if (move & 1) map_first.pop_back();
      if (move & 2) map_second.pop_back();
    }
  };
  go(0);
}

}  // namespace

TEST_CASE("groups: the best alignment is the best of all, its score that of the definition") {
  for (std::uint32_t seed = 0; seed < 60; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    const std::uint32_t rows = draw(random, 2, 5);
    LocalCase test(random, rows, draw(random, 3, 5), 60);
    const std::uint32_t of_first = draw(random, 1, rows - 1);
    BranchSplit split;
    split.weights = random_weights(random, rows);
    for (std::uint32_t x = 0; x < rows; ++x) {
      (x < of_first ? split.first : split.second).push_back(x);
    }
    const SplitOutcome found = tried(test.msa, split, test.evidence());
    const auto brute = [&](const Msa& msa) {
      return brute_score(msa, split.first, split.second, split.weights, test.evidence());
    };
    CHECK(found.present == brute(test.msa));
    Msa apart = test.msa;
    std::uint32_t columns[2];
    for (const bool second : {false, true}) {
      const auto& group = second ? split.second : split.first;
      const OccupiedColumns occupied = occupied_columns(group, apart.column_of, apart.columns);
      move_columns(group, occupied.number, apart.column_of);
      columns[second] = occupied.count;
    }
    double best = -1e300;
    for_all_merges(apart, of_first, columns[0], columns[1],
                   [&](const Msa& msa) { best = std::max(best, brute(msa)); });
    CHECK(found.best == best);
    CHECK(found.best >= found.present);
    CHECK(found.msa.column_of.empty() == (found.best == found.present));
    if (!found.msa.column_of.empty()) CHECK(brute(found.msa) == best);
  }
}

TEST_CASE("groups: long ones are walked back through blocks of columns") {
  Random random(3);
  LocalCase test(random, 3, 5000, 90);
  BranchSplit split{{0, 1}, {2}, {700, 324, 1024}};
  test.msa.column_of[2].front() = 0;
  const SplitOutcome found = tried(test.msa, split, test.evidence());
  REQUIRE(found.best > found.present);
  REQUIRE(is_valid(found.msa, test.set.lengths()));
  CHECK(brute_score(found.msa, split.first, split.second, split.weights, test.evidence()) ==
        found.best);
}

TEST_CASE("groups: strips of columns, for any number of threads") {
  SplitScratch scratch;
  for (const std::uint32_t columns : {260u, 511u, 512u, 700u, 1100u}) {
    CAPTURE(columns);
    Random random(columns);
    LocalCase test(random, 5, columns, 50);
    const BranchSplit split{{0, 2}, {1, 3, 4}, {500, 300, 524, 400, 324}};
    const SplitOutcome expected = tried(test.msa, split, test.evidence());
    REQUIRE(expected.best > expected.present);
    CHECK(brute_score(expected.msa, split.first, split.second, split.weights, test.evidence()) ==
          expected.best);
    for (const int threads : {2, 3, 16}) {
      CAPTURE(threads);
      const ThreadCount scope(threads);
      scratch.scores.resize(16);
      const SplitOutcome found = try_split(test.msa, split, test.evidence(), scratch);
      CHECK(found.best == expected.best);
      CHECK(found.present == expected.present);
      CHECK(found.msa == expected.msa);
    }
  }
}

TEST_CASE("groups: the columns of many rows, counted by definition, whatever the threads") {
  constexpr std::uint32_t kRows = 40, kColumns = 1300;
  Random random(11);
  const LocalCase test(random, kRows, kColumns, 50);
  std::vector<std::uint32_t> rows, weights;
  for (std::uint32_t x = 0; x < kRows; ++x) {
    if (x % 8 != 3) rows.push_back(x);
    weights.push_back(draw(random, 1, 1000));
  }
  std::vector<std::array<double, ACCORD_SYMBOLS>> letters(kColumns + 1);
  GroupColumns expected;
  for (auto* sums : {&expected.residues, &expected.residue_pairs, &expected.gaps,
                     &expected.gap_pairs, &expected.inner}) {
    sums->assign(kColumns + 1, 0);
  }
  for (const std::uint32_t x : rows) {
    const std::vector<std::uint32_t>& columns = test.msa.column_of[x];
    REQUIRE(!columns.empty());
    bool had_residue = false, had_gap = false;
    for (std::uint32_t c = columns.front(); c <= columns.back(); ++c) {
      const auto found = std::ranges::lower_bound(columns, c);
      const bool has_residue = *found == c;
      const double weight = weights[x];
      if (has_residue) {
        const auto i = static_cast<std::size_t>(found - columns.begin());
        letters[c + 1][test.set.coded().codes(x)[i]] += weight;
        expected.residues[c + 1] += weight;
        if (had_residue) expected.residue_pairs[c + 1] += weight;
      } else {
        expected.gaps[c + 1] += weight;
        if (had_gap) expected.gap_pairs[c + 1] += weight;
      }
      if (c < columns.back()) expected.inner[c + 1] += weight;
      had_residue = has_residue;
      had_gap = !has_residue;
    }
  }
  for (const int threads : {1, 3, 16}) {
    CAPTURE(threads);
    const ThreadCount scope(threads);
    const GroupColumns found =
        group_columns({rows, kColumns}, test.msa.column_of, test.set.coded(), weights);
    CHECK(found.residues == expected.residues);
    CHECK(found.residue_pairs == expected.residue_pairs);
    CHECK(found.gaps == expected.gaps);
    CHECK(found.gap_pairs == expected.gap_pairs);
    CHECK(found.inner == expected.inner);
    CHECK(found.at(0).empty());
    for (std::uint32_t c = 1; c <= kColumns; ++c) {
      std::array<double, ACCORD_SYMBOLS> of_column{};
      for (const GroupColumns::Letter& letter : found.at(c)) of_column[letter.code] = letter.weight;
      CHECK(of_column == letters[c]);
    }
  }
}

TEST_CASE("groups: what cannot become good enough is left out, and changes nothing") {
  for (const std::uint32_t columns : {40u, 600u, 4500u}) {
    CAPTURE(columns);
    Random random(columns);
    LocalCase test(random, 4, columns, 100);
    std::vector<SequenceRecord> records;  // nearly equal, so that good alignments are alike
    std::string letters = test.set.letters(0);
    for (std::uint32_t x = 0; x < 4; ++x) {
      for (char& letter : letters) {
        if (draw(random, 0, 3) == 0) letter = "ACDEFGHIKLMNPQRSTVWY"[draw(random, 0, 19)];
      }
      records.push_back({std::to_string(x), letters});
    }
    test.set = SequenceSet(std::move(records), ResidueType::protein);
    const std::vector<std::uint32_t> first = {0, 2}, second = {1, 3};
    const std::vector<std::uint32_t> weights = {500, 300, 524, 724};
    const Profile a{first, columns}, b{second, columns};
    const auto& column_of = test.msa.column_of;
    std::vector<ScoreScratch> score_scratch(1);
    const GroupColumns of_a = group_columns(a, column_of, test.set.coded(), weights);
    const GroupColumns of_b = group_columns(b, column_of, test.set.coded(), weights);
    const ProfileScores importance =
        profile_scores(a, b, column_of, test.importance, weights, score_scratch);
    const GroupScores groups{of_a, of_b, importance, test.scores, kOpen};
    const GroupPath expected = best_group_path(groups);
    const LetterScores letter_scores(groups);
    const GroupBounds bounds(groups, letter_scores);
    CHECK(bounds.behind_a.front() >= expected.score);
    CHECK(bounds.behind_b.front() >= expected.score);
    ProfilePath present;
    for (present.columns = 0; present.columns < columns; ++present.columns) {
      present.x_column.push_back(present.columns);
      present.y_column.push_back(present.columns);
    }
    for (const double at_least : {path_score(groups, present), expected.score}) {
      for (const int threads : {1, 3, 16}) {
        const ThreadCount scope(threads);
        GroupScratch scratch;
        constexpr std::uint8_t kUntouched = 0xff;
        scratch.trace.assign(std::size_t{columns} * (columns + 1), kUntouched);
        const GroupPath found = best_group_path(groups, at_least, &scratch);
        CHECK(found.score == expected.score);
        CHECK(found.path.x_column == expected.path.x_column);
        CHECK(found.path.y_column == expected.path.y_column);
        const auto untouched = std::ranges::count(scratch.trace, kUntouched);
        if (columns == 600) CHECK(2 * untouched > std::ssize(scratch.trace));
      }
    }
  }
}

TEST_CASE("groups: too many columns for exact scores are refused") {
  Random random(6);
  LocalCase test(random, 2, 30, 90);
  const BranchSplit split{{0}, {1}, {1u << 20, 1u << 20}};
  CHECK_THROWS_WITH_AS(tried(test.msa, split, test.evidence()),
                       doctest::Contains("too long for exact scores"), Error);
}
