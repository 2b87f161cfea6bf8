// SPDX-License-Identifier: Apache-2.0
// The local mode behind its pairs: scores, importance, weights, groups, refinement.
#include "accord/align/local_align.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "accord/align/group_bounds.hpp"
#include "accord/align/importance.hpp"
#include "accord/base/error.hpp"
#include "accord/core/local_scores.hpp"
#include "support/align_cases.hpp"

using namespace accord;
using namespace accord::testing;

namespace {

constexpr double kOpen = 800.0 * kImportanceUnits;

/// Sequences with any alignment, and any importance.
struct LocalCase {
  SequenceSet set;
  PosteriorSet importance;
  std::vector<std::int32_t> scores = residue_scores(ResidueType::protein);
  Msa msa;

  LocalCase(Random& random, std::uint32_t rows, std::uint32_t columns, std::uint32_t chance) {
    msa = random_msa(random, rows, columns, chance);
    // In canonical order, the longest first.
    std::ranges::stable_sort(msa.column_of,
                             [](const auto& a, const auto& b) { return a.size() > b.size(); });
    std::vector<SequenceRecord> records;
    for (std::uint32_t x = 0; x < rows; ++x) {
      std::string letters;
      for (std::size_t i = 0; i < msa.column_of[x].size(); ++i) {
        letters += "ACDEFGHIKLMNPQRSTVWYXB"[draw(random, 0, 21)];
      }
      records.push_back({std::to_string(x), letters});
    }
    set = SequenceSet(std::move(records), ResidueType::protein);
    importance = random_posteriors(random, set.lengths(), 2, 1000);
  }

  LocalEvidence evidence() const { return {set.coded(), importance, scores, kOpen}; }
};

std::uint32_t importance_of(const PosteriorSet& set, std::uint32_t x, std::uint32_t y,
                            std::uint32_t i, std::uint32_t j) {
  std::uint32_t units = 0;
  set.at(x, y).for_each_in_row(i, [&](std::uint32_t column, std::uint32_t u) {
    if (column == j) units = u;
  });
  return units;
}

/// The score between two groups of rows of an alignment, pair by pair and column by column, from
/// the definition (see GroupScores).
double brute_score(const Msa& msa, const std::vector<std::uint32_t>& first,
                   const std::vector<std::uint32_t>& second,
                   const std::vector<std::uint32_t>& weights, const LocalEvidence& evidence) {
  constexpr std::uint32_t kNone = 0xffffffffu;
  std::vector<std::vector<std::uint32_t>> residue;
  for (const auto& columns : msa.column_of) {
    residue.emplace_back(msa.columns, kNone);
    for (std::uint32_t i = 0; i < columns.size(); ++i) residue.back()[columns[i]] = i;
  }
  // Whether x has a residue in c and y a gap between two of its residues.
  const auto in_gap = [&](std::uint32_t x, std::uint32_t y, std::uint32_t c) {
    const auto& columns = msa.column_of[y];
    return residue[x][c] != kNone && residue[y][c] == kNone && !columns.empty() &&
           columns.front() < c && c < columns.back();
  };
  double score = 0;
  for (const std::uint32_t a : first) {
    for (const std::uint32_t b : second) {
      const std::uint32_t x = std::min(a, b), y = std::max(a, b);
      const double weight = static_cast<double>(weights[x]) * weights[y];
      for (std::uint32_t c = 0; c < msa.columns; ++c) {
        const std::uint32_t i = residue[x][c], j = residue[y][c];
        if (i != kNone && j != kNone) {
          const auto p = evidence.sequences.codes(x)[i], q = evidence.sequences.codes(y)[j];
          score += weight * kImportanceUnits * evidence.scores[p * ACCORD_SYMBOLS + q];
          score += weight * importance_of(evidence.importance, x, y, i, j);
        }
        for (const auto& [one, other] : {std::pair(x, y), std::pair(y, x)}) {
          const bool goes_on = c > 0 && in_gap(one, other, c - 1);
          if (in_gap(one, other, c) && !goes_on) score -= weight * evidence.open;
        }
      }
    }
  }
  return score;
}

SplitOutcome tried(const Msa& msa, const BranchSplit& split, const LocalEvidence& evidence) {
  SplitScratch scratch;
  return try_split(msa, split, evidence, scratch);
}

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

TEST_CASE("residue scores: symmetric, centred, and means for letters that stand for several") {
  const std::vector<std::int32_t> scores = residue_scores(ResidueType::protein);
  const auto at = [&](char a, char b) {
    return scores[encode_letter(ResidueType::protein, a) * ACCORD_SYMBOLS +
                  encode_letter(ResidueType::protein, b)];
  };
  CHECK(at('A', 'A') == 484);
  CHECK(at('W', 'W') == 1128);
  CHECK(at('A', 'W') == -150);
  CHECK(at('W', 'A') == -150);
  CHECK(at('X', 'W') == 0);
  CHECK(at('U', 'C') == at('C', 'C'));
  CHECK(at('B', 'N') == (43 * at('N', 'N') + 52 * at('D', 'N') + 47) / 95);
  for (std::size_t a = 0; a < ACCORD_SYMBOLS; ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      CHECK(scores[a * ACCORD_SYMBOLS + b] == scores[b * ACCORD_SYMBOLS + a]);
    }
  }
  const std::vector<std::int32_t> bases = residue_scores(ResidueType::dna);
  CHECK(bases[0] == 600);
  CHECK(bases[1] == -200);
  CHECK(bases[encode_letter(ResidueType::dna, 'N')] == 0);
  CHECK(bases[encode_letter(ResidueType::dna, 'R')] == 200);  // A with A or G
}

