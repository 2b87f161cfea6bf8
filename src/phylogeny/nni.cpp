// SPDX-License-Identifier: Apache-2.0
#include "phylogeny/nni.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include "phylogeny/regraft.hpp"

namespace accord {
namespace {

/// Interchanges that raise the logarithm by less are not worth a round.
constexpr double kLeastGain = 0.05;
constexpr int kMostRounds = 100;

/// Through all branches after the interchanges of a round.
constexpr int kSweeps = 1;

/// Joins with any numbers, in an order in which children come before parents.
TreeWithModel renumbered(TreeWithModel state) {
  const GuideTree& tree = state.tree;
  std::vector<std::uint32_t> order, path = {tree.nodes() - 1}, number(tree.nodes());
  while (!path.empty()) {  // parents before children; turned round below
    const std::uint32_t node = path.back();
    path.pop_back();
    number[node] = node;
    if (node < tree.leaves) continue;
    order.push_back(node);
    path.push_back(tree.left[node - tree.leaves]);
    path.push_back(tree.right[node - tree.leaves]);
  }
  std::reverse(order.begin(), order.end());
  for (std::uint32_t k = 0; k < order.size(); ++k) number[order[k]] = tree.leaves + k;
  TreeWithModel sorted = state;
  for (std::uint32_t node = 0; node < tree.nodes(); ++node) {
    sorted.lengths[number[node]] = state.lengths[node];
    if (node < tree.leaves) continue;
    sorted.tree.left[number[node] - tree.leaves] = number[tree.left[node - tree.leaves]];
    sorted.tree.right[number[node] - tree.leaves] = number[tree.right[node - tree.leaves]];
  }
  return sorted;
}

/// Lets two subtrees change places.
void swap_children(GuideTree& tree, const Interchange& interchange) {
  for (auto* children : {&tree.left, &tree.right}) {
    for (std::uint32_t& child : *children) {
      if (child == interchange.first) {
        child = interchange.second;
      } else if (child == interchange.second) {
        child = interchange.first;
      }
    }
  }
}

std::vector<std::uint32_t> parents_of(const GuideTree& tree) {
  std::vector<std::uint32_t> parent(tree.nodes(), tree.nodes() - 1);
  for (std::uint32_t join = 0; join < tree.left.size(); ++join) {
    parent[tree.left[join]] = parent[tree.right[join]] = tree.leaves + join;
  }
  return parent;
}

/// Those that raise the likelihood and have no node next to their branches in common, best first.
std::vector<FittedInterchange> choose(const LocalFit& found, const GuideTree& tree) {
  const std::vector<std::uint32_t> parent = parents_of(tree);
  std::vector<FittedInterchange> candidates = found.interchanges;
  std::erase_if(candidates, [&](const auto& c) { return !(c.total > found.total + kLeastGain); });
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const auto& a, const auto& b) { return a.total > b.total; });
  std::vector<bool> is_touched(tree.nodes(), false);
  std::vector<FittedInterchange> chosen;
  for (const FittedInterchange& candidate : candidates) {
    const auto [branch, first, second] = candidate.interchange;
    const std::uint32_t touched[] = {branch, parent[branch], first,
                                     second, parent[first],  parent[second]};
    if (std::any_of(std::begin(touched), std::end(touched),
                    [&](std::uint32_t node) { return is_touched[node]; })) {
      continue;
    }
    for (const std::uint32_t node : touched) is_touched[node] = true;
    chosen.push_back(candidate);
  }
  return chosen;
}

/// The tree after interchanges, with the lengths fitted for them.
TreeWithModel changed_by(TreeWithModel state, const std::vector<FittedInterchange>& chosen) {
  const std::uint32_t left = state.tree.left.back(), right = state.tree.right.back();
  std::vector<Interchange> interchanges;
  for (const FittedInterchange& one : chosen) {
    for (std::size_t k = 0; k < one.nodes.size(); ++k) {
      const bool is_at_root = one.nodes[k] == left;
      state.lengths[one.nodes[k]] = is_at_root ? one.lengths[k] / 2 : one.lengths[k];
      if (is_at_root) state.lengths[right] = one.lengths[k] / 2;
    }
    interchanges.push_back(one.interchange);
  }
  return interchanged(std::move(state), interchanges);
}

