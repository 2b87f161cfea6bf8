// SPDX-License-Identifier: Apache-2.0
#include "method/upgma.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <random>

#include "accord/base/error.hpp"

using namespace accord;

namespace {

/// The definition: every pair is looked at before every join.
GuideTree obvious_upgma(DistanceMatrix d) {
  GuideTree tree;
  const auto n = static_cast<std::uint32_t>(d.size());
  tree.leaves = n;
  tree.length.assign(n == 0 ? 0 : 2 * n - 1, 0.0f);
  std::vector<bool> active(n, true);
  std::vector<std::uint32_t> node(n);
  std::vector<int> size(n, 1);
  for (std::uint32_t i = 0; i < n; ++i) node[i] = i;
  for (std::uint32_t next = n; next < 2 * n - (n > 0); ++next) {
    float best = 1.1f;
    std::uint32_t a = 0;
    std::uint32_t b = 0;
    for (std::uint32_t i = 0; i < n; ++i) {
      for (std::uint32_t j = 0; j < i; ++j) {
        if (active[i] && active[j] && d.at(i, j) < best) {
          best = d.at(i, j);
          a = i;
          b = j;
        }
      }
    }
    tree.left.push_back(node[a]);
    tree.right.push_back(node[b]);
    tree.length[node[a]] = tree.length[node[b]] = best / 2.0f;
    active[b] = false;
    for (std::uint32_t k = 0; k < n; ++k) {
      if (!active[k] || k == a) continue;
      d.set(a, k,
            (d.at(a, k) * static_cast<float>(size[a]) + d.at(b, k) * static_cast<float>(size[b])) /
                static_cast<float>(size[a] + size[b]));
    }
    size[a] += size[b];
    node[a] = next;
  }
  return tree;
}

}  // namespace

TEST_CASE("upgma: small families") {
  CHECK(upgma(DistanceMatrix()).nodes() == 0);
  CHECK(upgma(DistanceMatrix(1)).nodes() == 1);
  CHECK(upgma(DistanceMatrix(1)).length == std::vector<double>{0.0f});
  DistanceMatrix d(3);
  d.set(0, 1, 0.6f);
  d.set(0, 2, 0.2f);
  d.set(1, 2, 0.4f);
  const GuideTree tree = upgma(d);
  CHECK(tree.left == std::vector<std::uint32_t>{2, 3});
  CHECK(tree.right == std::vector<std::uint32_t>{0, 1});
  CHECK(tree.length == std::vector<double>{0.1f, 0.25f, 0.1f, 0.25f, 0.0f});
  CHECK(tree.has_heights);
}

TEST_CASE("upgma: distances that are not finite are refused") {
  DistanceMatrix d(3);
  d.set(1, 2, std::numeric_limits<float>::quiet_NaN());
  CHECK_THROWS_AS(upgma(d), Error);
}

TEST_CASE("upgma: the same tree as the definition, ties included") {
  for (std::uint32_t seed = 0; seed < 600; ++seed) {
    CAPTURE(seed);
    std::mt19937 random(seed);
    const std::size_t n = random() % 40;
    const std::uint32_t levels = seed % 3 == 0 ? 2 : seed % 3 == 1 ? 6 : 1000000;
    DistanceMatrix d(n);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        d.set(i, j, static_cast<float>(random() % (levels + 1)) / static_cast<float>(levels));
      }
    }
    const GuideTree fast = upgma(d);
    const GuideTree slow = obvious_upgma(d);
    CHECK(fast.left == slow.left);
    CHECK(fast.right == slow.right);
    CHECK(fast.length == slow.length);
  }
}