TEST_CASE("importance: support and evidence of the segments, by hand") {
  const SequenceSet set({{"a", "AAAA"}, {"b", "AAA"}, {"c", "AA"}}, ResidueType::protein);
  // (a, b): a1 b0, a2 b1. (a, c): a2 c0. (b, c): nothing.
  const std::vector<LocalAlignment> alignments = {{848, {{1, 0, 2}}}, {424, {{2, 0, 1}}}, {0, {}}};
  const std::vector<double> weights = {0.5, 0.25, 0.25};
  const std::vector<std::int32_t> scores = residue_scores(ResidueType::protein);
  const PosteriorSet cells = importance(set.coded(), alignments, weights, scores, 2.0);
  // a1 has the weight of b, a2 those of b and c: 0.375 in the mean; b0 and b1 have that of a.
  CHECK(importance_of(cells, 0, 1, 1, 0) == std::floor(16 * 484 * (0.375 + 0.5) + 0.5));
  CHECK(importance_of(cells, 0, 1, 2, 1) == importance_of(cells, 0, 1, 1, 0));
  CHECK(importance_of(cells, 0, 1, 0, 0) == 0);
  CHECK(importance_of(cells, 0, 2, 2, 0) == std::floor(16 * 484 * (0.5 + 0.5) + 0.5));
  CHECK(cells.cells() == 3);
  CHECK(cells.at(1, 2).rows() == 3);
}

TEST_CASE("distances: from nothing in common to equal") {
  CHECK(local_distance(500, 500, 900) == 0.0f);
  CHECK(local_distance(0, 500, 900) == 2.0f);
  CHECK(local_distance(250, 500, 900) == 1.0f);
  CHECK(local_distance(10, 0, 900) == 2.0f);
  CHECK(local_distance(10, -60, 900) == 2.0f);
}

TEST_CASE("path weights: branches count by halves up to the root") {
  GuideTree tree;
  tree.leaves = 3;
  tree.left = {0, 3};
  tree.right = {1, 2};
  tree.length = {0.5f, 0.25f, 1.0f, 0.5f, 0.0f};
  const std::vector<double> weights = path_weights(tree);
  const double a = 0.5 + 0.25 + 0.001, b = 0.25 + 0.25 + 0.001, c = 1.0 + 0.001;
  CHECK(weights[0] == doctest::Approx(a / (a + b + c)));
  CHECK(weights[1] == doctest::Approx(b / (a + b + c)));
  CHECK(weights[2] == doctest::Approx(c / (a + b + c)));
}

