// SPDX-License-Identifier: Apache-2.0
#include "phylogeny/local_fit/best_regrafts.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include "base/parallel.hpp"

namespace accord::host {
namespace {

/// The messages of a tree over its branches, computed once for all subtrees that are tried in other
/// places. A message has the likelihoods of the nodes behind a branch, for each state at the near
/// end of the branch or at its middle.
class CrossedBranches {
 public:
  /// Computes all messages, on thread_count() threads. `tree`, the tree of `task` after
  /// fill_above(), must outlive this object and keep its lengths.
  CrossedBranches(const PartialArithmetic& arithmetic, const PartialTree& tree,
                  const LocalFitTask& task);

  /// The message of `node` and all nodes behind it over the whole branch to `from`. `from` is a
  /// neighbour of `node` and an inner node.
  const Partials& whole(std::uint32_t from, std::uint32_t node) const {
    return whole_[side(from, node)];
  }
  /// The same message at the middle of the branch.
  const Partials& half(std::uint32_t from, std::uint32_t node) const {
    return half_[side(from, node)];
  }
  /// The transition matrices of the branch between a and b, one for each category of rates, in
  /// columns; and those of half of the branch.
  const std::vector<double>& transitions(std::uint32_t a, std::uint32_t b) const {
    return transitions_[tree_.branch_between(a, b)];
  }
  const std::vector<double>& half_transitions(std::uint32_t a, std::uint32_t b) const {
    return half_transitions_[tree_.branch_between(a, b)];
  }
  /// The logarithm of the likelihood of the tree: for all patterns, or for those of one block of
  /// ACCORD_PATTERN_BLOCK patterns.
  double total() const { return total_; }
  double total(std::uint32_t block) const { return totals_[block]; }

 private:
  /// The index of a message. It is nodes_ + from if `node` is above `from`, else `node`. So on the
  /// root's branch, where neither is above the other, it is `node` in both directions.
  std::size_t side(std::uint32_t from, std::uint32_t node) const {
    return tree_.is_below(from, node) ? nodes_ + from : node;
  }

  const PartialTree& tree_;
  std::size_t nodes_;
  std::vector<Partials> whole_, half_;
  std::vector<std::vector<double>> transitions_, half_transitions_;  ///< by branch
  double total_;
  std::vector<double> totals_;
};

CrossedBranches::CrossedBranches(const PartialArithmetic& arithmetic, const PartialTree& tree,
                                 const LocalFitTask& task)
    : tree_(tree),
      nodes_(task.tree.nodes()),
      whole_(2 * nodes_),
      half_(2 * nodes_),
      transitions_(nodes_),
      half_transitions_(nodes_),
      totals_(arithmetic.blocks().size(), 0.0) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> sides;  // seen from an inner node
  for (std::uint32_t node = task.tree.leaves; node + 1 < task.tree.nodes(); ++node) {
    for (const std::uint32_t other : tree.around(node)) sides.emplace_back(node, other);
  }
  parallel_for(sides.size(), [&](std::size_t k, int) {
    const auto& [from, node] = sides[k];
    const BranchEnd end = tree.beyond(from, node);
    const double length = tree.length_between(from, node);
    arithmetic.cross(end, length, arithmetic.blocks(), whole_[side(from, node)]);
    arithmetic.cross(end, length / 2, arithmetic.blocks(), half_[side(from, node)]);
    const std::uint32_t branch = tree.branch_between(from, node);
    if (branch != node && node >= task.tree.leaves) return;  // the other side sets them
    transitions_[branch] = arithmetic.transitions(length);
    half_transitions_[branch] = arithmetic.transitions(length / 2);
  });
  std::vector<double> sites;
  total_ = tree.total(&sites);
  for (std::size_t c = 0; c < sites.size(); ++c) {
    if (task.patterns.weights[c] == 0) continue;
    totals_[c / ACCORD_PATTERN_BLOCK] += task.patterns.weights[c] * sites[c];
  }
}

/// The search does not go on beyond a place if the likelihood there, before any length is fitted,
/// is lower by more than this.
constexpr double kWorthPassing = 60;
/// Before the branch of the subtree is fitted, and before all three branches of the place are, its
/// likelihood must not be lower by more than this.
constexpr double kWorthFittingOne = 20, kWorthFittingAll = 5;
/// The number of places of a subtree at which all three branches are fitted, and the rounds of that
/// fit.
constexpr std::size_t kMostFitted = 2;
constexpr int kRounds = 2;

/// A place of a subtree: the nodes on the way to it, at last the two ends of its branch.
struct Place {
  std::vector<std::uint32_t> path;
  double total;  ///< with the branch of the subtree fitted
};

/// Working memory of a thread.
struct RegraftRoom {
  std::vector<Partials> arriving, leaving;  ///< at a node on the way, by the depth of the search
  Partials near, product, end;
  std::array<PartialArithmetic::Message, 3> messages;  ///< of the subtree and the two sides
  PartialArithmetic::Message other;
  std::array<Partials, 2> travelling;
  PartialArithmetic::Meeting meeting;
};

/// Tries the places of one subtree: all branches within the radius of where it is.
class RegraftSearch {
 public:
  RegraftSearch(const PartialArithmetic& arithmetic, const PartialTree& tree,
                const CrossedBranches& crossed, const LocalFitTask& task, RegraftRoom& room)
      : arithmetic_(arithmetic), tree_(tree), crossed_(crossed), task_(task), room_(room) {
    const std::size_t depths = std::min(task.regraft_radius, task.tree.leaves);
    room_.arriving.resize(depths);
    room_.leaving.resize(depths);
  }

