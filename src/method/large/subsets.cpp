// SPDX-License-Identifier: Apache-2.0
#include "method/large/subsets.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <numeric>
#include <utility>

#include "base/parallel.hpp"
#include "core/distance_matrix.hpp"
#include "method/large/attached_tree.hpp"
#include "method/large/common_subsequence.hpp"
#include "method/large/representatives.hpp"
#include "method/upgma.hpp"

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
  Cutting(const GuideTree& tree, std::size_t most)
      : tree_(tree), most_(most), parent_(tree.nodes(), kNoNode), count_(tree.nodes(), 1) {
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
      if (count_[top] <= most_) {
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
  std::vector<std::uint32_t> count_;   // [node]: leaves of its piece below it
};

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

std::vector<std::vector<std::uint32_t>> parts_of_tree(const GuideTree& tree, std::size_t most) {
  if (tree.leaves == 0) return {};
  Cutting cutting(tree, most);
  std::vector<std::vector<std::uint32_t>> parts;
  for (const std::uint32_t root : cutting.cut(tree.nodes() - 1)) {
    parts.push_back(cutting.leaves_of(root));
  }
  std::ranges::sort(parts);
  return parts;
}

std::vector<std::vector<std::uint32_t>> choose_subsets(const SequenceSet& set,
                                                       std::span<const std::uint32_t> among,
                                                       std::size_t most) {
  std::vector<std::vector<std::uint32_t>> subsets =
      parts_of_tree(similarity_tree(set, among), most);
  for (std::vector<std::uint32_t>& subset : subsets) {
    for (std::uint32_t& x : subset) x = among[x];
  }
  return subsets;
}

}  // namespace accord