TEST_CASE("branch splits: every branch of the unrooted tree once, weights of both groups") {
  for (std::uint32_t seed = 0; seed < 30; ++seed) {
    Random random(seed);
    const std::uint32_t leaves = 2 + seed % 9;
    const BranchSplits splits(random_tree(random, leaves));
    REQUIRE(splits.size() == (leaves == 2 ? 1 : 2 * leaves - 3));
    std::vector<std::vector<std::uint32_t>> groups;
    for (std::size_t k = 0; k < splits.size(); ++k) {
      const BranchSplit split = splits.at(k);
      CHECK(split.first.front() == 0);
      std::vector<std::uint32_t> all = split.first;
      all.insert(all.end(), split.second.begin(), split.second.end());
      std::ranges::sort(all);
      std::vector<std::uint32_t> expected(leaves);
      std::iota(expected.begin(), expected.end(), 0u);
      CHECK(all == expected);
      for (const auto& group : {split.first, split.second}) {
        std::uint32_t sum = 0;
        for (const std::uint32_t x : group) {
          CHECK(split.weights[x] >= 1);
          sum += split.weights[x];
        }
        CHECK(sum >= kGroupWeight - group.size());
        CHECK(sum <= kGroupWeight + group.size());
      }
      groups.push_back(split.second);
    }
    std::ranges::sort(groups);
    CHECK(std::ranges::adjacent_find(groups) == groups.end());
  }
}

TEST_CASE("branch splits: three-way weights of a star of four, by hand") {
  // ((0:1, 1:1):1, (2:1, 3:3)) without its root: the inner branch has a length of 1.
  GuideTree tree;
  tree.leaves = 4;
  tree.left = {0, 2, 4};
  tree.right = {1, 3, 5};
  tree.length = {1.0f, 1.0f, 1.0f, 3.0f, 0.5f, 0.5f, 0.0f};
  const BranchSplits splits(tree);
  // Seen from leaf 0: leaf 1, and behind the inner branch 2 and 3 in parallel.
  const double inner = 1.0 / (1.0 / 1.0 + 1.0 / 3.0) + 1.0;
  const auto three_way = [](double a, double b, double c) {
    return std::sqrt(a * b * (c + a) * (c + b) / (c * (a + b) * (a * b + b * c + c * a)));
  };
  // What a node weighs for leaf 1, for the inner branch, and then for leaves 2 and 3.
  const double near_1 = three_way(1.0, inner, 1.0), near_inner = three_way(1.0, 1.0, inner);
  const double from_left = 1.0 / (1.0 / 1.0 + 1.0 / 1.0) + 1.0;
  const double far_inner = three_way(1.0, 3.0, from_left);
  const double at_2 = three_way(3.0, from_left, 1.0), at_3 = three_way(1.0, from_left, 3.0);
  const double w1 = near_1, w2 = near_inner * far_inner * at_2, w3 = near_inner * far_inner * at_3;
  for (std::size_t k = 0; k < splits.size(); ++k) {
    const BranchSplit split = splits.at(k);
    if (split.first.size() != 1) continue;
    const double sum = w1 + w2 + w3;
    CHECK(split.weights[0] == kGroupWeight);
    CHECK(split.weights[1] == std::floor(kGroupWeight * w1 / sum + 0.5));
    CHECK(split.weights[2] == std::floor(kGroupWeight * w2 / sum + 0.5));
    CHECK(split.weights[3] == std::floor(kGroupWeight * w3 / sum + 0.5));
  }
}

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

