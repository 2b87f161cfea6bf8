// SPDX-License-Identifier: Apache-2.0
#include "align/local/branch_weights.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace accord {
namespace {

constexpr double kShortest = 0.001;  // least length of a branch

/// Resistance of two parallel branches; 0 if one of them has none.
double parallel(double a, double b) { return a > 0 && b > 0 ? 1 / (1 / a + 1 / b) : 0; }

/// Three-way weight of an inner node for groups divided at branch c; a and b are its other
/// branches.
double three_way(double a, double b, double c) {
  if (c <= 0) return 1;
  if (a <= 0 || b <= 0) return 0.01;
  return std::sqrt(a * b * (c + a) * (c + b) / (c * (a + b) * (a * b + b * c + c * a)));
}

}  // namespace

void scale_weights(std::span<const double> weights, std::span<const std::uint32_t> group,
                   std::span<std::uint32_t> scaled) {
  double sum = 0;
  for (const std::uint32_t x : group) sum += weights[x];
  for (const std::uint32_t x : group) {
    const double share = std::floor(kGroupWeight * (weights[x] / sum) + 0.5);
    scaled[x] = static_cast<std::uint32_t>(std::max(1.0, share));
  }
}

BranchSplits::BranchSplits(const GuideTree& tree) : leaves_(tree.leaves), at_node_(tree.nodes()) {
  if (tree.left.empty()) return;
  const GuideTree lengths = with_branch_lengths(tree);
  const auto length = [&](std::uint32_t node) {
    return std::max<double>(kShortest, lengths.length[node]);
  };
  for (std::size_t k = 0; k + 1 < tree.left.size(); ++k) {
    const std::uint32_t node = tree.leaves + static_cast<std::uint32_t>(k);
    add_edge(tree.left[k], node, length(tree.left[k]));
    add_edge(tree.right[k], node, length(tree.right[k]));
  }
  const auto [low, high] = std::minmax(tree.left.back(), tree.right.back());
  const double whole = double{lengths.length[low]} + double{lengths.length[high]};
  add_edge(low, high, std::max(kShortest, whole));
  find_resistances(high);
  for (std::uint32_t edge = 0; edge < low_.size(); ++edge) {
    weight_.push_back(node_weight(low_[edge], edge) * node_weight(high_[edge], edge));
  }
  branches_.resize(low_.size());
  std::iota(branches_.begin(), branches_.end(), 0u);
  std::sort(branches_.begin(), branches_.end(),
            [&](std::uint32_t a, std::uint32_t b) { return low_[a] < low_[b]; });
}

void BranchSplits::add_edge(std::uint32_t a, std::uint32_t b, double length) {
  const auto edge = static_cast<std::uint32_t>(low_.size());
  low_.push_back(a);
  high_.push_back(b);
  length_.push_back(length);
  at_node_[a].push_back({b, edge});
  at_node_[b].push_back({a, edge});
}

/// Synthetic length (Gotoh 1995) of an edge and the subtree behind it, where `node` is the end of
/// the edge inside the subtree.
double BranchSplits::resistance(std::uint32_t node, std::uint32_t edge) const {
  return node == low_[edge] ? from_low_[edge] : from_high_[edge];
}

/// Computes from_low_ and from_high_ of all edges: once from the leaves to `root`, once back.
void BranchSplits::find_resistances(std::uint32_t root) {
  from_low_.assign(low_.size(), 0);
  from_high_.assign(low_.size(), 0);
  constexpr std::uint32_t kNoEdge = 0xffffffffu;
  std::vector<End> order = {{root, kNoEdge}};
  for (std::size_t k = 0; k < order.size(); ++k) {
    const End here = order[k];
    for (const End& next : at_node_[here.node]) {
      if (next.edge != here.edge) order.push_back(next);
    }
  }
  // The other two edges of the node in parallel, in series with the edge itself.
  const auto set = [&](std::uint32_t node, std::uint32_t edge) {
    double sides[2] = {0, 0};
    int count = 0;
    for (const End& next : at_node_[node]) {
      if (next.edge != edge) sides[count++] = resistance(next.node, next.edge);
    }
    const double behind = count == 2 ? parallel(sides[0], sides[1]) : 0;
    (node == low_[edge] ? from_low_ : from_high_)[edge] = behind + length_[edge];
  };
  for (std::size_t k = order.size(); k-- > 1;) set(order[k].node, order[k].edge);
  for (std::size_t k = 1; k < order.size(); ++k) {
    const std::uint32_t edge = order[k].edge;
    set(order[k].node == low_[edge] ? high_[edge] : low_[edge], edge);
  }
}

double BranchSplits::node_weight(std::uint32_t node, std::uint32_t edge) const {
  double sides[2] = {0, 0};
  int count = 0;
  for (const End& next : at_node_[node]) {
    if (next.edge != edge) sides[count++] = resistance(next.node, next.edge);
  }
  if (count < 2) return 1;
  const std::uint32_t other = node == low_[edge] ? high_[edge] : low_[edge];
  return three_way(sides[0], sides[1], resistance(other, edge));
}

/// Collects the leaves behind `node`, seen from `edge`, each with the product of the weights of the
/// edges on its path.
void BranchSplits::collect(std::uint32_t node, std::uint32_t edge,
                           std::vector<std::uint32_t>& leaves, std::vector<double>& weights) const {
  struct Place {
    std::uint32_t node, edge;
    double weight;
  };
  std::vector<Place> open = {{node, edge, 1.0}};
  while (!open.empty()) {
    const Place place = open.back();
    open.pop_back();
    if (place.node < leaves_) {
      leaves.push_back(place.node);
      weights[place.node] = place.weight;
      continue;
    }
    for (const End& next : at_node_[place.node]) {
      if (next.edge == place.edge) continue;
      open.push_back({next.node, next.edge, place.weight * weight_[next.edge]});
    }
  }
  std::sort(leaves.begin(), leaves.end());
}

BranchSplit BranchSplits::at(std::size_t k) const {
  const std::uint32_t edge = branches_[k];
  BranchSplit split;
  std::vector<double> weights(leaves_, 0.0);
  collect(low_[edge], edge, split.first, weights);
  collect(high_[edge], edge, split.second, weights);
  if (split.first.front() != 0) std::swap(split.first, split.second);
  split.weights.assign(leaves_, 0);
  scale_weights(weights, split.first, split.weights);
  scale_weights(weights, split.second, split.weights);
  return split;
}

}  // namespace accord
