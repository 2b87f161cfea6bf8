// SPDX-License-Identifier: Apache-2.0
#include "method/intermediates.hpp"

#include <algorithm>
#include <numeric>

#include "method/upgma.hpp"

namespace accord {
namespace {

/// Cuts a tree into `clusters` clusters, by leaving out its last joins; returns the cluster of each
/// leaf, as a node of the tree.
std::vector<std::uint32_t> cut_tree(const GuideTree& tree, std::size_t clusters) {
  std::vector<std::uint32_t> cluster_of(tree.nodes());
  std::iota(cluster_of.begin(), cluster_of.end(), 0u);
  // Parents come after their children, so that, going down, each node takes the cluster of its
  // parent.
  const std::size_t kept = tree.left.size() - (clusters - 1);
  for (std::size_t k = kept; k-- > 0;) {
    cluster_of[tree.left[k]] = cluster_of[tree.right[k]] = cluster_of[tree.leaves + k];
  }
  cluster_of.resize(tree.leaves);
  return cluster_of;
}

/// For each sequence, the sum of its distances to all others.
std::vector<double> distance_sums(const DistanceMatrix& distances) {
  std::vector<double> sums(distances.size(), 0.0);
  for (std::size_t y = 1; y < distances.size(); ++y) {
    for (std::size_t x = 0; x < y; ++x) {
      sums[x] += distances.at(x, y);
      sums[y] += distances.at(x, y);
    }
  }
  return sums;
}

}  // namespace

std::vector<std::uint32_t> select_intermediates(const DistanceMatrix& distances, std::size_t most,
                                                const GuideTree* upgma_tree) {
  const std::size_t n = distances.size();
  std::vector<std::uint32_t> selected;
  if (most == 0 || n <= most) {
    selected.resize(n);
    std::iota(selected.begin(), selected.end(), 0u);
    return selected;
  }
  const std::vector<std::uint32_t> cluster_of =
      cut_tree(upgma_tree != nullptr ? *upgma_tree : upgma(distances), most);
  const std::vector<double> sums = distance_sums(distances);
  constexpr std::uint32_t kNone = 0xffffffffu;
  std::vector<std::uint32_t> nearest(2 * n, kNone);  // [node of the cluster]
  for (std::uint32_t x = 0; x < n; ++x) {
    std::uint32_t& best = nearest[cluster_of[x]];
    if (best == kNone || sums[x] < sums[best]) best = x;
  }
  for (std::uint32_t x : nearest) {
    if (x != kNone) selected.push_back(x);
  }
  std::sort(selected.begin(), selected.end());
  return selected;
}

std::vector<std::vector<std::uint32_t>> nearest_intermediates(const DistanceMatrix& distances,
                                                              std::size_t count) {
  std::vector<std::vector<std::uint32_t>> lists(distances.size());
  for (std::size_t x = 0; x < lists.size(); ++x) {
    std::vector<std::uint32_t>& list = lists[x];
    for (std::uint32_t z = 0; z < lists.size(); ++z) {
      if (z != x) list.push_back(z);
    }
    if (list.size() <= count) continue;
    const auto distance = [&](std::uint32_t z) {
      return distances.at(std::min<std::size_t>(x, z), std::max<std::size_t>(x, z));
    };
    const auto is_nearer = [&](std::uint32_t a, std::uint32_t b) {
      return distance(a) != distance(b) ? distance(a) < distance(b) : a < b;
    };
    std::ranges::nth_element(list, list.begin() + static_cast<std::ptrdiff_t>(count), is_nearer);
    list.resize(count);
    std::ranges::sort(list);
  }
  return lists;
}

}  // namespace accord
