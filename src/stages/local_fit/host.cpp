// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "accord/base/error.hpp"
#include "base/parallel.hpp"
#include "engine/host/host_stages.hpp"
#include "stages/local_fit/call.hpp"
#include "stages/local_fit/partial_tree.hpp"
#include "stages/local_fit/regrafts.hpp"

namespace accord::host {
namespace {

/// Interchanges of which the likelihood is lower by more than this, with another length in the
/// middle, are not worth fitting: the four other branches seldom bring as much.
constexpr double kWorthFitting = 20;

/// Rounds through the five branches of an interchange.
constexpr int kRounds = 2;

/// Four subtrees around a branch: 0 and 1 on one side of it, 2 and 3 on the other.
struct Quartet {
  std::array<PartialTree::Neighbor, 4> corners;
  std::array<double, 4> lengths;  ///< of their branches
  double middle;
};

/// Working memory of a thread.
struct Room {
  std::array<Partials, 4> messages, moved;
  Partials side[2], beyond, other;
  PartialArithmetic::Meeting meeting;
};

/// Fits quartets; one for each thread.
class QuartetFit {
 public:
  QuartetFit(const PartialArithmetic& arithmetic, Room& room)
      : arithmetic_(arithmetic), room_(room) {}

  /// Sets what the corners say in the middle, for all pairings.
  void look_at(const Quartet& quartet) {
    for (int k = 0; k < 4; ++k) {
      arithmetic_.cross(quartet.corners[k].end, quartet.lengths[k], room_.messages[k]);
    }
  }

  /// Fits the middle alone; the logarithm of the likelihood. The corners are in the order of the
  /// pairing: the first two of `order` on one side.
  double fit_middle(const std::array<int, 4>& order, double& middle) {
    for (int k = 0; k < 4; ++k) current_[k] = &room_.messages[order[k]];
    arithmetic_.join(*current_[0], *current_[1], room_.side[0]);
    arithmetic_.join(*current_[2], *current_[3], room_.side[1]);
    return fit_between({&room_.side[0]}, {&room_.side[1]}, middle);
  }

  /// Fits all five, after fit_middle of the same order; `sites` as PartialArithmetic::total.
  double fit_all(Quartet& quartet, const std::array<int, 4>& order, std::vector<double>* sites) {
    double total = 0;
    for (int round = 0; round < kRounds; ++round) {
      for (int half = 0; half < 2; ++half) {
        arithmetic_.cross({&room_.side[1 - half]}, quartet.middle, room_.beyond);
        for (int k = 2 * half; k < 2 * half + 2; ++k) {
          const int partner = 4 * half + 1 - k;  // the other one on this side
          const BranchEnd& corner = quartet.corners[order[k]].end;
          double& length = quartet.lengths[order[k]];
          arithmetic_.join(*current_[partner], room_.beyond, room_.other);
          arithmetic_.meet({&room_.other}, corner, room_.meeting);
          length = arithmetic_.best_length(room_.meeting, length);
          arithmetic_.cross(corner, length, room_.moved[k]);
          current_[k] = &room_.moved[k];
        }
        arithmetic_.join(*current_[2 * half], *current_[2 * half + 1], room_.side[half]);
      }
      total = fit_between({&room_.side[0]}, {&room_.side[1]}, quartet.middle);
    }
    if (sites != nullptr) arithmetic_.total(room_.meeting, quartet.middle, sites);
    return total;
  }

 private:
  double fit_between(const BranchEnd& a, const BranchEnd& b, double& length) {
    arithmetic_.meet(a, b, room_.meeting);
    length = arithmetic_.best_length(room_.meeting, length);
    return arithmetic_.total(room_.meeting, length);
  }

  const PartialArithmetic& arithmetic_;
  Room& room_;
  std::array<const Partials*, 4> current_{};
};

/// The interchanges at a branch that are worth fitting, fitted.
std::vector<FittedInterchange> fit_interchanges(const PartialArithmetic& arithmetic,
                                                const PartialTree& tree,
                                                std::span<const Interchange> both, double total,
                                                bool keeps_sites, Room& room) {
  const std::uint32_t branch = both.front().branch;
  const auto below = tree.neighbors_below(branch), above = tree.neighbors_above(branch);
  Quartet quartet{{below[0], below[1], above[0], above[1]}, {}, tree.length(branch)};
  for (int k = 0; k < 4; ++k) quartet.lengths[k] = tree.length(quartet.corners[k].branch);
  QuartetFit fit(arithmetic, room);
  fit.look_at(quartet);
  std::vector<FittedInterchange> found;
  for (const Interchange& interchange : both) {
    // The first goes to where the second is: corner 2, in the order of neighbors_above.
    const bool is_left = interchange.first == below[0].branch;
    const std::array<int, 4> order = is_left ? std::array{2, 1, 0, 3} : std::array{0, 2, 1, 3};
    Quartet changed = quartet;
    const double quick = fit.fit_middle(order, changed.middle);
    if (!keeps_sites && quick < total - kWorthFitting) continue;
    FittedInterchange& added = found.emplace_back(FittedInterchange{interchange, 0, {}, {}, {}});
    added.total = fit.fit_all(changed, order, keeps_sites ? &added.sites : nullptr);
    added.nodes[0] = branch;
    added.lengths[0] = changed.middle;
    for (int k = 0; k < 4; ++k) {
      added.nodes[k + 1] = changed.corners[k].branch;
      added.lengths[k + 1] = changed.lengths[k];
    }
  }
  return found;
}

LocalFit fit_locally(const QuartetKernels& kernels, const LocalFitTask& task) {
  // Branches are fitted one after another, with all threads for each; quartets side by side.
  const PartialArithmetic shared(kernels, task, thread_count()), alone(kernels, task, 1);
  PartialTree tree(shared, task);
  for (int sweep = 0; sweep < task.sweeps; ++sweep) tree.sweep();
  LocalFit result;
  result.total = tree.total(task.keeps_sites ? &result.sites : nullptr);
  result.lengths = tree.lengths();
  if (task.regraft_radius > 0) {
    result.regrafts = best_regrafts(alone, tree, task, result.total);
  }
  if (!task.tries_interchanges) return result;
  const std::vector<Interchange> all = interchanges_of(task.tree);  // both of a branch together
  std::vector<std::vector<FittedInterchange>> found(all.size() / 2);
  std::vector<Room> rooms(static_cast<std::size_t>(thread_count()));
  parallel_for(found.size(), [&](std::size_t k, int thread) {
    found[k] = fit_interchanges(alone, tree, std::span(all).subspan(2 * k, 2), result.total,
                                task.keeps_sites, rooms[static_cast<std::size_t>(thread)]);
  });
  for (const std::vector<FittedInterchange>& of_branch : found) {
    result.interchanges.insert(result.interchanges.end(), of_branch.begin(), of_branch.end());
  }
  return result;
}

}  // namespace

void compute(const Processor& processor, const LocalFitCall& call) {
  for (std::size_t k = 0; k < call.tasks.size(); ++k) {
    const LocalFitTask& task = call.tasks[k];
    check({task.patterns, task.process, task.tree, task.lengths, false});
    if (task.tree.leaves < 4) {
      throw Error(ErrorKind::internal, "a local fit of a tree without inner branches");
    }
    call.results[k] = fit_locally(*processor.wide->local_fit, task);
  }
}

}  // namespace accord::host
