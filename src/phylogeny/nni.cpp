// SPDX-License-Identifier: Apache-2.0
#include "phylogeny/nni.hpp"

#include <algorithm>
#include <cstddef>
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

/// Interchanges are tried again at nodes at most this number of branches away from changed nodes.
constexpr std::uint32_t kRefittedAround = 1;

NodeMarks either(NodeMarks a, const NodeMarks& b) {
  for (std::size_t node = 0; node < a.size(); ++node) a[node] |= b[node];
  return a;
}

/// Joins with any numbers, in an order in which children come before parents.
TreeWithModel sorted(TreeWithModel state, std::vector<std::uint32_t>& number) {
  const GuideTree& tree = state.tree;
  std::vector<std::uint32_t> order, path = {tree.nodes() - 1};
  number.resize(tree.nodes());
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
  TreeWithModel found = state;
  for (std::uint32_t node = 0; node < tree.nodes(); ++node) {
    found.lengths[number[node]] = state.lengths[node];
    if (node < tree.leaves) continue;
    found.tree.left[number[node] - tree.leaves] = number[tree.left[node - tree.leaves]];
    found.tree.right[number[node] - tree.leaves] = number[tree.right[node - tree.leaves]];
  }
  return found;
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

/// Chooses interchanges that raise the likelihood, the best first. No node is next to the branches
/// of two of them.
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

/// A tree, and where its shape was changed on the way to it.
struct ChangedTree {
  TreeWithModel state;
  NodeMarks changed;   ///< from a first tree on
  NodeMarks is_tried;  ///< where interchanges may help since the last round
};

/// Moves marks to the new numbers of the nodes: the old node n has the new number `number[n]`. The
/// new numbers are those of the old nodes in another order.
NodeMarks renumbered(const NodeMarks& marks, const std::vector<std::uint32_t>& number) {
  NodeMarks moved(marks.size(), 0);
  for (std::size_t node = 0; node < marks.size(); ++node) moved[number[node]] = marks[node];
  return moved;
}

/// The tree after interchanges, with the lengths fitted for them.
ChangedTree changed_by(ChangedTree from, const LocalFit& found,
                       const std::vector<FittedInterchange>& chosen) {
  TreeWithModel state = std::move(from.state);
  const std::uint32_t left = state.tree.left.back(), right = state.tree.right.back();
  NodeMarks made(state.tree.nodes(), 0), other = made;
  for (const FittedInterchange& one : found.interchanges) {
    if (one.total > found.total + kLeastGain) other[one.interchange.branch] = 1;
  }
  std::vector<Interchange> interchanges;
  for (const FittedInterchange& one : chosen) {
    for (std::size_t k = 0; k < one.nodes.size(); ++k) {
      const bool is_at_root = one.nodes[k] == left;
      state.lengths[one.nodes[k]] = is_at_root ? one.lengths[k] / 2 : one.lengths[k];
      if (is_at_root) state.lengths[right] = one.lengths[k] / 2;
      made[one.nodes[k]] = 1;
    }
    interchanges.push_back(one.interchange);
  }
  std::vector<std::uint32_t> number;
  state = interchanged(std::move(state), interchanges, &number);
  made = nodes_near(state.tree, renumbered(made, number), kRefittedAround);
  return {std::move(state), either(renumbered(from.changed, number), made),
          either(renumbered(other, number), made)};
}

/// A tree that no interchange improves.
struct Climbed {
  TreeWithModel state;
  double total;
  NodeMarks changed;  ///< where it has another shape than the first tree
};

Climbed climb(ChangedTree best, const SitePatterns& patterns, Scheduler& scheduler,
              const NniListener& on_round) {
  const auto fitted = [&](const ChangedTree& tree) {
    return fit_locally(tree.state, patterns, kSweeps,
                       {.interchanges = true, .is_tried = tree.is_tried}, scheduler);
  };
  LocalFit found = fitted(best);
  for (int round = 0; round < kMostRounds; ++round) {
    best.state.lengths = found.lengths;
    if (on_round) on_round(best.state, found.total);
    std::vector<FittedInterchange> chosen = choose(found, best.state.tree);
    bool is_better = false;
    while (!chosen.empty() && !is_better) {
      ChangedTree next = changed_by(best, found, chosen);
      LocalFit next_found = fitted(next);
      is_better = next_found.total > found.total;
      if (is_better) {
        best = std::move(next);
        found = std::move(next_found);
      }
      chosen.resize(chosen.size() / 2);
    }
    if (is_better) continue;
    const NodeMarks all(best.is_tried.size(), 1);
    if (best.is_tried == all) break;
    best.is_tried = all;
    found = fitted(best);
  }
  return {std::move(best.state), found.total, std::move(best.changed)};
}

/// The same for a tree whose interchanges were not tried before.
Climbed climb(const TreeWithModel& start, const SitePatterns& patterns, Scheduler& scheduler,
              const NniListener& on_round) {
  const NodeMarks none(start.tree.nodes(), 0), all(start.tree.nodes(), 1);
  return climb({start, none, all}, patterns, scheduler, on_round);
}

/// Chooses regrafts that raise the likelihood and share no node; best first. The same move can be
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

/// The tree after regrafts, of all that were found.
ChangedTree changed_by(const TreeWithModel& from, const std::vector<Regraft>& found,
                       const std::vector<Regraft>& chosen) {
  NodeMarks made(from.tree.nodes(), 0), other = made;
  for (const Regraft& one : found) other[one.node] |= one.gain > kLeastGain;
  for (const Regraft& one : chosen) made[one.node] = made[one.sides[0]] = made[one.sides[1]] = 1;
  made = nodes_near(from.tree, made, 1);  // those that it has left, too
  std::vector<std::uint32_t> number;
  TreeWithModel state = regrafted(from, chosen, &number);
  made = nodes_near(state.tree, renumbered(made, number), kRefittedAround);
  return {std::move(state), either(renumbered(other, number), made), made};
}

/// A tree that no regraft within the radius improves, interchanges made after each round of them.
Climbed regraft_on(Climbed best, const SitePatterns& patterns, std::uint32_t radius,
                   Scheduler& scheduler, const NniListener& on_round) {
  NodeMarks is_tried;
  for (int round = 0; round < kMostRounds; ++round) {
    const LocalFit found = fit_locally(best.state, patterns, 0,
                                       {.regraft_radius = radius, .is_tried = is_tried}, scheduler);
    std::vector<Regraft> chosen = choose(found.regrafts, best.state.tree);
    bool is_better = false;
    while (!chosen.empty() && !is_better) {
      Climbed next = climb(changed_by(best.state, found.regrafts, chosen), patterns, scheduler, {});
      is_better = next.total > best.total + kLeastGain;
      if (is_better) best = std::move(next);
      chosen.resize(chosen.size() / 2);
    }
    if (!is_better) {
      if (is_tried.empty()) break;
      is_tried.clear();  // all nodes once more
      continue;
    }
    is_tried = nodes_near(best.state.tree, best.changed, radius);
    if (on_round) on_round(best.state, best.total);
  }
  return best;
}

}  // namespace

