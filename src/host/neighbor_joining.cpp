// SPDX-License-Identifier: Apache-2.0
#include "accord/host/neighbor_joining.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "accord/base/error.hpp"
#include "accord/base/parallel.hpp"

namespace accord {
namespace {

constexpr double kUnits = 16777216.0;        // 2^24 units are a distance of 1
constexpr std::int64_t kFarthest = 1 << 30;  // stored distances are held within +- this
constexpr double kInactive = -1e18;          // row sum of a place that is not in use
constexpr std::size_t kParallelFrom = 600;   // clusters from which threads are worth it

std::size_t row_start(std::size_t i) { return i == 0 ? 0 : i * (i - 1) / 2; }

std::int64_t floor_divide(std::int64_t a, std::int64_t b) {
  return a / b - ((a % b != 0) && ((a < 0) != (b < 0)));
}

/// A pair of places and its criterion; the smaller one in (value, i, j) is joined.
struct Candidate {
  double value = std::numeric_limits<double>::infinity();
  std::uint32_t i = 0;
  std::uint32_t j = 0;

  bool operator<(const Candidate& other) const {
    if (value != other.value) return value < other.value;
    return i != other.i ? i < other.i : j < other.j;
  }
};

/// Clusters during the joining. The criterion (n - 2) D_ij - R_i - R_j is evaluated in double,
/// which holds all its terms exactly (integers below 2^53) and is quicker in vectors than
/// 64-bit integers are.
class Clusters {
 public:
  explicit Clusters(const DistanceMatrix& distances)
      : count_(distances.size()),
        distance_(row_start(distances.size())),
        row_sum_(distances.size(), 0),
        row_sum_double_(distances.size(), 0),
        row_minimum_(distances.size(), std::numeric_limits<std::int32_t>::max()),
        node_(distances.size()) {
    std::iota(node_.begin(), node_.end(), 0u);
    for (std::uint32_t i = 0; i < count_; ++i) {
      for (std::uint32_t j = 0; j < i; ++j) {
        const float distance = distances.at(i, j);
        if (!(distance >= 0.0f && distance <= 32.0f)) {
          throw Error(ErrorKind::internal, "building the guide tree: a distance is out of range");
        }
        put(i, j, std::llround(static_cast<double>(distance) * kUnits));
        row_sum_[i] += get(i, j);
        row_sum_[j] += get(i, j);
      }
    }
    for (std::uint32_t i = 0; i < count_; ++i) use_row_sum(i);
  }

  std::size_t count() const { return count_; }
  std::uint32_t node(std::uint32_t i) const { return node_[i]; }
  std::int64_t row_sum(std::uint32_t i) const { return row_sum_[i]; }
  std::int64_t get(std::uint32_t i, std::uint32_t j) const {
    return i > j ? distance_[row_start(i) + j] : distance_[row_start(j) + i];
  }

  /// Places that are in use, increasing.
  std::vector<std::uint32_t> places() const {
    std::vector<std::uint32_t> places;
    for (std::uint32_t i = 0; i < node_.size(); ++i) {
      if (in_use(i)) places.push_back(i);
    }
    return places;
  }

  /// The pair to be joined.
  Candidate best_pair() const {
    // No cell of a row can be below its smallest distance less both row sums; most rows cannot
    // hold the best pair and are left out.
    const double largest_sum = *std::max_element(row_sum_double_.begin(), row_sum_double_.end());
    std::vector<double> bound(node_.size(), std::numeric_limits<double>::infinity());
    std::uint32_t promising = 0;
    for (std::uint32_t i = 1; i < node_.size(); ++i) {
      if (in_use(i)) bound[i] = factor() * row_minimum_[i] - row_sum_double_[i] - largest_sum;
      if (bound[i] < bound[promising]) promising = i;
    }
    const Candidate first = best_in_row(promising, std::numeric_limits<double>::infinity());
    const std::size_t blocks =
        count_ < kParallelFrom ? 1 : 8 * static_cast<std::size_t>(thread_count());
    std::vector<Candidate> best(blocks, first);
    const auto scan = [&](std::size_t block, int) {
      // Rows are dealt out in turn, since later rows are longer.
      for (std::size_t i = block; i < node_.size(); i += blocks) {
        if (bound[i] > best[block].value) continue;
        best[block] =
            std::min(best[block], best_in_row(static_cast<std::uint32_t>(i), best[block].value));
      }
    };
    if (blocks == 1) {
      scan(0, 0);
    } else {
      parallel_for(blocks, scan);
    }
    return *std::min_element(best.begin(), best.end());
  }

