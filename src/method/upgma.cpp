// SPDX-License-Identifier: Apache-2.0
#include "method/upgma.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include "accord/base/error.hpp"

namespace accord {
namespace {

/// The clusters during the joining. A cluster has the index of one of its sequences. The object
/// keeps, for each active index i, the nearest active index below i. So a join costs one pass over
/// the active indices, and few rows have to be searched again.
class Linkage {
 public:
  Linkage(const DistanceMatrix& distances, const DistanceNoise& noise)
      : distances_(with_noise(distances, noise)),
        noise_(noise),
        size_(distances.size(), 1.0f),
        nearest_(distances.size(), 0),
        nearest_distance_(distances.size(), kFar),
        active_(distances.size()) {
    std::iota(active_.begin(), active_.end(), 0u);
    for (const std::uint32_t i : active_) search_row(i);
  }

  /// The higher index of the closest pair; the lower one is nearest(i).
  std::uint32_t closest() const {
    std::uint32_t best = active_.front();
    float best_distance = kFar;
    for (const std::uint32_t i : active_) {
      if (nearest_distance_[i] < best_distance) {
        best_distance = nearest_distance_[i];
        best = i;
      }
    }
    return best;
  }
  std::uint32_t nearest(std::uint32_t i) const { return nearest_[i]; }
  float nearest_distance(std::uint32_t i) const { return nearest_distance_[i]; }

  /// Unites the clusters i and j, j < i, as cluster i.
  void join(std::uint32_t i, std::uint32_t j) {
    active_.erase(std::lower_bound(active_.begin(), active_.end(), j));
    const float size = size_[i] + size_[j];
    const float strength = std::sqrt(2 * size_[i] * size_[j]) / size;
    ++joins_;
    for (const std::uint32_t k : active_) {
      if (k == i) continue;
      const float sum = distances_.at(i, k) * size_[i] + distances_.at(j, k) * size_[j];
      distances_.set(i, k, sum / size * noise_.factor({i, k, joins_}, strength));
    }
    size_[i] = size;
    for (auto k = std::lower_bound(active_.begin(), active_.end(), j); k != active_.end(); ++k) {
      if (*k == i || nearest_[*k] == j || nearest_[*k] == i) {
        search_row(*k);
      } else if (*k > i) {
        const float distance = distances_.at(*k, i);
        if (distance < nearest_distance_[*k] ||
            (distance == nearest_distance_[*k] && i < nearest_[*k])) {
          nearest_distance_[*k] = distance;
          nearest_[*k] = i;
        }
      }
    }
  }

 private:
  static constexpr float kFar = std::numeric_limits<float>::infinity();

  void search_row(std::uint32_t i) {
    nearest_[i] = i;
    nearest_distance_[i] = kFar;
    for (const std::uint32_t j : active_) {
      if (j >= i) break;
      const float distance = distances_.at(i, j);
      if (distance < nearest_distance_[i]) {
        nearest_distance_[i] = distance;
        nearest_[i] = j;
      }
    }
  }

  DistanceMatrix distances_;
  const DistanceNoise noise_;
  std::uint32_t joins_ = 0;
  std::vector<float> size_;  ///< [index]: number of sequences in the cluster
  std::vector<std::uint32_t> nearest_;
  std::vector<float> nearest_distance_;
  std::vector<std::uint32_t> active_;  ///< indices in use, increasing
};

void check_finite(const DistanceMatrix& distances) {
  for (std::size_t i = 1; i < distances.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (!std::isfinite(distances.at(i, j))) {
        throw Error(ErrorKind::internal, "building the guide tree: a distance is not finite");
      }
    }
  }
}

/// The height of a node of a tree with heights.
float height_of(const GuideTree& tree, std::uint32_t node) {
  return node < tree.leaves ? 0 : static_cast<float>(tree.length[tree.left[node - tree.leaves]]);
}

}  // namespace

GuideTree upgma(const DistanceMatrix& distances, const DistanceNoise& noise) {
  GuideTree tree;
  tree.leaves = static_cast<std::uint32_t>(distances.size());
  if (tree.leaves == 0) return tree;
  check_finite(distances);
  tree.has_heights = true;
  tree.length.assign(2 * static_cast<std::size_t>(tree.leaves) - 1, 0.0);

  Linkage linkage(distances, noise);
  std::vector<std::uint32_t> node_of(tree.leaves);  // [index]: node of the cluster
  std::iota(node_of.begin(), node_of.end(), 0u);
  for (std::uint32_t join = 0; join + 1 < tree.leaves; ++join) {
    const std::uint32_t i = linkage.closest();
    const std::uint32_t j = linkage.nearest(i);
    float half = linkage.nearest_distance(i) / 2.0f;
    if (noise.is_set())
      half = std::max({half, height_of(tree, node_of[i]), height_of(tree, node_of[j])});
    tree.left.push_back(node_of[i]);
    tree.right.push_back(node_of[j]);
    tree.length[node_of[i]] = half;
    tree.length[node_of[j]] = half;
    linkage.join(i, j);
    node_of[i] = tree.leaves + join;
  }
  return tree;
}

}  // namespace accord
