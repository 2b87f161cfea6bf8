// SPDX-License-Identifier: Apache-2.0
#include "method/large/subsets.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <numeric>
#include <utility>

#include "base/parallel.hpp"
#include "core/distance_matrix.hpp"
#include "core/pair_set.hpp"
#include "method/family_posteriors.hpp"
#include "method/large/attached_tree.hpp"
#include "method/large/common_subsequence.hpp"
#include "method/large/representatives.hpp"
#include "method/upgma.hpp"
#include "stages/posteriors/expected_accuracy.hpp"

namespace accord {
namespace {

/// The distances of sequences by their common subsequences.
DistanceMatrix similarity_distances(const SequenceSet& set, std::span<const std::uint32_t> among) {
  DistanceMatrix distances(among.size());
  std::vector<std::vector<std::uint64_t>> states(static_cast<std::size_t>(thread_count()));
  parallel_for(among.size(), [&](std::size_t k, int thread) {
    const CommonSubsequence pattern(set.coded().codes(among[k]), symbol_count(set.type()));
    for (std::size_t l = k + 1; l < among.size(); ++l) {
      const std::span<const std::uint8_t> codes = set.coded().codes(among[l]);
      const std::uint32_t common = pattern.with(codes, states[static_cast<std::size_t>(thread)]);
      const double similarity =
          similarity_of(common, pattern.length(), static_cast<std::uint32_t>(codes.size()));
      distances.set(k, l, static_cast<float>(1 - similarity));
    }
  });
  return distances;
}

/// A tree that is being cut into parts.
class Cutting {
 public:
  Cutting(const GuideTree& tree, std::size_t most, std::span<const std::uint32_t> weights)
      : tree_(tree), most_(most), parent_(tree.nodes(), kNoNode), count_(tree.nodes(), 1) {
    std::ranges::copy(weights, count_.begin());
    for (std::uint32_t k = 0; k < tree.left.size(); ++k) {
      const std::uint32_t node = tree.leaves + k;
      count_[node] = count_[tree.left[k]] + count_[tree.right[k]];
      parent_[tree.left[k]] = parent_[tree.right[k]] = node;
    }
  }

  /// Divides the part below `root` until its pieces are small enough. Returns their roots.
  std::vector<std::uint32_t> cut(std::uint32_t root) {
    std::vector<std::uint32_t> open = {root}, roots;
    while (!open.empty()) {
      const std::uint32_t top = open.back();
      if (count_[top] <= most_ || top < tree_.leaves) {
        roots.push_back(top);
        open.pop_back();
        continue;
      }
      const std::uint32_t below = middle_of(top);
      for (std::uint32_t node = below; node != top;) {
        node = parent_[node];
        count_[node] -= count_[below];
      }
      parent_[below] = kNoNode;
      open.push_back(below);
    }
    return roots;
  }

  /// The leaves of the piece below `root`, increasing.
  std::vector<std::uint32_t> leaves_of(std::uint32_t root) const {
    std::vector<std::uint32_t> leaves, open = {root};
    while (!open.empty()) {
      const std::uint32_t node = open.back();
      open.pop_back();
      if (node < tree_.leaves) {
        leaves.push_back(node);
        continue;
      }
      for (const std::uint32_t child : children(node)) {
        if (parent_[child] == node) open.push_back(child);
      }
    }
    std::ranges::sort(leaves);
    return leaves;
  }

 private:
  static constexpr std::uint32_t kNoNode = 0xffffffffu;

  std::array<std::uint32_t, 2> children(std::uint32_t node) const {
    return {tree_.left[node - tree_.leaves], tree_.right[node - tree_.leaves]};
  }

  /// The node below which a cut divides a piece most evenly.
  std::uint32_t middle_of(std::uint32_t top) const {
    std::uint32_t node = top, best = top, best_smaller = 0;
    while (node >= tree_.leaves) {
      std::uint32_t heavy = kNoNode;
      for (const std::uint32_t child : children(node)) {
        if (parent_[child] != node) continue;
        if (heavy == kNoNode || count_[child] > count_[heavy]) heavy = child;
      }
      const std::uint32_t smaller = std::min(count_[heavy], count_[top] - count_[heavy]);
      if (smaller > best_smaller) {
        best = heavy;
        best_smaller = smaller;
      }
      if (2 * count_[heavy] <= count_[top]) break;
      node = heavy;
    }
    return best;
  }