  /// Puts the union of the clusters in i and j, j < i, as `node` into place i.
  void join(std::uint32_t i, std::uint32_t j, std::uint32_t node) {
    const std::int64_t between = get(i, j);
    row_sum_[i] = 0;
    row_minimum_[i] = std::numeric_limits<std::int32_t>::max();
    row_sum_double_[j] = kInactive;
    for (std::uint32_t k = 0; k < node_.size(); ++k) {
      if (k == i || !in_use(k)) continue;
      const std::int64_t to_i = get(k, i);
      const std::int64_t to_j = get(k, j);
      put(k, i, floor_divide(to_i + to_j - between, 2));
      row_sum_[k] += get(k, i) - to_i - to_j;
      row_sum_[i] += get(k, i);
      use_row_sum(k);
    }
    use_row_sum(i);
    node_[i] = node;
    --count_;
    if (count_ * 4 < node_.size() * 3) compact();
  }

 private:
  bool in_use(std::uint32_t i) const { return row_sum_double_[i] != kInactive; }
  double factor() const { return static_cast<double>(count_) - 2.0; }
  void use_row_sum(std::uint32_t i) { row_sum_double_[i] = static_cast<double>(row_sum_[i]); }

  void put(std::uint32_t i, std::uint32_t j, std::int64_t distance) {
    if (i < j) std::swap(i, j);
    const auto value = static_cast<std::int32_t>(std::clamp(distance, -kFarthest, kFarthest));
    distance_[row_start(i) + j] = value;
    row_minimum_[i] = std::min(row_minimum_[i], value);
  }

  /// The best pair of place i > 0 and one before it, if its value is at most `limit`. Places not
  /// in use lose by their row sum.
  Candidate best_in_row(std::uint32_t i, double limit) const {
    constexpr std::size_t kLanes = 8;
    const std::int32_t* const d = distance_.data() + row_start(i);
    const double* const sums = row_sum_double_.data();
    const double n = factor();
    std::array<double, kLanes> lane;
    lane.fill(std::numeric_limits<double>::infinity());
    std::size_t j = 0;
    for (; j + kLanes <= i; j += kLanes) {
      for (std::size_t l = 0; l < kLanes; ++l) {
        const double value = n * d[j + l] - sums[j + l];
        lane[l] = value < lane[l] ? value : lane[l];
      }
    }
    double least = *std::min_element(lane.begin(), lane.end());
    for (; j < i; ++j) least = std::min(least, n * d[j] - sums[j]);
    const double value = least - row_sum_double_[i];
    if (value > limit) return {};
    std::uint32_t at = 0;
    while (n * d[at] - sums[at] != least) ++at;
    return {value, i, at};
  }

  /// Takes the places that are not in use out, keeping the order of the others.
  void compact() {
    const std::vector<std::uint32_t> kept = places();
    for (std::uint32_t i = 0; i < kept.size(); ++i) {
      const std::size_t from = row_start(kept[i]);
      for (std::uint32_t j = 0; j < i; ++j) {
        distance_[row_start(i) + j] = distance_[from + kept[j]];
      }
      row_sum_[i] = row_sum_[kept[i]];
      row_minimum_[i] = row_minimum_[kept[i]];
      node_[i] = node_[kept[i]];
      use_row_sum(i);
    }
    distance_.resize(row_start(kept.size()));
    row_sum_.resize(kept.size());
    row_sum_double_.resize(kept.size());
    row_minimum_.resize(kept.size());
    node_.resize(kept.size());
  }

  std::size_t count_;                      ///< clusters left
  std::vector<std::int32_t> distance_;     ///< triangle of the places, j < i
  std::vector<std::int64_t> row_sum_;      ///< sum of the distances to all other clusters
  std::vector<double> row_sum_double_;     ///< the same; kInactive if a place is not in use
  std::vector<std::int32_t> row_minimum_;  ///< at most the smallest distance to a place before
  std::vector<std::uint32_t> node_;        ///< tree node of the cluster in a place
};

/// A tree without a root: leaves first, every other node has three neighbours.
struct UnrootedTree {
  struct Edge {
    std::uint32_t to;
    std::int64_t length;  ///< units of 2^-24
  };
  std::vector<std::vector<Edge>> edges;  ///< one list a node

