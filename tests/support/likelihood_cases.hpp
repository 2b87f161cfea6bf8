// SPDX-License-Identifier: Apache-2.0
// Random trees and alignments for the tests of the likelihood.
#pragma once
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "phylogeny/fit.hpp"
#include "phylogeny/likelihood/likelihood_call.hpp"
#include "phylogeny/model.hpp"

namespace accord::testing {

/// A tree of random shape; its root joins the last two clusters.
inline GuideTree random_tree(std::uint32_t leaves, std::mt19937& random) {
  GuideTree tree;
  tree.leaves = leaves;
  std::vector<std::uint32_t> open;
  for (std::uint32_t x = 0; x < leaves; ++x) open.push_back(x);
  const auto take = [&] {
    const std::size_t at = random() % open.size();
    const std::uint32_t node = open[at];
    open.erase(open.begin() + static_cast<std::ptrdiff_t>(at));
    return node;
  };
  while (open.size() > 1) {
    tree.left.push_back(take());
    tree.right.push_back(take());
    open.push_back(tree.leaves + static_cast<std::uint32_t>(tree.left.size()) - 1);
  }
  tree.length.assign(tree.nodes(), 0.0f);
  return tree;
}

inline std::vector<double> random_lengths(const GuideTree& tree, std::mt19937& random,
                                          double longest = 0.5) {
  std::uniform_real_distribution<double> length(0.01, longest);
  std::vector<double> lengths;
  for (std::uint32_t node = 0; node < tree.nodes(); ++node) lengths.push_back(length(random));
  lengths.back() = 0;
  return lengths;
}

/// Patterns in which neighbouring tips are mostly alike; one code in ten is ambiguous or a gap.
inline SitePatterns random_patterns(std::uint32_t states, std::uint32_t tips, std::size_t count,
                                    std::mt19937& random) {
  SitePatterns patterns;
  patterns.states = states;
  patterns.tips = tips;
  for (std::uint32_t s = 0; s < states; ++s) patterns.symbols.push_back(std::uint64_t{1} << s);
  patterns.symbols.push_back(~std::uint64_t{0} >> (64 - states));
  patterns.symbols.push_back(0b1010);
  for (std::size_t c = 0; c < count; ++c) patterns.weights.push_back(1 + random() % 4);
  patterns.codes.assign(tips * patterns.stride(), 0);
  for (std::size_t c = 0; c < count; ++c) {
    auto state = static_cast<std::uint8_t>(random() % states);
    for (std::size_t tip = 0; tip < tips; ++tip) {
      if (random() % 4 == 0) state = static_cast<std::uint8_t>(random() % states);
      const auto odd = static_cast<std::uint8_t>(states + random() % 2);
      patterns.codes[tip * patterns.stride() + c] = random() % 10 == 0 ? odd : state;
    }
  }
  return patterns;
}

/// A tree with a model, everything random but the model.
struct LikelihoodCase {
  TreeWithModel state;
  SitePatterns patterns;
  SubstitutionProcess process;

  LikelihoodCase(const std::string& model, std::uint32_t tips, std::size_t count,
                 std::mt19937& random, double longest = 0.5) {
    state.tree = random_tree(tips, random);
    state.lengths = random_lengths(state.tree, random, longest);
    state.model = parse_model(model);
    state.values = state.model.values();
    patterns = random_patterns(state_count(state.model.states), tips, count, random);
    state.frequencies = frequencies_of(state.model, patterns);
    process = state.process();
  }

  LikelihoodTask task(bool derivatives = false) const {
    return {patterns, process, state.tree, state.lengths, derivatives};
  }
};

}  // namespace accord::testing
