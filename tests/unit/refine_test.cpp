// SPDX-License-Identifier: Apache-2.0
#include "align/refine.hpp"

#include <doctest/doctest.h>

#include "accord/base/error.hpp"
#include "align/progressive.hpp"
#include "support/align_cases.hpp"

using namespace accord;
using namespace accord::testing;

TEST_CASE("refine: families of 0 and 1 sequences stay as they are") {
  CHECK(refine(Msa{}, PosteriorSet(0), {}, 10) == Msa{});
  const std::vector<std::uint32_t> weights{1000};
  const Msa msa{2, {{0, 1}}};
  CHECK(refine(msa, PosteriorSet(1), weights, 10) == msa);
  CHECK_THROWS_AS(refine(msa, PosteriorSet(2), weights, 10), Error);
}

TEST_CASE("refine: a wrong alignment of two sequences is corrected at once") {
  const Msa truth{4, {{0, 1, 2, 3}, {0, 1, 3}}};
  const Msa wrong{7, {{0, 1, 2, 3}, {4, 5, 6}}};
  const std::vector<std::uint32_t> weights{500, 500};
  CHECK(refine(wrong, exact_posteriors(truth), weights, 4) == truth);
}

TEST_CASE("refine: a perfect alignment stays as it is") {
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    const Msa truth = random_anchored_msa(random, draw(random, 2, 12), draw(random, 1, 50));
    const auto rows = static_cast<std::uint32_t>(truth.column_of.size());
    const std::vector<std::uint32_t> weights = random_weights(random, rows);
    CHECK(refine(truth, exact_posteriors(truth), weights, 30) == truth);
  }
}

TEST_CASE("refine: a misplaced sequence is realigned") {
  Random random(7);
  const Msa truth = random_msa(random, 8, 60, 100);
  Msa wrong = truth;
  wrong.columns += 5;
  for (std::uint32_t& c : wrong.column_of[3]) c += 5;
  const std::vector<std::uint32_t> weights(8, 125);
  CHECK(refine(wrong, exact_posteriors(truth), weights, 100) == truth);
}

TEST_CASE("refine: no iterations, no change") {
  const Msa wrong{4, {{0, 1}, {2, 3}}};
  const std::vector<std::uint32_t> weights{500, 500};
  CHECK(refine(wrong, PosteriorSet(2), weights, 0) == wrong);
}