  void connect(std::uint32_t a, std::uint32_t b, std::int64_t length) {
    length = std::max<std::int64_t>(0, length);
    edges[a].push_back({b, length});
    edges[b].push_back({a, length});
  }
};

/// At least two leaves.
UnrootedTree join_all(const DistanceMatrix& distances) {
  const auto leaves = static_cast<std::uint32_t>(distances.size());
  UnrootedTree tree;
  tree.edges.resize(leaves == 2 ? 2 : 2 * std::size_t{leaves} - 2);
  Clusters clusters(distances);
  std::uint32_t next = leaves;
  while (clusters.count() > 3) {
    const Candidate best = clusters.best_pair();
    const auto others = static_cast<std::int64_t>(clusters.count()) - 2;
    const std::int64_t between = clusters.get(best.i, best.j);
    const std::int64_t to_i = floor_divide(
        others * between + clusters.row_sum(best.i) - clusters.row_sum(best.j), 2 * others);
    tree.connect(clusters.node(best.i), next, to_i);
    tree.connect(clusters.node(best.j), next, between - to_i);
    clusters.join(best.i, best.j, next++);
  }
  const std::vector<std::uint32_t> last = clusters.places();
  if (last.size() == 2) {
    tree.connect(clusters.node(last[0]), clusters.node(last[1]), clusters.get(last[0], last[1]));
    return tree;
  }
  for (std::size_t k = 0; k < 3; ++k) {
    const std::uint32_t a = last[k];
    const std::uint32_t b = last[(k + 1) % 3];
    const std::uint32_t c = last[(k + 2) % 3];
    const std::int64_t twice = clusters.get(a, b) + clusters.get(a, c) - clusters.get(b, c);
    tree.connect(clusters.node(a), next, floor_divide(twice, 2));
  }
  return tree;
}

/// All nodes reached from a start, each after the node it was reached from.
struct Walk {
  std::vector<std::uint32_t> order;
  std::vector<std::uint32_t> from;        ///< one a node; itself for the start
  std::vector<std::int64_t> length_from;  ///< of the edge to `from`
  std::vector<std::int64_t> distance;     ///< from the start
};

Walk walk(const UnrootedTree& tree, std::uint32_t start) {
  const std::size_t nodes = tree.edges.size();
  Walk result{{start},
              std::vector<std::uint32_t>(nodes, start),
              std::vector<std::int64_t>(nodes, 0),
              std::vector<std::int64_t>(nodes, 0)};
  for (std::size_t at = 0; at < result.order.size(); ++at) {
    const std::uint32_t v = result.order[at];
    for (const UnrootedTree::Edge& edge : tree.edges[v]) {
      if (edge.to == result.from[v]) continue;
      result.from[edge.to] = v;
      result.length_from[edge.to] = edge.length;
      result.distance[edge.to] = result.distance[v] + edge.length;
      result.order.push_back(edge.to);
    }
  }
  return result;
}

std::uint32_t farthest_leaf(const Walk& walked, std::uint32_t leaves) {
  const auto first = walked.distance.begin();
  return static_cast<std::uint32_t>(std::max_element(first, first + leaves) - first);
}

/// Puts a node in the middle of the longest path between two leaves; it is the last node.
void add_root(UnrootedTree& tree, std::uint32_t leaves) {
  const std::uint32_t start = farthest_leaf(walk(tree, 0), leaves);
  const Walk walked = walk(tree, start);
  std::uint32_t v = farthest_leaf(walked, leaves);
  if (v == start) v = start == 0 ? 1 : 0;  // all distances are 0
  const std::int64_t middle = walked.distance[v] / 2;
  while (walked.distance[walked.from[v]] > middle) v = walked.from[v];
  const std::uint32_t above = walked.from[v];
  const auto root = static_cast<std::uint32_t>(tree.edges.size());
  const auto cut = [&](std::uint32_t a, std::uint32_t b, std::int64_t length) {
    for (UnrootedTree::Edge& edge : tree.edges[a]) {
      if (edge.to == b) edge = {root, length};
    }
  };
  const std::int64_t to_above = middle - walked.distance[above];
  const std::int64_t to_v = walked.distance[v] - middle;
  cut(v, above, to_v);
  cut(above, v, to_above);
  tree.edges.push_back({{v, to_v}, {above, to_above}});
}

/// The rooted tree, numbered so that children come before parents.
GuideTree rooted(const UnrootedTree& tree, std::uint32_t leaves) {
  const auto nodes = static_cast<std::uint32_t>(tree.edges.size());
  const Walk walked = walk(tree, nodes - 1);
  GuideTree result;
  result.leaves = leaves;
  result.length.assign(nodes, 0.0f);
  std::vector<std::uint32_t> number(nodes);
  std::vector<std::uint32_t> smallest_leaf(nodes);
  std::iota(number.begin(), number.begin() + leaves, 0u);
  std::iota(smallest_leaf.begin(), smallest_leaf.begin() + leaves, 0u);
  for (auto at = walked.order.rbegin(); at != walked.order.rend(); ++at) {
    const std::uint32_t v = *at;
    if (v >= leaves) {
      std::array<std::uint32_t, 2> child{};
      std::size_t found = 0;
      for (const UnrootedTree::Edge& edge : tree.edges[v]) {
        if (edge.to != walked.from[v]) child[found++] = edge.to;
      }
      if (smallest_leaf[child[1]] < smallest_leaf[child[0]]) std::swap(child[0], child[1]);
      smallest_leaf[v] = smallest_leaf[child[0]];
      number[v] = result.nodes();
      result.left.push_back(number[child[0]]);
      result.right.push_back(number[child[1]]);
    }
    result.length[number[v]] =
        static_cast<float>(static_cast<double>(walked.length_from[v]) / kUnits);
  }
  return result;
}

}  // namespace

GuideTree neighbor_joining(const DistanceMatrix& distances) {
  const auto leaves = static_cast<std::uint32_t>(distances.size());
  if (leaves < 2) {
    GuideTree tree;
    tree.leaves = leaves;
    tree.length.assign(leaves, 0.0f);
    return tree;
  }
  UnrootedTree tree = join_all(distances);
  add_root(tree, leaves);
  return rooted(tree, leaves);
}

}  // namespace accord
