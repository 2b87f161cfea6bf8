// SPDX-License-Identifier: Apache-2.0
#include "stages/neighbor_joining/tree_of_joins.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <vector>

#include "accord/base/error.hpp"
#include "base/parallel.hpp"

namespace accord {
namespace {

constexpr double kUnits = ACCORD_NJ_UNITS;
constexpr float kFarthestInput = 32.0f;  // distances that accord computes are at most 1

std::int64_t floor_divide(std::int64_t a, std::int64_t b) {
  return a / b - ((a % b != 0) && ((a < 0) != (b < 0)));
}

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

/// The tree of the joins, without a root.
UnrootedTree connect_joins(std::uint32_t leaves, std::span<const accord_join> joins) {
  UnrootedTree tree;
  tree.edges.resize(leaves == 2 ? 2 : 2 * std::size_t{leaves} - 2);
  std::vector<std::uint32_t> node(leaves);  // of the cluster in a place
  std::iota(node.begin(), node.end(), 0u);
  std::vector<bool> joined(leaves, false);  // places whose cluster is now in another one
  std::uint32_t next = leaves;
  std::int64_t others = static_cast<std::int64_t>(leaves) - 2;
  for (const accord_join& join : joins.first(joins.size() - 1)) {
    const std::int64_t to_i =
        floor_divide(others * join.between + join.sum_i - join.sum_j, 2 * others);
    tree.connect(node[join.i], next, to_i);
    tree.connect(node[join.j], next, join.between - to_i);
    node[join.i] = next++;
    joined[join.j] = true;
    --others;
  }
  const accord_join& last = joins.back();
  if (leaves == 2) {
    tree.connect(node[last.i], node[last.j], last.between);
    return tree;
  }
  joined[last.i] = joined[last.j] = true;
  const auto third = std::find(joined.begin(), joined.end(), false) - joined.begin();
  const std::int64_t i_third = last.sum_i - last.between;
  const std::int64_t j_third = last.sum_j - last.between;
  tree.connect(node[last.j], next, floor_divide(last.between + j_third - i_third, 2));
  tree.connect(node[last.i], next, floor_divide(last.between + i_third - j_third, 2));
  tree.connect(node[static_cast<std::size_t>(third)], next,
               floor_divide(i_third + j_third - last.between, 2));
  return tree;
}

/// All nodes reached from a start, each after the node it was reached from.
struct Walk {
  std::vector<std::uint32_t> order;
  std::vector<std::uint32_t> from;        ///< one per node; itself for the start
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

/// Fills in the distances of `count` rows from row `first` on, in units, and adds them to the row
/// sums.
void fill_rows(const DistanceMatrix& distances, std::size_t first, std::size_t count,
               std::int32_t* cell, std::vector<std::int64_t>& sum) {
  for (std::size_t i = first; i < first + count; ++i) {
    bool in_range = true;
    std::int64_t of_row = 0;
    const std::span<const float> row = distances.before(i);
    for (std::size_t j = 0; j < i; ++j) {
      in_range &= row[j] >= 0.0f && row[j] <= kFarthestInput;
      const double distance = in_range ? static_cast<double>(row[j]) : 0.0;
      cell[j] = static_cast<std::int32_t>(distance * kUnits + 0.5);  // rounded: it is not negative
      of_row += cell[j];
      sum[j] += cell[j];
    }
    if (!in_range) {
      throw Error(ErrorKind::internal, "building the guide tree: a distance is out of range");
    }
    sum[i] += of_row;
    cell += i;
  }
}

}  // namespace

void fill_join_units(const DistanceMatrix& distances, std::span<std::int32_t> cells,
                     std::span<std::int64_t> sums) {
  constexpr std::size_t kRows = 256;
  const std::size_t n = distances.size();
  const std::size_t blocks = (n + kRows - 1) / kRows;
  std::vector<std::vector<std::int64_t>> partial(static_cast<std::size_t>(thread_count()),
                                                 std::vector<std::int64_t>(n, 0));
  parallel_for(blocks, [&](std::size_t block, int thread) {
    const std::size_t first = block * kRows;
    fill_rows(distances, first, std::min(kRows, n - first),
              cells.data() + accord_nj_row(static_cast<std::uint32_t>(first)),
              partial[static_cast<std::size_t>(thread)]);
  });
  std::fill(sums.begin(), sums.end(), 0);
  for (const std::vector<std::int64_t>& part : partial) {
    for (std::size_t i = 0; i < n; ++i) sums[i] += part[i];
  }
}

GuideTree tree_of_joins(std::uint32_t leaves, std::span<const accord_join> joins) {
  if (leaves < 2) {
    GuideTree tree;
    tree.leaves = leaves;
    tree.length.assign(leaves, 0.0f);
    return tree;
  }
  if (joins.size() != accord_nj_steps(leaves)) {
    throw Error(ErrorKind::internal, "building the guide tree: a join is missing");
  }
  UnrootedTree tree = connect_joins(leaves, joins);
  add_root(tree, leaves);
  return rooted(tree, leaves);
}

}  // namespace accord
