// SPDX-License-Identifier: Apache-2.0
#include "align/progressive.hpp"

#include <doctest/doctest.h>

#include <numeric>

#include "accord/base/error.hpp"
#include "align/profile_path.hpp"
#include "support/align_cases.hpp"
#include "support/trees.hpp"

using namespace accord;
using namespace accord::testing;

namespace {

Msa align(const PosteriorSet& posteriors, const GuideTree& tree,
          const std::vector<std::uint32_t>& weights, const std::vector<std::uint32_t>& lengths) {
  return progressive_align(posteriors, tree, weights, lengths);
}

}  // namespace

TEST_CASE("progressive: families of 0, 1 and 2 sequences") {
  CHECK(align(PosteriorSet(0), GuideTree{}, {}, {}) == Msa{});
  CHECK(align(PosteriorSet(1), chain_of_leaves(1, 0.5), {1000}, {3}) == Msa{3, {{0, 1, 2}}});
  CHECK(align(PosteriorSet(1), chain_of_leaves(1, 0.5), {1000}, {0}) == Msa{0, {{}}});

  // Without any evidence columns are aligned from the end, and what is left over comes first.
  CHECK(align(PosteriorSet(2), chain_of_leaves(2, 0.5), {500, 500}, {3, 1}) ==
        Msa{3, {{0, 1, 2}, {2}}});
  CHECK(align(PosteriorSet(2), chain_of_leaves(2, 0.5), {500, 500}, {0, 2}) ==
        Msa{2, {{}, {0, 1}}});
  CHECK(align(PosteriorSet(2), chain_of_leaves(2, 0.5), {500, 500}, {0, 0}) == Msa{0, {{}, {}}});

  PosteriorSet posteriors(2);
  const PosteriorCell cell{2, 0, 0.5f};
  posteriors.at(0, 1) = SparseMatrix(3, 3, std::span(&cell, 1));
  CHECK(align(posteriors, chain_of_leaves(2, 0.5), {500, 500}, {3, 3}) ==
        Msa{5, {{0, 1, 2}, {2, 3, 4}}});
}

TEST_CASE("progressive: identical sequences are aligned without a gap") {
  Msa msa;
  msa.columns = 50;
  msa.column_of.resize(5, std::vector<std::uint32_t>(50));
  for (auto& row : msa.column_of) std::iota(row.begin(), row.end(), 0u);
  const Msa result = align(exact_posteriors(msa), chain_of_leaves(5, 0.5),
                           {200, 200, 200, 200, 200}, {50, 50, 50, 50, 50});
  CHECK(result == msa);
}

TEST_CASE("progressive: arguments of different sizes are refused") {
  CHECK_THROWS_AS(align(PosteriorSet(2), chain_of_leaves(2, 0.5), {1}, {3, 3}), Error);
  CHECK_THROWS_AS(align(PosteriorSet(3), chain_of_leaves(2, 0.5), {1, 1}, {3, 3}), Error);
  CHECK_THROWS_AS(align(PosteriorSet(2), chain_of_leaves(2, 0.5), {1, 1}, {3}), Error);
}

TEST_CASE("progressive: a known alignment is found again from its own posteriors") {
  for (std::uint32_t seed = 0; seed < 60; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    const Msa truth = random_anchored_msa(random, draw(random, 1, 15), draw(random, 0, 80));
    const auto rows = static_cast<std::uint32_t>(truth.column_of.size());
    const Msa result = align(exact_posteriors(truth), random_tree(random, rows),
                             random_weights(random, rows), lengths_of(truth));
    CHECK(result == truth);
  }
}

TEST_CASE("progressive: a chain of many leaves needs no recursion") {
  const std::uint32_t leaves = 3000;
  const Msa result =
      align(PosteriorSet(leaves), chain_of_leaves(leaves, 0.5),
            std::vector<std::uint32_t>(leaves, 1), std::vector<std::uint32_t>(leaves, 1));
  CHECK(result.columns == 1);
  const LeafOrder order = leaf_order(chain_of_leaves(1000000, 0.5));
  CHECK(order.of(1000001).size() == 3);
  CHECK(order.leaves[999999] == 999999);
}

TEST_CASE("progressive: two long profiles need memory for their cells only") {
  const std::uint32_t length = 30000;
  Msa truth;
  truth.columns = length + 100;
  truth.column_of.resize(2);
  for (std::uint32_t c = 0; c < length + 100; ++c) {
    if (c >= 100) truth.column_of[0].push_back(c);
    if (c < length) truth.column_of[1].push_back(c);
  }
  const Msa result =
      align(exact_posteriors(truth), chain_of_leaves(2, 0.5), {500, 500}, {length, length});
  CHECK(result == truth);
}

TEST_CASE("progressive: scores that could exceed 64 bits are refused") {
  CHECK_THROWS_AS(
      align(PosteriorSet(2), chain_of_leaves(2, 0.5), {4000000000u, 4000000000u}, {30, 30}), Error);
}
