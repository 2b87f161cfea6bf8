// SPDX-License-Identifier: Apache-2.0
#include "phylogeny/likelihood/synthetic_likelihood.hpp"

#include "stages/posteriors/self_test_family.hpp"

namespace accord {
namespace {

/// Joins random pairs of nodes until one is left.
GuideTree random_topology(std::uint32_t tips, SelfTestNumbers& numbers) {
  GuideTree tree;
  tree.leaves = tips;
  std::vector<std::uint32_t> open;
  for (std::uint32_t tip = 0; tip < tips; ++tip) open.push_back(tip);
  for (std::uint32_t join = 0; join + 1 < tips; ++join) {
    for (std::vector<std::uint32_t>* children : {&tree.left, &tree.right}) {
      const std::uint32_t place = numbers.below(static_cast<std::uint32_t>(open.size()));
      children->push_back(open[place]);
      open.erase(open.begin() + place);
    }
    open.push_back(tips + join);
  }
  return tree;
}

}  // namespace

SyntheticLikelihood::SyntheticLikelihood(const SyntheticSizes& sizes, std::uint64_t seed) {
  SelfTestNumbers numbers(seed);
  const auto fraction = [&](double scale) { return scale * (1 + numbers.below(1000)) / 1000; };
  const std::uint32_t states = sizes.states;
  tree_ = random_topology(sizes.tips, numbers);
  for (std::uint32_t node = 0; node < tree_.nodes(); ++node) lengths_.push_back(fraction(1));
  patterns_.states = process_.states = states;
  patterns_.tips = sizes.tips;
  for (std::uint32_t s = 0; s < states; ++s) patterns_.symbols.push_back(std::uint64_t{1} << s);
  patterns_.symbols.push_back((std::uint64_t{1} << states) - 1);
  patterns_.symbols.push_back(5);
  patterns_.weights.assign(sizes.patterns, 2.0);
  patterns_.codes.resize(sizes.tips * patterns_.stride());
  for (auto& code : patterns_.codes) code = static_cast<std::uint8_t>(numbers.below(states + 2));
  for (std::uint32_t s = 0; s < states; ++s) {
    process_.frequencies.push_back(1.0 / states);
    process_.eigenvalues.push_back(-fraction(2));
    for (std::uint32_t j = 0; j < states; ++j) {
      process_.right.push_back(fraction(1e-3));
      process_.left.push_back(fraction(1) - 0.25);
    }
  }
  process_.invariant = sizes.invariant;
  for (std::uint32_t r = 0; r < sizes.categories; ++r) {
    process_.rates.push_back((r + 0.5) / sizes.categories * 2);
    process_.weights.push_back((1 - sizes.invariant) / sizes.categories);
  }
}

}  // namespace accord
