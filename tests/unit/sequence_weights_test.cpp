// SPDX-License-Identifier: Apache-2.0
#include "method/sequence_weights.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "support/align_cases.hpp"

using namespace accord;
using namespace accord::testing;

namespace {

/// The definition: from each leaf up to a child of the root.
std::vector<std::uint32_t> obvious_weights(const GuideTree& tree) {
  std::vector<std::uint32_t> parent(tree.nodes(), 0);
  std::vector<int> below(tree.nodes(), 1);
  for (std::uint32_t k = 0; k < tree.left.size(); ++k) {
    parent[tree.left[k]] = parent[tree.right[k]] = tree.leaves + k;
    below[tree.leaves + k] = below[tree.left[k]] + below[tree.right[k]];
  }
  std::vector<std::uint32_t> u;
  std::uint32_t sum = 0;
  for (std::uint32_t x = 0; x < tree.leaves; ++x) {
    double weight = 0;
    for (std::uint32_t v = x; v + 1 < tree.nodes(); v = parent[v]) {
      weight += static_cast<double>(tree.length[v]) / below[v];
    }
    // The fast form adds from the root; a sum next to a whole number could round elsewhere.
    u.push_back(static_cast<std::uint32_t>(100 * weight + 1e-9));
    sum += u.back();
  }
  for (std::uint32_t& w : u) w = sum == 0 ? 1000 / tree.leaves : 1000 * w / sum;
  for (std::uint32_t& w : u) w = std::max(w, 1u);
  return u;
}

}  // namespace

TEST_CASE("weights: small families") {
  CHECK(integer_sequence_weights(GuideTree{}).empty());
  GuideTree one;
  one.leaves = 1;
  one.length = {0.0f};
  CHECK(integer_sequence_weights(one) == std::vector<std::uint32_t>{1000});

  GuideTree two = two_leaves(0.25f, 0.75f);
  CHECK(integer_sequence_weights(two) == std::vector<std::uint32_t>{250, 750});
  CHECK(sequence_weights(two) == std::vector<float>{250.0f, 750.0f});
  two.length = {0.0f, 0.0f, 0.0f};
  CHECK(integer_sequence_weights(two) == std::vector<std::uint32_t>{500, 500});
  two.length = {0.0f, 0.75f, 0.0f};
  CHECK(integer_sequence_weights(two) == std::vector<std::uint32_t>{1, 1000});
}

TEST_CASE("weights: the exponent evens them out, the total makes them finer") {
  GuideTree two = two_leaves(0.1f, 0.9f);
  using Weights = std::vector<std::uint32_t>;
  CHECK(integer_sequence_weights(two, {.exponent = 0, .total = 1000}) == Weights{500, 500});
  CHECK(integer_sequence_weights(two, {.exponent = 0.5, .total = 1000}) == Weights{248, 752});
  CHECK(integer_sequence_weights(two, {.exponent = 2, .total = 1000}) == Weights{12, 987});
  CHECK(integer_sequence_weights(two, {.exponent = 1, .total = 10000}) == Weights{1001, 8998});
  two.length = {0.0f, 0.9f, 0.0f};
  CHECK(integer_sequence_weights(two, {.exponent = 0, .total = 1000}) == Weights{1, 1000});
}

TEST_CASE("weights: shares of random trees") {
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    const GuideTree tree = random_tree(random, draw(random, 1, 60));
    CHECK(integer_sequence_weights(tree) == obvious_weights(tree));
  }
}

TEST_CASE("weights: a chain of a million leaves") {
  GuideTree tree;
  tree.leaves = 1000000;
  for (std::uint32_t k = 0; k + 1 < tree.leaves; ++k) {
    tree.left.push_back(k == 0 ? 0 : tree.leaves + k - 1);
    tree.right.push_back(k + 1);
  }
  tree.length.assign(tree.nodes(), 0.5f);
  const std::vector<std::uint32_t> weights = integer_sequence_weights(tree);
  CHECK(weights.size() == 1000000);
  CHECK(weights.front() == 1);
}