/// A tree that no interchange improves.
struct Climbed {
  TreeWithModel state;
  double total;
};

Climbed climb(const TreeWithModel& start, const SitePatterns& patterns, Scheduler& scheduler,
              const NniListener& on_round) {
  TreeWithModel best = start;
  LocalFit found = fit_locally(best, patterns, kSweeps, {.interchanges = true}, scheduler);
  for (int round = 0; round < kMostRounds; ++round) {
    best.lengths = found.lengths;
    if (on_round) on_round(best, found.total);
    std::vector<FittedInterchange> chosen = choose(found, best.tree);
    bool is_better = false;
    while (!chosen.empty() && !is_better) {
      TreeWithModel changed = changed_by(best, chosen);
      LocalFit next = fit_locally(changed, patterns, kSweeps, {.interchanges = true}, scheduler);
      is_better = next.total > found.total;
      if (is_better) {
        best = std::move(changed);
        found = std::move(next);
      }
      chosen.resize(chosen.size() / 2);
    }
    if (!is_better) break;
  }
  return {std::move(best), found.total};
}

/// Those that raise the likelihood and have no node in common, best first. The same move can be
/// found for several subtrees.
std::vector<Regraft> choose(std::vector<Regraft> candidates, const GuideTree& tree) {
  std::erase_if(candidates, [](const Regraft& c) { return !(c.gain > kLeastGain); });
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const Regraft& a, const Regraft& b) { return a.gain > b.gain; });
  std::vector<bool> is_touched(tree.nodes(), false);
  std::vector<Regraft> chosen;
  for (const Regraft& candidate : candidates) {
    const std::uint32_t touched[] = {candidate.node, candidate.subtree, candidate.sides[0],
                                     candidate.sides[1]};
    if (std::any_of(std::begin(touched), std::end(touched),
                    [&](std::uint32_t node) { return is_touched[node]; })) {
      continue;
    }
    for (const std::uint32_t node : touched) is_touched[node] = true;
    chosen.push_back(candidate);
  }
  return chosen;
}

/// A tree that no regraft within the radius improves, interchanges made after each round of them.
Climbed regraft_on(Climbed best, const SitePatterns& patterns, std::uint32_t radius,
                   Scheduler& scheduler, const NniListener& on_round) {
  for (int round = 0; round < kMostRounds; ++round) {
    const LocalFit found =
        fit_locally(best.state, patterns, 0, {.regraft_radius = radius}, scheduler);
    std::vector<Regraft> chosen = choose(found.regrafts, best.state.tree);
    bool is_better = false;
    while (!chosen.empty() && !is_better) {
      Climbed next = climb(regrafted(best.state, chosen), patterns, scheduler, {});
      is_better = next.total > best.total + kLeastGain;
      if (is_better) best = std::move(next);
      chosen.resize(chosen.size() / 2);
    }
    if (!is_better) break;
    if (on_round) on_round(best.state, best.total);
  }
  return best;
}

}  // namespace

TreeWithModel interchanged(TreeWithModel state, std::span<const Interchange> interchanges) {
  for (const Interchange& interchange : interchanges) swap_children(state.tree, interchange);
  return renumbered(std::move(state));
}

FitResult improve_topology(std::span<const TreeWithModel> starts, const SitePatterns& patterns,
                           FitTarget target, std::uint32_t regraft_radius, Scheduler& scheduler,
                           const NniListener& on_round) {
  if (starts.front().tree.leaves < 4) return fit(starts.front(), patterns, target, scheduler);
  std::optional<Climbed> best;
  for (const TreeWithModel& start : starts) {
    Climbed reached = climb(start, patterns, scheduler, on_round);
    if (!best || reached.total > best->total) best = std::move(reached);
  }
  if (regraft_radius > 0) {
    best = regraft_on(std::move(*best), patterns, regraft_radius, scheduler, on_round);
  }
  return fit(best->state, patterns, target, scheduler);
}

}  // namespace accord
