// SPDX-License-Identifier: Apache-2.0
// The local mode behind its pairs: scores, importance, weights, progressive alignment, refinement.
#include "align/local/local_align.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "accord/base/error.hpp"
#include "align/local/importance.hpp"
#include "models/local_scores.hpp"
#include "support/local_cases.hpp"

using namespace accord;
using namespace accord::testing;

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
  std::size_t accepted = 0;
  for (std::uint32_t seed = 0; seed < 12; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    const std::uint32_t rows = draw(random, 2, 7);
    const LocalCase test(random, rows, draw(random, 6, 25), 60);
    const GuideTree tree = random_tree(random, rows);
    const LocalEvidence evidence = test.evidence();
    LocalRefineOptions options{.rounds = 1000};
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
