// SPDX-License-Identifier: Apache-2.0
#include "method/intermediates.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "method/upgma.hpp"

namespace accord::testing {
namespace {

using Indices = std::vector<std::uint32_t>;

/// Distances of points on a line.
DistanceMatrix on_a_line(const std::vector<float>& points) {
  DistanceMatrix distances(points.size());
  for (std::size_t y = 1; y < points.size(); ++y) {
    for (std::size_t x = 0; x < y; ++x) distances.set(x, y, std::fabs(points[x] - points[y]));
  }
  return distances;
}

TEST_CASE("intermediates: all of a small family, or if there is no limit") {
  const DistanceMatrix distances = on_a_line({0.1f, 0.2f, 0.4f});
  const Indices all = {0, 1, 2};
  CHECK(select_intermediates(distances, 3) == all);
  CHECK(select_intermediates(distances, 99) == all);
  CHECK(select_intermediates(distances, 0) == all);
  CHECK(select_intermediates(DistanceMatrix(0), 0).empty());
  CHECK(select_intermediates(DistanceMatrix(1), 32) == Indices{0});
}

TEST_CASE("intermediates: of each cluster the one that is nearest to the family") {
  //                                          left cluster        middle  right cluster
  const DistanceMatrix distances = on_a_line({0.00f, 0.02f, 0.01f, 0.50f, 0.91f, 0.90f});
  CHECK(select_intermediates(distances, 3) == Indices{1, 3, 5});
  CHECK(select_intermediates(distances, 1) == Indices{3});
}

TEST_CASE("intermediates: the clusters are those of the tree that the caller has") {
  const DistanceMatrix distances = on_a_line({0.00f, 0.02f, 0.01f, 0.50f, 0.91f, 0.90f});
  const GuideTree tree = upgma(distances);
  CHECK(select_intermediates(distances, 3, &tree) == select_intermediates(distances, 3));
  // Leaves 0 and 5 in one cluster, all others alone: of these two, 5 is farther from the family.
  GuideTree other = tree;
  other.left = {0, 1, 2, 3, 4};
  other.right = {5, 6, 7, 8, 9};
  CHECK(select_intermediates(distances, 5, &other) == Indices{0, 1, 2, 3, 4});
}

TEST_CASE("intermediates: the nearest of each sequence, ties for the lower index") {
  const DistanceMatrix distances = on_a_line({0.0f, 0.25f, 0.5f, 0.75f, 1.0f});
  const std::vector<Indices> two = {{1, 2}, {0, 2}, {1, 3}, {2, 4}, {2, 3}};
  CHECK(nearest_intermediates(distances, 2) == two);
  CHECK(nearest_intermediates(distances, 1)[2] == Indices{1});
  CHECK(nearest_intermediates(distances, 9)[1] == Indices{0, 2, 3, 4});
  CHECK(nearest_intermediates(DistanceMatrix(1), 2) == std::vector<Indices>{{}});
}

TEST_CASE("intermediates: equal sequences, the first counts") {
  CHECK(select_intermediates(on_a_line({0.5f, 0.5f, 0.5f, 0.5f}), 1) == Indices{0});
}

TEST_CASE("intermediates: as many as asked for, increasing, one a cluster") {
  std::mt19937 random(5);
  std::vector<float> points(70);
  for (float& point : points) point = static_cast<float>(random() % 1000) / 1000.0f;
  const DistanceMatrix distances = on_a_line(points);
  for (std::size_t most = 1; most < points.size(); ++most) {
    const Indices selected = select_intermediates(distances, most);
    REQUIRE(selected.size() == most);
    CHECK(std::is_sorted(selected.begin(), selected.end()));
    CHECK(std::adjacent_find(selected.begin(), selected.end()) == selected.end());
    CHECK(selected.back() < points.size());
  }
}

}  // namespace
}  // namespace accord::testing
