// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "accord/base/error.hpp"
#include "align/progressive.hpp"
#include "stages/neighbor_joining/tree_of_joins.hpp"
#include "support/align_cases.hpp"
#include "support/distances.hpp"

using namespace accord;
using namespace accord::testing;

namespace {

using LeafSet = std::set<std::uint32_t>;

/// The lengths of all edges of the tree without its root, by the leaves on the side without leaf 0.
std::map<LeafSet, double> edges_of(const GuideTree& tree) {
  std::map<LeafSet, double> edges;
  const LeafOrder order = leaf_order(tree);
  for (std::uint32_t v = 0; v + 1 < tree.nodes(); ++v) {
    LeafSet side(order.of(v).begin(), order.of(v).end());
    if (side.count(0) != 0) {
      LeafSet other;
      for (std::uint32_t x = 0; x < tree.leaves; ++x) {
        if (side.count(x) == 0) other.insert(x);
      }
      side = other;
    }
    edges[side] += static_cast<double>(tree.length[v]);
  }
  return edges;
}

/// Distance of each leaf from the root.
std::vector<double> depths(const GuideTree& tree) {
  std::vector<double> depth(tree.nodes(), 0.0);
  for (std::size_t k = tree.left.size(); k-- > 0;) {
    for (const std::uint32_t child : {tree.left[k], tree.right[k]}) {
      depth[child] = depth[tree.leaves + k] + static_cast<double>(tree.length[child]);
    }
  }
  depth.resize(tree.leaves);
  return depth;
}

/// Path lengths between the leaves.
DistanceMatrix path_lengths(const GuideTree& tree) {
  DistanceMatrix d(tree.leaves);
  const std::vector<double> depth = depths(tree);
  std::vector<double> node_depth(tree.nodes(), 0.0);
  for (std::size_t k = tree.left.size(); k-- > 0;) {
    for (const std::uint32_t child : {tree.left[k], tree.right[k]}) {
      node_depth[child] = node_depth[tree.leaves + k] + static_cast<double>(tree.length[child]);
    }
  }
  const LeafOrder order = leaf_order(tree);
  for (std::size_t k = 0; k < tree.left.size(); ++k) {
    for (const std::uint32_t x : order.of(tree.left[k])) {
      for (const std::uint32_t y : order.of(tree.right[k])) {
        d.set(x, y, static_cast<float>(depth[x] + depth[y] - 2 * node_depth[tree.leaves + k]));
      }
    }
  }
  return d;
}

bool is_well_formed(const GuideTree& tree) {
  std::vector<int> parents(tree.nodes(), 0);
  for (std::uint32_t k = 0; k < tree.left.size(); ++k) {
    for (const std::uint32_t child : {tree.left[k], tree.right[k]}) {
      if (child >= tree.leaves + k || ++parents[child] != 1) return false;
    }
  }
  return tree.left.size() + 1 == tree.leaves && tree.length.size() == tree.nodes();
}

/// The criterion and updates as they are written, without bounds, blocks or compaction; the
/// order of the joins.
std::vector<std::pair<std::uint32_t, std::uint32_t>> obvious_joins(const DistanceMatrix& m) {
  const std::size_t n = m.size();
  std::vector<std::vector<std::int64_t>> d(n, std::vector<std::int64_t>(n));
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      d[i][j] = std::llround(static_cast<double>(m.at(i, j)) * 16777216.0);
    }
  }
  std::vector<bool> active(n, true);
  std::vector<std::pair<std::uint32_t, std::uint32_t>> joins;
  for (std::size_t left = n; left > 3; --left) {
    std::vector<std::int64_t> r(n, 0);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t k = 0; k < n; ++k) r[i] += active[k] && k != i ? d[i][k] : 0;
    }
    std::int64_t best = std::numeric_limits<std::int64_t>::max();
    std::size_t a = 0;
    std::size_t b = 0;
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        const std::int64_t s = (static_cast<std::int64_t>(left) - 2) * d[i][j] - r[i] - r[j];
        if (active[i] && active[j] && s < best) best = s, a = i, b = j;
      }
    }
    joins.emplace_back(a, b);
    active[b] = false;
    for (std::size_t k = 0; k < n; ++k) {
      if (k == a || !active[k]) continue;
      const double twice = static_cast<double>(d[a][k] + d[b][k] - d[a][b]);
      d[a][k] = d[k][a] = static_cast<std::int64_t>(std::floor(twice / 2));
    }
  }
  return joins;
}

/// The sets of leaves that the joins make.
std::set<LeafSet> clusters_of(const std::vector<std::pair<std::uint32_t, std::uint32_t>>& joins,
                              std::uint32_t leaves) {
  std::vector<LeafSet> cluster(leaves);
  for (std::uint32_t x = 0; x < leaves; ++x) cluster[x] = {x};
  std::set<LeafSet> result;
  for (const auto& [a, b] : joins) {
    cluster[a].insert(cluster[b].begin(), cluster[b].end());
    LeafSet side = cluster[a];
    if (side.count(0) != 0) {
      side.clear();
      for (std::uint32_t x = 0; x < leaves; ++x) {
        if (cluster[a].count(x) == 0) side.insert(x);
      }
    }
    result.insert(side);
  }
  return result;
}

}  // namespace