  /// The subtree is what lies beyond the branch from `node`, which moves along, to `subtree`.
  std::optional<Regraft> best(std::uint32_t node, std::uint32_t subtree) {
    node_ = node;
    subtree_ = subtree;
    std::array<std::uint32_t, 2> sides{};
    std::size_t next = 0;
    for (const std::uint32_t other : tree_.around(node)) {
      if (other != subtree) sides[next++] = other;
    }
    joined_ = std::min(tree_.length_between(node, sides[0]) + tree_.length_between(node, sides[1]),
                       task_.longest);
    find_blocks(sides);
    for (int k = 0; k < 2 && !room_.arriving.empty(); ++k) {
      path_ = {node, sides[k]};
      arithmetic_.cross(tree_.beyond(node, sides[1 - k]), joined_, blocks_, room_.arriving[0]);
      go_beyond();
    }
    std::optional<Regraft> found;
    for (const Place& place : places_) {
      const Regraft fitted = fit_place(place.path);
      if (fitted.gain > (found ? found->gain : 0)) found = fitted;
    }
    return found;
  }

 private:
  /// Sets the blocks in which it matters where the subtree is.
  void find_blocks(const std::array<std::uint32_t, 2>& sides) {
    const BranchEnd moved = tree_.beyond(node_, subtree_), first = tree_.beyond(node_, sides[0]),
                    second = tree_.beyond(node_, sides[1]);
    for (const std::uint32_t block : arithmetic_.blocks()) {
      if (arithmetic_.is_empty(moved, block) ||
          (arithmetic_.is_empty(first, block) && arithmetic_.is_empty(second, block))) {
        continue;
      }
      blocks_.push_back(block);
      standing_ += crossed_.total(block);
    }
  }

  /// Tries the branches beyond the end of the path, depth first. arriving[0] is the message there.
  void go_beyond() {
    std::vector<int> tried(1, 0);  // [depth]: the number of tried branches of its node
    while (!tried.empty()) {
      const std::size_t depth = tried.size() - 1;
      const std::uint32_t from = path_[path_.size() - 2], node = path_.back();
      const int k = tried.back()++;
      if (k == 2 || node < task_.tree.leaves) {
        tried.pop_back();
        path_.pop_back();
        continue;
      }
      std::array<std::uint32_t, 2> next{};
      std::size_t count = 0;
      for (const std::uint32_t other : tree_.around(node)) {
        if (other != from) next[count++] = other;
      }
      Partials& leaving = room_.leaving[depth];
      arithmetic_.multiply(room_.arriving[depth], crossed_.whole(node, next[1 - k]), blocks_,
                           leaving);
      path_.push_back(next[k]);
      // The first branches belong to interchanges, which fit all five branches.
      const double loss = try_place(leaving, depth > 0);
      if (loss < kWorthPassing && depth + 1 < room_.arriving.size() &&
          next[k] >= task_.tree.leaves) {
        arithmetic_.cross(leaving, crossed_.transitions(node, next[k]), blocks_,
                          room_.arriving[depth + 1]);
        tried.push_back(0);
      } else {
        path_.pop_back();
      }
    }
  }

  /// The loss of the logarithm of the likelihood with the subtree in the middle of the branch at
  /// the end of the path. `leaving` is the message of the near end of that branch.
  double try_place(const Partials& leaving, bool may_fit) {
    const std::uint32_t node = path_[path_.size() - 2], next = path_.back();
    const Partials& moved = crossed_.whole(node_, subtree_);
    const Partials& far = crossed_.half(node, next);
    arithmetic_.cross(leaving, crossed_.half_transitions(node, next), blocks_, room_.near);
    const double loss = standing_ - arithmetic_.total(moved, room_.near, far, blocks_);
    if (!may_fit || loss > kWorthFittingOne) return loss;
    arithmetic_.multiply(room_.near, far, blocks_, room_.product);
    arithmetic_.finish(room_.product, blocks_, room_.end);
    arithmetic_.meet({&room_.end}, tree_.beyond(node_, subtree_), blocks_, room_.meeting);
    const double length =
        arithmetic_.best_length(room_.meeting, tree_.length_between(node_, subtree_));
    const double total = arithmetic_.total(room_.meeting, length);
    if (total > standing_ - kWorthFittingAll) keep({path_, total});
    return std::min(loss, standing_ - total);
  }

