// SPDX-License-Identifier: Apache-2.0
#include "core/guide_tree.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "io/trees/newick.hpp"
#include "method/upgma.hpp"

using namespace accord;

namespace {

SequenceSet numbered_set(std::size_t n) {
  std::vector<SequenceRecord> records;
  for (std::size_t x = 0; x < n; ++x) records.push_back({"s" + std::to_string(x), ""});
  return SequenceSet(std::move(records), ResidueType::protein);
}

/// Distance of each leaf from the root, along the branches.
std::vector<double> depths(const GuideTree& tree) {
  std::vector<double> depth(tree.nodes(), 0.0);
  for (std::size_t k = tree.left.size(); k-- > 0;) {
    for (const std::uint32_t child : {tree.left[k], tree.right[k]}) {
      depth[child] = depth[tree.leaves + k] + tree.length[child];
    }
  }
  depth.resize(tree.leaves);
  return depth;
}

DistanceMatrix random_distances(std::size_t n, std::uint32_t seed) {
  std::mt19937 random(seed);
  DistanceMatrix d(n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < i; ++j) d.set(i, j, static_cast<float>(random() % 10000) / 1e4f);
  }
  return d;
}

}  // namespace

TEST_CASE("guide tree: branch lengths of average linkage add up to the distances") {
  DistanceMatrix d(3);
  d.set(0, 1, 0.2f);
  d.set(0, 2, 0.6f);
  d.set(1, 2, 0.6f);
  const GuideTree tree = with_branch_lengths(upgma(d));
  CHECK(tree.length == std::vector<double>{0.1f, 0.1f, 0.3f, 0.3f - 0.1f, 0.0f});
  CHECK_FALSE(tree.has_heights);
  CHECK(same_bytes(with_branch_lengths(tree), tree));
  for (const std::uint32_t seed : {1u, 2u, 3u}) {
    const GuideTree random = upgma(random_distances(40, seed));
    const GuideTree lengths = with_branch_lengths(random);
    const double root = random.length[random.left.back()];
    for (const double depth : depths(lengths)) CHECK(depth == doctest::Approx(root));
  }
}

TEST_CASE("guide tree: a tree that is written has the heights, and so the weights, when read") {
  for (const std::uint32_t seed : {1u, 2u, 3u}) {
    const GuideTree tree = upgma(random_distances(60, seed));
    const SequenceSet set = numbered_set(60);
    const GuideTree again = with_heights(parse_newick(format_newick(tree, set), "t", set));
    REQUIRE(again.has_heights);
    // Joins may be numbered in another order; the heights are the same.
    std::vector<double> heights = tree.length, read = again.length;
    std::sort(heights.begin(), heights.end());
    std::sort(read.begin(), read.end());
    for (std::size_t k = 0; k < heights.size(); ++k) {
      CHECK(read[k] == doctest::Approx(heights[k]).epsilon(3e-7));
    }
  }
}

TEST_CASE("guide tree: only trees whose leaves are equally far from the root have heights") {
  const SequenceSet set({{"A", ""}, {"B", ""}, {"C", ""}}, ResidueType::protein);
  const auto of = [&](const char* text) { return with_heights(parse_newick(text, "t", set)); };
  CHECK(of("((A:0.1,B:0.1):0.2,C:0.3);").has_heights);
  CHECK(of("((A:0.10001,B:0.1):0.2,C:0.3);").has_heights);
  CHECK_FALSE(of("((A:0.1,B:0.1):0.2,C:0.4);").has_heights);
  CHECK_FALSE(of("((A:0.1,B:0.2):0.2,C:0.3);").has_heights);
  CHECK(with_heights(GuideTree()).nodes() == 0);
}