TEST_CASE("neighbour joining: 0 to 3 leaves") {
  CHECK(neighbor_joining(DistanceMatrix()).nodes() == 0);
  CHECK(neighbor_joining(DistanceMatrix(1)).length == std::vector<double>{0.0f});
  DistanceMatrix two(2);
  two.set(0, 1, 0.5f);
  const GuideTree pair = neighbor_joining(two);
  CHECK(pair.left == std::vector<std::uint32_t>{0});
  CHECK(pair.right == std::vector<std::uint32_t>{1});
  CHECK(pair.length == std::vector<double>{0.25f, 0.25f, 0.0f});

  DistanceMatrix three(3);  // branches 0.125, 0.25, 0.5
  three.set(0, 1, 0.375f);
  three.set(0, 2, 0.625f);
  three.set(1, 2, 0.75f);
  const GuideTree tree = neighbor_joining(three);
  CHECK(is_well_formed(tree));
  CHECK(tree.left == std::vector<std::uint32_t>{0, 3});
  CHECK(tree.right == std::vector<std::uint32_t>{1, 2});
  CHECK(tree.length == std::vector<double>{0.125f, 0.25f, 0.375f, 0.125f, 0.0f});
}

TEST_CASE("neighbour joining: distances out of range are refused") {
  DistanceMatrix d(3);
  for (const float bad : {-0.5f, 33.0f, std::numeric_limits<float>::quiet_NaN()}) {
    d.set(1, 2, bad);
    CHECK_THROWS_AS(neighbor_joining(d), Error);
  }
}

TEST_CASE("neighbour joining: the tree of additive distances is found again") {
  for (std::uint32_t seed = 0; seed < 150; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    GuideTree truth = random_tree(random, draw(random, 2, 60));
    for (std::uint32_t v = 0; v + 1 < truth.nodes(); ++v) {
      truth.length[v] = static_cast<float>(draw(random, 1, 64)) / 256.0f;
    }
    const GuideTree found = neighbor_joining(path_lengths(truth));
    REQUIRE(is_well_formed(found));
    const auto expected = edges_of(truth);
    const auto edges = edges_of(found);
    REQUIRE(edges.size() == expected.size());
    for (const auto& [leaves, length] : expected) {
      REQUIRE(edges.count(leaves) == 1);
      CHECK(edges.at(leaves) == doctest::Approx(length).epsilon(1e-4));
    }
    // The mid-point: the two deepest leaves of either side of the root are equally deep.
    const std::vector<double> depth = depths(found);
    const LeafOrder order = leaf_order(found);
    double deepest[2] = {0, 0};
    for (const std::uint32_t x : order.of(found.left.back())) {
      deepest[0] = std::max(deepest[0], depth[x]);
    }
    for (const std::uint32_t x : order.of(found.right.back())) {
      deepest[1] = std::max(deepest[1], depth[x]);
    }
    CHECK(deepest[0] == doctest::Approx(deepest[1]).epsilon(1e-5));
  }
}

TEST_CASE("neighbour joining: the joins of the definition, ties included") {
  for (std::uint32_t seed = 0; seed < 150; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    const std::uint32_t n = seed % 10 == 0 ? draw(random, 60, 110) : draw(random, 2, 40);
    const std::uint32_t levels = seed % 2 == 0 ? 3 : 100000;
    const DistanceMatrix d = seed % 3 == 2 ? tree_like_distances(random, n, seed % 4 * 20)
                                           : random_distances(random, n, levels);
    const GuideTree tree = neighbor_joining(d);
    REQUIRE(is_well_formed(tree));
    const auto edges = edges_of(tree);
    for (const LeafSet& cluster : clusters_of(obvious_joins(d), n)) {
      CHECK(edges.count(cluster) == 1);
    }
    for (const double length : tree.length) CHECK(length >= 0.0f);
  }
}

TEST_CASE("neighbour joining: 1600 leaves, the same tree for all kernels and numbers of threads") {
  Random random(3);
  // Enough cells that threads are used when references are set anew.
  const DistanceMatrix d = tree_like_distances(random, 1600, 100);
  const GuideTree tree = neighbor_joining(d);
  CHECK(is_well_formed(tree));
  for (const int threads : {2, 4}) {
    const ThreadCount scope(threads);
    const GuideTree again = neighbor_joining(d);
    CHECK(again.left == tree.left);
    CHECK(again.right == tree.right);
    CHECK(again.length == tree.length);
  }
  for (const host::Kernels* kernels : host::available_kernels()) {
    CAPTURE(kernels->name);
    const GuideTree again = neighbor_joining(d, *kernels);
    CHECK(again.left == tree.left);
    CHECK(again.right == tree.right);
    CHECK(again.length == tree.length);
  }
}

TEST_CASE("neighbour joining: all distances zero") {
  CHECK(is_well_formed(neighbor_joining(DistanceMatrix(2))));
  CHECK(is_well_formed(neighbor_joining(DistanceMatrix(50))));
}
