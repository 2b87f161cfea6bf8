// SPDX-License-Identifier: Apache-2.0
#include "method/sequence_weights.hpp"

#include <algorithm>
#include <numeric>

#include "base/portable_math.hpp"

namespace accord {
namespace {

/// For each leaf, the sum of branch length / leaves below it, over the branches up to the root.
std::vector<double> branch_shares(const GuideTree& tree) {
  const std::size_t joins = tree.left.size();
  std::vector<double> leaves_below(tree.nodes(), 1.0);
  for (std::size_t k = 0; k < joins; ++k) {
    leaves_below[tree.leaves + k] = leaves_below[tree.left[k]] + leaves_below[tree.right[k]];
  }
  // From the root downwards, each node is visited once. Walking up from every leaf would cost N^2 /
  // 2 steps in a chain-like tree.
  std::vector<double> share(tree.nodes(), 0.0);
  for (std::size_t k = joins; k-- > 0;) {
    for (const std::uint32_t child : {tree.left[k], tree.right[k]}) {
      share[child] = share[tree.leaves + k] + tree.length[child] / leaves_below[child];
    }
  }
  share.resize(tree.leaves);
  return share;
}

}  // namespace

std::vector<std::uint32_t> integer_sequence_weights(const GuideTree& tree,
                                                    const WeightParams& params) {
  const auto total = static_cast<std::uint64_t>(params.total);
  const double scale = params.total / 10.0;
  std::vector<std::uint64_t> parts;  // of 1 / scale; hundredths for a total of 1000
  for (const double share : branch_shares(tree)) {
    const double counted = share > 0 ? portable_pow(share, params.exponent) : 0;
    parts.push_back(static_cast<std::uint64_t>(scale * counted));
  }
  std::uint64_t sum = std::accumulate(parts.begin(), parts.end(), std::uint64_t{0});
  if (sum == 0) {
    std::fill(parts.begin(), parts.end(), 1u);
    sum = parts.size();
  }
  std::vector<std::uint32_t> weights;
  weights.reserve(parts.size());
  for (const std::uint64_t part : parts) {
    weights.push_back(static_cast<std::uint32_t>(std::max<std::uint64_t>(1, total * part / sum)));
  }
  return weights;
}

std::vector<float> sequence_weights(const GuideTree& tree, const WeightParams& params) {
  const std::vector<std::uint32_t> weights = integer_sequence_weights(tree, params);
  return std::vector<float>(weights.begin(), weights.end());
}

}  // namespace accord
