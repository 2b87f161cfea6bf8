// SPDX-License-Identifier: Apache-2.0
#include "accord/likelihood/nni.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace accord {
namespace {

/// Interchanges that raise the logarithm by less are not worth a fit.
constexpr double kLeastGain = 0.05;
constexpr int kMostRounds = 100;

/// The branch in the middle of an interchange is tried as it is; and if it is longer than the mean
/// branch with this part of its length, else with that of the mean: a wrong branch is often fitted
/// to nothing, and the right one in its place is not.
constexpr double kShorter = 0.2;

/// Candidates whose matrices are held at the same time.
constexpr std::size_t kMostTasks = 64;

/// What an interchange is expected to bring.
struct Candidate {
  Interchange interchange;
  double total = 0;   ///< the logarithm of the likelihood
  double length = 0;  ///< of the branch in the middle
};

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

/// The interchanges with what they bring if lengths stay, but for the branch in the middle.
std::vector<Candidate> try_interchanges(const TreeWithModel& state, const SitePatterns& patterns,
                                        Scheduler& scheduler) {
  std::vector<Candidate> candidates;
  const double mean = std::accumulate(state.lengths.begin(), state.lengths.end(), 0.0) /
                      static_cast<double>(state.lengths.size());
  for (const Interchange& interchange : interchanges_of(state.tree)) {
    const double length = state.lengths[interchange.branch];
    candidates.push_back({interchange, 0, length});
    candidates.push_back({interchange, 0, length < mean ? mean : kShorter * length});
  }
  const SubstitutionProcess process = state.process();
  for (std::size_t first = 0; first < candidates.size(); first += kMostTasks) {
    const std::size_t last = std::min(candidates.size(), first + kMostTasks);
    std::vector<TreeWithModel> trees;
    for (std::size_t k = first; k < last; ++k) {
      TreeWithModel tried = state;
      tried.lengths[candidates[k].interchange.branch] = candidates[k].length;
      trees.push_back(interchanged(tried, candidates[k].interchange));
    }
    std::vector<LikelihoodTask> tasks;
    for (const TreeWithModel& tree : trees) {
      tasks.push_back({patterns, process, tree.tree, tree.lengths});
    }
    LikelihoodRequest request(tasks);
    StageRequest* const requests[] = {&request};
    scheduler.run(requests);
    const std::vector<Likelihood> found = request.result();
    for (std::size_t k = first; k < last; ++k) candidates[k].total = found[k - first].total;
  }
  return candidates;
}

/// Those that raise the likelihood and have no node next to their branches in common, best first.
std::vector<Candidate> choose(std::vector<Candidate> candidates, const GuideTree& tree,
                              double total) {
  const std::vector<std::uint32_t> parent = parents_of(tree);
  std::erase_if(candidates, [&](const Candidate& c) { return !(c.total > total + kLeastGain); });
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const Candidate& a, const Candidate& b) { return a.total > b.total; });
  std::vector<bool> is_touched(tree.nodes(), false);
  std::vector<Candidate> chosen;
  for (const Candidate& candidate : candidates) {
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

}  // namespace

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

TreeWithModel interchanged(const TreeWithModel& state, const Interchange& interchange) {
  TreeWithModel changed = state;
  swap_children(changed.tree, interchange);
  return renumbered(std::move(changed));
}

FitResult improve_topology(FitResult start, const SitePatterns& patterns, FitTarget target,
                           Scheduler& scheduler) {
  FitResult best = std::move(start);
  for (int round = 0; round < kMostRounds; ++round) {
    std::vector<Candidate> chosen = choose(try_interchanges(best.fitted, patterns, scheduler),
                                           best.fitted.tree, best.likelihood.total);
    bool is_better = false;
    while (!chosen.empty() && !is_better) {
      TreeWithModel changed = best.fitted;
      for (const Candidate& candidate : chosen) {
        changed.lengths[candidate.interchange.branch] = candidate.length;
        swap_children(changed.tree, candidate.interchange);
      }
      FitResult found =
          fit(renumbered(std::move(changed)), patterns, FitTarget::lengths, scheduler, kCoarseGain);
      found.evaluations += best.evaluations;
      is_better = found.likelihood.total > best.likelihood.total + kLeastGain;
      best.evaluations = found.evaluations;
      if (is_better) best = std::move(found);
      chosen.resize(chosen.size() / 2);
    }
    if (!is_better) break;
  }
  return fit(best.fitted, patterns, target, scheduler);
}

}  // namespace accord