  const GuideTree& tree_;
  const std::size_t most_;
  std::vector<std::uint32_t> parent_;  // [node]; kNoNode above a cut
  std::vector<std::uint32_t> count_;   // [node]: weight of its piece below it
};

/// Groups of near relatives, each with at most `most` members: canonical indices, increasing.
std::vector<std::vector<std::uint32_t>> near_groups(const SequenceSet& set,
                                                    std::span<const std::uint32_t> among,
                                                    std::size_t most) {
  std::vector<std::vector<std::uint32_t>> groups;
  for (std::vector<std::uint32_t>& clade : clades_of_tree(similarity_tree(set, among), kGroups)) {
    for (std::uint32_t& x : clade) x = among[x];
    if (clade.size() <= most) {
      groups.push_back(std::move(clade));
      continue;
    }
    for (std::vector<std::uint32_t>& part : parts_of_tree(similarity_tree(set, clade), most)) {
      for (std::uint32_t& x : part) x = clade[x];
      groups.push_back(std::move(part));
    }
  }
  return groups;
}

/// The mean distances of parts, each with some groups of these sizes.
DistanceMatrix distances_of_parts(const DistanceMatrix& distances,
                                  const std::vector<std::vector<std::uint32_t>>& parts,
                                  std::span<const std::uint32_t> sizes) {
  DistanceMatrix result(parts.size());
  for (std::size_t p = 0; p < parts.size(); ++p) {
    for (std::size_t q = p + 1; q < parts.size(); ++q) {
      double sum = 0, pairs = 0;
      for (const std::uint32_t x : parts[p]) {
        for (const std::uint32_t y : parts[q]) {
          const double count = static_cast<double>(sizes[x]) * sizes[y];
          sum += count * static_cast<double>(distances.at(x, y));
          pairs += count;
        }
      }
      result.set(p, q, static_cast<float>(sum / pairs));
    }
  }
  return result;
}

}  // namespace

GuideTree similarity_tree(const SequenceSet& set, std::span<const std::uint32_t> among) {
  if (among.size() <= kTreeSequences) return upgma(similarity_distances(set, among));
  const std::vector<std::uint32_t> sample = select_representatives(set, among, kTreeSequences);
  std::vector<std::uint32_t> others;
  std::ranges::set_difference(among, sample, std::back_inserter(others));
  const NearestMembers nearest = nearest_members(set, others, sample, 1, nullptr);
  const auto leaf_of = [&](std::uint32_t x) {
    return static_cast<std::uint32_t>(std::ranges::lower_bound(among, x) - among.begin());
  };
  std::vector<std::uint32_t> members;
  for (const std::uint32_t x : sample) members.push_back(leaf_of(x));
  std::vector<Attachment> attachments(others.size());
  std::vector<std::vector<std::uint64_t>> states(static_cast<std::size_t>(thread_count()));
  parallel_for(others.size(), [&](std::size_t k, int thread) {
    const std::uint32_t place = nearest.of(k).front();
    const CommonSubsequence pattern(set.coded().codes(others[k]), symbol_count(set.type()));
    const std::uint32_t common =
        pattern.with(set.coded().codes(sample[place]), states[static_cast<std::size_t>(thread)]);
    const double similarity = similarity_of(common, pattern.length(), set.length(sample[place]));
    attachments[k] = {leaf_of(others[k]), place, static_cast<float>(1 - similarity)};
  });
  return attached_tree(upgma(similarity_distances(set, sample)), members, std::move(attachments),
                       among.size());
}

std::vector<std::vector<std::uint32_t>> clades_of_tree(const GuideTree& tree, std::size_t count) {
  const GuideTree lengths = with_branch_lengths(tree);
  std::vector<double> height(tree.nodes(), 0.0);
  std::vector<std::uint32_t> joins;
  for (std::uint32_t k = 0; k < tree.left.size(); ++k) {
    const std::uint32_t node = tree.leaves + k;
    for (const std::uint32_t child : {tree.left[k], tree.right[k]}) {
      height[node] = std::max(height[node], height[child] + lengths.length[child]);
    }
    joins.push_back(node);
  }
  std::ranges::sort(joins, [&height](std::uint32_t a, std::uint32_t b) {
    return height[a] != height[b] ? height[a] > height[b] : a > b;
  });
  joins.resize(std::min(joins.size(), std::max<std::size_t>(count, 1) - 1));
  std::vector<bool> is_cut(tree.nodes(), false);
  for (const std::uint32_t node : joins) is_cut[node] = true;
  // From the root on, each node knows the highest node of its clade.
  std::vector<std::uint32_t> clade(tree.nodes());
  std::iota(clade.begin(), clade.end(), 0u);
  for (std::size_t k = tree.left.size(); k-- > 0;) {
    const auto node = static_cast<std::uint32_t>(tree.leaves + k);
    if (!is_cut[node]) clade[tree.left[k]] = clade[tree.right[k]] = clade[node];
  }
  std::vector<std::vector<std::uint32_t>> clades(tree.nodes());
  for (std::uint32_t leaf = 0; leaf < tree.leaves; ++leaf) clades[clade[leaf]].push_back(leaf);
  std::erase_if(clades, [](const std::vector<std::uint32_t>& leaves) { return leaves.empty(); });
  std::ranges::sort(clades);
  return clades;
}

std::vector<std::vector<std::uint32_t>> parts_of_tree(const GuideTree& tree, std::size_t most,
                                                      std::span<const std::uint32_t> weights) {
  if (tree.leaves == 0) return {};
  Cutting cutting(tree, most, weights);
  std::vector<std::vector<std::uint32_t>> parts;
  for (const std::uint32_t root : cutting.cut(tree.nodes() - 1)) {
    parts.push_back(cutting.leaves_of(root));
  }
  std::ranges::sort(parts);
  return parts;
}

DistanceMatrix group_distances(const SequenceSet& set,
                               const std::vector<std::vector<std::uint32_t>>& groups,
                               const AlignSettings& settings, Scheduler& scheduler,
                               ProgressListener* progress) {
  const std::size_t n = groups.size();
  const std::size_t each = std::max<std::size_t>(1, kGroupRows / std::max<std::size_t>(1, n));
  std::vector<std::uint32_t> all, group_of(set.size(), 0);
  std::vector<double> size;
  for (std::uint32_t p = 0; p < n; ++p) {
    const std::vector<std::uint32_t> some = select_representatives(set, groups[p], each);
    for (const std::uint32_t x : some) group_of[x] = p;
    all.insert(all.end(), some.begin(), some.end());
    size.push_back(static_cast<double>(some.size()));
  }
  std::ranges::sort(all);
  std::vector<PairIndex> wanted;
  for (std::size_t k = 0; k < all.size(); ++k) {
    for (std::size_t l = 0; l < k; ++l) {
      if (group_of[all[l]] != group_of[all[k]]) wanted.push_back({all[l], all[k]});
    }
  }
  const PairSet pairs = PairSet::listed(set.size(), std::move(wanted));
  std::vector<float> distance(pairs.size(), 1.0f);
  const auto keep = [&](std::uint32_t x, std::uint32_t y, const PairPosterior& pair) {
    distance[pairs.number(x, y)] = pair.distance();
  };
  for_each_posterior({set, settings.parameters}, pairs, scheduler, keep, progress);
  std::vector<double> sums(n * n, 0.0);
  for (std::size_t number = 0; number < pairs.size(); ++number) {
    const auto [p, q] = std::minmax(group_of[pairs[number].x], group_of[pairs[number].y]);
    sums[p * n + q] += distance[number];
  }
  DistanceMatrix distances(n);
  for (std::size_t p = 0; p < n; ++p) {
    for (std::size_t q = p + 1; q < n; ++q) {
      distances.set(p, q, static_cast<float>(sums[p * n + q] / (size[p] * size[q])));
    }
  }
  return distances;
}

Subsets choose_subsets(const SequenceSet& set, std::span<const std::uint32_t> among,
                       std::size_t most, const AlignSettings& settings, Scheduler& scheduler,
                       ProgressListener* progress) {
  const std::vector<std::vector<std::uint32_t>> groups = near_groups(set, among, most);
  std::vector<std::uint32_t> sizes;
  for (const std::vector<std::uint32_t>& group : groups) {
    sizes.push_back(static_cast<std::uint32_t>(group.size()));
  }
  const DistanceMatrix distances = group_distances(set, groups, settings, scheduler, progress);
  const std::vector<std::vector<std::uint32_t>> parts =
      parts_of_tree(upgma(distances), most, sizes);
  Subsets result;
  for (const std::vector<std::uint32_t>& part : parts) {
    std::vector<std::uint32_t>& members = result.members.emplace_back();
    for (const std::uint32_t p : part) {
      members.insert(members.end(), groups[p].begin(), groups[p].end());
    }
    std::ranges::sort(members);
  }
  result.tree = upgma(distances_of_parts(distances, parts, sizes));
  return result;
}

}  // namespace accord