TEST_CASE("groups: an empty sequence is a group without columns") {
  const SequenceSet set({{"a", "MKV"}, {"b", ""}}, ResidueType::protein);
  const std::vector<std::int32_t> scores = residue_scores(ResidueType::protein);
  const PosteriorSet none = PosteriorSet(2);
  const LocalEvidence evidence{set.coded(), none, scores, kOpen};
  const Msa msa = local_progressive(evidence, two_leaves(0.5f, 0.5f), std::vector{0.5, 0.5});
  CHECK(msa == Msa{3, {{0, 1, 2}, {}}});
  CHECK(local_refine(msa, evidence, two_leaves(0.5f, 0.5f)) == msa);
}

TEST_CASE("local refinement: every accepted split gains what the definition says") {
  for (const SplitOrder order : {SplitOrder::each, SplitOrder::best}) {
    std::size_t accepted = 0;
    for (std::uint32_t seed = 0; seed < 12; ++seed) {
      CAPTURE(seed);
      Random random(seed);
      const std::uint32_t rows = draw(random, 2, 7);
      const LocalCase test(random, rows, draw(random, 6, 25), 60);
      const GuideTree tree = random_tree(random, rows);
      const LocalEvidence evidence = test.evidence();
      LocalRefineOptions options{.order = order, .rounds = 1000};
      Msa last = test.msa;
      options.on_accept = [&](const AcceptedSplit& split) {
        ++accepted;
        CHECK(split.before == last);
        last = split.after;
        const auto score = [&](const Msa& msa) {
          return brute_score(msa, split.split.first, split.split.second, split.split.weights,
                             evidence);
        };
        CHECK(split.gain > 0);
        CHECK(score(split.after) - score(split.before) == split.gain);
        CHECK(is_valid(split.after, test.set.lengths()));
      };
      const Msa refined = local_refine(test.msa, evidence, tree, options);
      CHECK(refined == last);
      options.on_accept = {};
      for (const int threads : {2, 5}) {
        const ThreadCount scope(threads);
        CHECK(local_refine(test.msa, evidence, tree, options) == refined);
      }
      options.rounds = 0;
      CHECK(local_refine(test.msa, evidence, tree, options) == test.msa);
    }
    CHECK(accepted > 20);
  }
}

TEST_CASE("local refinement: order best takes the split with the largest gain") {
  Random random(4);
  const LocalCase test(random, 6, 30, 60);
  const GuideTree tree = random_tree(random, 6);
  const LocalEvidence evidence = test.evidence();
  const BranchSplits splits(tree);
  double largest = 0;
  for (std::size_t k = 0; k < splits.size(); ++k) {
    const SplitOutcome outcome = tried(test.msa, splits.at(k), evidence);
    largest = std::max(largest, outcome.best - outcome.present);
  }
  LocalRefineOptions options{.order = SplitOrder::best, .rounds = 1};
  double gain = 0;
  options.on_accept = [&](const AcceptedSplit& split) { gain = split.gain; };
  local_refine(test.msa, evidence, tree, options);
  CHECK(largest > 0);
  CHECK(gain == largest);
}

TEST_CASE("local progressive: equal sequences align, sizes that do not fit are refused") {
  const SequenceSet set({{"a", "MKVLAW"}, {"b", "MKVLAW"}, {"c", "MKVLAW"}}, ResidueType::protein);
  const std::vector<std::int32_t> scores = residue_scores(ResidueType::protein);
  const PosteriorSet none = PosteriorSet(3);
  const LocalEvidence evidence{set.coded(), none, scores, kOpen};
  Random random(1);
  const GuideTree tree = random_tree(random, 3);
  const Msa msa = local_progressive(evidence, tree, std::vector{0.4, 0.3, 0.3});
  CHECK(msa.columns == 6);
  CHECK(msa.column_of[0] == msa.column_of[2]);
  CHECK_THROWS_AS(local_progressive(evidence, tree, std::vector{0.5, 0.5}), Error);
  CHECK_THROWS_AS(local_refine(Msa{}, evidence, tree), Error);
}