  /// Keeps the best places, those before others that are as good.
  void keep(Place place) {
    const auto after = std::find_if(places_.begin(), places_.end(),
                                    [&](const Place& kept) { return kept.total < place.total; });
    places_.insert(after, std::move(place));
    if (places_.size() > kMostFitted) places_.pop_back();
  }

  /// Fits the three branches of a place in all blocks; others keep their lengths.
  Regraft fit_place(const std::vector<std::uint32_t>& path) {
    const std::array<std::uint32_t, 2> sides = {path[path.size() - 2], path.back()};
    const BranchEnd near = end_before(path);
    const std::array<BranchEnd, 3> ends = {tree_.beyond(node_, subtree_), near,
                                           tree_.beyond(sides[0], sides[1])};
    const double half = tree_.length_between(sides[0], sides[1]) / 2;
    std::array<double, 3> lengths = {tree_.length_between(node_, subtree_), half, half};
    for (int k = 1; k < 3; ++k) arithmetic_.set(ends[k], lengths[k], room_.messages[k]);
    for (int round = 0; round < kRounds; ++round) {
      for (int k = 0; k < 3; ++k) {
        arithmetic_.join(room_.messages[(k + 1) % 3], room_.messages[(k + 2) % 3], room_.end);
        arithmetic_.meet({&room_.end}, ends[k], room_.meeting);
        lengths[k] = arithmetic_.best_length(room_.meeting, lengths[k]);
        arithmetic_.set(ends[k], lengths[k], room_.messages[k]);
      }
    }
    const double gain = arithmetic_.total(room_.meeting, lengths[2]) - crossed_.total();
    return {node_, subtree_, sides, lengths, gain};
  }

  /// The part of the tree before the last branch of a path, without the subtree.
  BranchEnd end_before(const std::vector<std::uint32_t>& path) {
    std::uint32_t behind = 0;
    for (const std::uint32_t other : tree_.around(node_)) {
      if (other != subtree_ && other != path[1]) behind = other;
    }
    BranchEnd end = tree_.beyond(node_, behind);
    double length = joined_;
    for (std::size_t k = 1; k + 1 < path.size(); ++k) {
      std::uint32_t side = 0;
      for (const std::uint32_t other : tree_.around(path[k])) {
        if (other != path[k - 1] && other != path[k + 1]) side = other;
      }
      arithmetic_.set(end, length, room_.messages[0]);
      arithmetic_.set(tree_.beyond(path[k], side), tree_.length_between(path[k], side),
                      room_.other);
      arithmetic_.join(room_.messages[0], room_.other, room_.travelling[k % 2]);
      end = {&room_.travelling[k % 2]};
      length = tree_.length_between(path[k], path[k + 1]);
    }
    return end;
  }

  const PartialArithmetic& arithmetic_;
  const PartialTree& tree_;
  const CrossedBranches& crossed_;
  const LocalFitTask& task_;
  RegraftRoom& room_;
  std::uint32_t node_ = 0, subtree_ = 0;
  double joined_ = 0;  ///< the branch that the subtree leaves behind
  std::vector<std::uint32_t> blocks_, path_;
  double standing_ = 0;  ///< the logarithm of the tree's likelihood in these blocks
  std::vector<Place> places_;
};

}  // namespace

std::vector<Regraft> best_regrafts(const PartialArithmetic& arithmetic, const PartialTree& tree,
                                   const LocalFitTask& task) {
  const CrossedBranches crossed(arithmetic, tree, task);
  std::vector<std::pair<std::uint32_t, std::uint32_t>> subtrees;
  for (std::uint32_t node = task.tree.leaves; node + 1 < task.tree.nodes(); ++node) {
    if (!task.tries_at(node)) continue;
    for (const std::uint32_t subtree : tree.around(node)) subtrees.emplace_back(node, subtree);
  }
  std::vector<std::optional<Regraft>> found(subtrees.size());
  std::vector<RegraftRoom> rooms(static_cast<std::size_t>(thread_count()));
  parallel_for(subtrees.size(), [&](std::size_t k, int thread) {
    RegraftSearch search(arithmetic, tree, crossed, task, rooms[static_cast<std::size_t>(thread)]);
    found[k] = search.best(subtrees[k].first, subtrees[k].second);
  });
  std::vector<Regraft> regrafts;
  for (const std::optional<Regraft>& one : found) {
    if (one) regrafts.push_back(*one);
  }
  return regrafts;
}

}  // namespace accord::host