TreeWithModel interchanged(TreeWithModel state, std::span<const Interchange> interchanges,
                           std::vector<std::uint32_t>* number) {
  for (const Interchange& interchange : interchanges) swap_children(state.tree, interchange);
  std::vector<std::uint32_t> numbers;
  TreeWithModel changed = sorted(std::move(state), numbers);
  if (number != nullptr) *number = std::move(numbers);
  return changed;
}

FitResult improve_topology(std::span<const TreeWithModel> starts, const SitePatterns& patterns,
                           FitTarget target, std::uint32_t regraft_radius, Scheduler& scheduler,
                           const TopologyListeners& listeners) {
  const auto begin = [&](const char* stage) {
    if (listeners.on_stage) listeners.on_stage(stage);
  };
  if (starts.front().tree.leaves < 4) return fit(starts.front(), patterns, target, scheduler);
  std::optional<Climbed> best;
  for (const TreeWithModel& start : starts) {
    begin("interchanges");
    Climbed reached = climb(start, patterns, scheduler, listeners.on_round);
    if (!best || reached.total > best->total) best = std::move(reached);
  }
  if (regraft_radius > 0) {
    begin("regrafts");
    best = regraft_on(std::move(*best), patterns, regraft_radius, scheduler, listeners.on_round);
  }
  begin("fit");
  return fit(best->state, patterns, target, scheduler);
}

NodeMarks nodes_near(const GuideTree& tree, NodeMarks marks, std::uint32_t branches) {
  const std::uint32_t root = tree.nodes() - 1;
  const std::uint32_t left = tree.left.back(), right = tree.right.back();
  if (marks[root] != 0) marks[left] = marks[right] = 1;
  marks[root] = 0;
  for (std::uint32_t step = 0; step < branches; ++step) {
    NodeMarks wider = marks;
    const auto pass = [&](std::uint32_t a, std::uint32_t b) {
      wider[a] |= marks[b];
      wider[b] |= marks[a];
    };
    pass(left, right);
    for (std::uint32_t join = 0; join + 1 < tree.left.size(); ++join) {
      pass(tree.leaves + join, tree.left[join]);
      pass(tree.leaves + join, tree.right[join]);
    }
    marks = std::move(wider);
  }
  return marks;
}

}  // namespace accord
