// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "phylogeny/local_fit/local_fit.hpp"

namespace accord {

std::vector<Interchange> interchanges_of(const GuideTree& tree) {
  std::vector<Interchange> found;
  const std::uint32_t root = tree.nodes() - 1;
  const auto is_inner = [&](std::uint32_t node) { return node >= tree.leaves; };
  for (std::uint32_t join = 0; join < tree.left.size(); ++join) {
    const std::uint32_t node = tree.leaves + join;
    for (const bool on_left : {true, false}) {
      const std::uint32_t below = on_left ? tree.left[join] : tree.right[join];
      std::uint32_t sister = on_left ? tree.right[join] : tree.left[join];
      if (!is_inner(below)) continue;
      if (node == root) {
        // The two branches at the root are one; its other end is the sister.
        if (!on_left || !is_inner(sister)) continue;
        sister = tree.left[sister - tree.leaves];
      }
      for (const std::uint32_t child :
           {tree.left[below - tree.leaves], tree.right[below - tree.leaves]}) {
        found.push_back({below, child, sister});
      }
    }
  }
  return found;
}

double local_fit_bytes(const SitePatterns& patterns, std::size_t categories, int quartets,
                       std::uint32_t regraft_radius) {
  // Beside those of inner nodes: two messages of each level, another one, a tip and a meeting.
  constexpr double kOfQuartet = 13, kOfRegraft = 10, kOfDepth = 2, kOfBranch = 6;
  const double tips = patterns.tips;
  const double depth = std::min(regraft_radius, patterns.tips);
  const double shared =
      2 * std::min(tips, double{kPartialTreeLevels}) + 3 + (depth > 0 ? kOfBranch * tips : 0);
  const double each = std::max(kOfQuartet, depth > 0 ? kOfRegraft + kOfDepth * depth : 0);
  const double rows = patterns.states * static_cast<double>(categories);
  const double partials = static_cast<double>(patterns.stride()) * (8 * rows + 4);
  // Each message has the matrices of its branch, and regrafts those of all branches, whole and
  // half.
  const double matrices = 8 * rows * patterns.states;
  const double messages = shared + each * quartets;
  return partials * (2 * (tips - 1) + messages) +
         matrices * (messages + (depth > 0 ? 2 * (2 * tips - 2) : 0));
}

}  // namespace accord
