// SPDX-License-Identifier: Apache-2.0
#include "stages/local_fit/regrafts.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "base/parallel.hpp"

namespace accord::host {
namespace {

/// Places of which the likelihood is lower by more than this, with the lengths as they are, are not
/// worth fitting; the search does not go on beyond those that are lower by more than that.
constexpr double kWorthFitting = 20, kWorthPassing = 60;

/// Rounds through the three branches of a place.
constexpr int kRounds = 2;

/// Working memory of a thread.
struct Room {
  std::vector<Partials> travelling;  ///< what lies behind, by the depth of the search
  std::array<Partials, 3> message;   ///< of the subtree and the two sides, at the node between them
  Partials end;
  PartialArithmetic::Meeting meeting;
};

/// Tries the places of one subtree: all branches within the radius of where it is.
class RegraftSearch {
 public:
  RegraftSearch(const PartialArithmetic& arithmetic, const PartialTree& tree,
                const LocalFitTask& task, double total, Room& room)
      : arithmetic_(arithmetic), tree_(tree), task_(task), total_(total), room_(room) {
    room_.travelling.resize(std::min(task.regraft_radius, task.tree.leaves));
  }

  /// The subtree is what lies beyond the branch from `node`, which moves along, to `subtree`.
  std::optional<Regraft> best(std::uint32_t node, std::uint32_t subtree) {
    best_.reset();
    node_ = node;
    subtree_ = subtree;
    std::array<std::uint32_t, 2> sides{};
    std::size_t next = 0;
    for (const std::uint32_t other : tree_.around(node)) {
      if (other != subtree) sides[next++] = other;
    }
    const double joined = std::min(
        tree_.length_between(node, sides[0]) + tree_.length_between(node, sides[1]), task_.longest);
    for (int k = 0; k < 2; ++k) {
      go_beyond(sides[k], node, tree_.beyond(node, sides[1 - k]), joined, 0);
    }
    return best_;
  }

 private:
  /// Tries the branches at the far side of `node`; `behind` is what lies before it, at a distance.
  void go_beyond(std::uint32_t node, std::uint32_t from, const BranchEnd& behind, double distance,
                 std::uint32_t depth) {
    if (node < task_.tree.leaves || depth >= room_.travelling.size()) return;
    std::array<std::uint32_t, 2> next{};
    std::size_t count = 0;
    for (const std::uint32_t other : tree_.around(node)) {
      if (other != from) next[count++] = other;
    }
    for (int k = 0; k < 2; ++k) {
      Partials& travelling = room_.travelling[depth];
      arithmetic_.join(behind, distance, tree_.beyond(node, next[1 - k]),
                       tree_.length_between(node, next[1 - k]), travelling);
      const double length = tree_.length_between(node, next[k]);
      // The first branches are those of interchanges, of which all five branches are fitted.
      const double quick = try_place({node, next[k]}, {&travelling}, length, depth > 0);
      if (quick > total_ - kWorthPassing) {
        go_beyond(next[k], node, {&travelling}, length, depth + 1);
      }
    }
  }

  /// The logarithm of the likelihood with the subtree in the middle of a branch.
  double try_place(const std::array<std::uint32_t, 2>& sides, const BranchEnd& near, double length,
                   bool may_fit) {
    const std::array<BranchEnd, 3> ends = {tree_.beyond(node_, subtree_), near,
                                           tree_.beyond(sides[0], sides[1])};
    std::array<double, 3> lengths = {tree_.length_between(node_, subtree_), length / 2, length / 2};
    for (int k = 1; k < 3; ++k) arithmetic_.cross(ends[k], lengths[k], room_.message[k]);
    arithmetic_.join(room_.message[1], room_.message[2], room_.end);
    arithmetic_.meet({&room_.end}, ends[0], room_.meeting);
    const double quick = arithmetic_.total(room_.meeting, lengths[0]);
    if (!may_fit || quick < total_ - kWorthFitting) return quick;
    for (int round = 0; round < kRounds; ++round) {
      for (int k = 0; k < 3; ++k) {
        if (round > 0 || k > 0) {
          arithmetic_.join(room_.message[(k + 1) % 3], room_.message[(k + 2) % 3], room_.end);
          arithmetic_.meet({&room_.end}, ends[k], room_.meeting);
        }
        lengths[k] = arithmetic_.best_length(room_.meeting, lengths[k]);
        arithmetic_.cross(ends[k], lengths[k], room_.message[k]);
      }
    }
    const double fitted = arithmetic_.total(room_.meeting, lengths[2]), gain = fitted - total_;
    if (gain > (best_ ? best_->gain : 0)) best_ = Regraft{node_, subtree_, sides, lengths, gain};
    return std::max(quick, fitted);
  }

  const PartialArithmetic& arithmetic_;
  const PartialTree& tree_;
  const LocalFitTask& task_;
  double total_;
  Room& room_;
  std::uint32_t node_ = 0, subtree_ = 0;
  std::optional<Regraft> best_;
};

}  // namespace

std::vector<Regraft> best_regrafts(const PartialArithmetic& arithmetic, const PartialTree& tree,
                                   const LocalFitTask& task, double total) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> subtrees;
  for (std::uint32_t node = task.tree.leaves; node + 1 < task.tree.nodes(); ++node) {
    for (const std::uint32_t subtree : tree.around(node)) subtrees.emplace_back(node, subtree);
  }
  std::vector<std::optional<Regraft>> found(subtrees.size());
  std::vector<Room> rooms(static_cast<std::size_t>(thread_count()));
  parallel_for(subtrees.size(), [&](std::size_t k, int thread) {
    RegraftSearch search(arithmetic, tree, task, total, rooms[static_cast<std::size_t>(thread)]);
    found[k] = search.best(subtrees[k].first, subtrees[k].second);
  });
  std::vector<Regraft> regrafts;
  for (const std::optional<Regraft>& one : found) {
    if (one) regrafts.push_back(*one);
  }
  return regrafts;
}

}  // namespace accord::host
