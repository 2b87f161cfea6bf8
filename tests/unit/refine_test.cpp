// SPDX-License-Identifier: Apache-2.0
#include "align/refine.hpp"

#include <doctest/doctest.h>

#include "accord/base/error.hpp"
#include "align/progressive.hpp"
#include "support/align_cases.hpp"

using namespace accord;
using namespace accord::testing;

TEST_CASE("refine: families of 0 and 1 sequences stay as they are") {
  GuideTree none;
  CHECK(refine(Msa{}, PosteriorSet(0), none, {}, {}) == Msa{});
  GuideTree one;
  one.leaves = 1;
  one.length = {0.0f};
  const std::vector<std::uint32_t> weights{1000};
  const Msa msa{2, {{0, 1}}};
  CHECK(refine(msa, PosteriorSet(1), one, weights, {}) == msa);
  CHECK_THROWS_AS(refine(msa, PosteriorSet(2), one, weights, {}), Error);
}

TEST_CASE("refine: a wrong alignment of two sequences is corrected at once") {
  const Msa truth{4, {{0, 1, 2, 3}, {0, 1, 3}}};
  const Msa wrong{7, {{0, 1, 2, 3}, {4, 5, 6}}};
  Random random(1);
  const GuideTree tree = random_tree(random, 2);
  const std::vector<std::uint32_t> weights{500, 500};
  for (const RefineStrategy strategy : kStrategies) {
    for (const AcceptRule rule : kRules) {
      const RefineOptions options{strategy, rule, 4};
      CHECK(refine(wrong, exact_posteriors(truth), tree, weights, options) == truth);
    }
  }
}

TEST_CASE("refine: a perfect alignment stays as it is") {
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    const Msa truth = random_anchored_msa(random, draw(random, 2, 12), draw(random, 1, 50));
    const auto rows = static_cast<std::uint32_t>(truth.column_of.size());
    const GuideTree tree = random_tree(random, rows);
    const std::vector<std::uint32_t> weights = random_weights(random, rows);
    for (const RefineStrategy strategy : kStrategies) {
      for (const AcceptRule rule : kRules) {
        const RefineOptions options{strategy, rule, 30};
        CHECK(refine(truth, exact_posteriors(truth), tree, weights, options) == truth);
      }
    }
  }
}

TEST_CASE("refine: the tree strategy realigns a misplaced sequence") {
  Random random(7);
  const Msa truth = random_msa(random, 8, 60, 100);
  Msa wrong = truth;
  wrong.columns += 5;
  for (std::uint32_t& c : wrong.column_of[3]) c += 5;
  const std::vector<std::uint32_t> weights(8, 125);
  const GuideTree tree = random_tree(random, 8);
  const RefineOptions options{RefineStrategy::tree_edge, AcceptRule::better, 100};
  CHECK(refine(wrong, exact_posteriors(truth), tree, weights, options) == truth);
}

TEST_CASE("refine: no iterations, no change") {
  const Msa wrong{4, {{0, 1}, {2, 3}}};
  Random random(1);
  const GuideTree tree = random_tree(random, 2);
  const std::vector<std::uint32_t> weights{500, 500};
  const RefineOptions options{RefineStrategy::random_split, AcceptRule::always, 0};
  CHECK(refine(wrong, PosteriorSet(2), tree, weights, options) == wrong);
}
