// SPDX-License-Identifier: Apache-2.0
#include "phylogeny/local_fit/local_fit.hpp"

#include <algorithm>

#include "accord/base/error.hpp"
#include "base/parallel.hpp"
#include "phylogeny/likelihood/likelihood_block.hpp"
#include "phylogeny/local_fit/best_regrafts.hpp"
#include "phylogeny/local_fit/partial_tree.hpp"

namespace accord::host {
namespace {

/// An interchange is fitted in rounds through its five branches, after another length in the
/// middle. One whose likelihood is lower by more than this before a round is not worth it: the
/// rounds that are left seldom bring as much.
constexpr std::array<double, 2> kWorthFitting = {20, 4};

/// Four subtrees around a branch: 0 and 1 on one side of it, 2 and 3 on the other.
struct Quartet {
  std::array<PartialTree::Neighbor, 4> corners;
  std::array<double, 4> lengths;  ///< of their branches
  double middle;
};

/// Working memory of a thread.
struct FitRoom {
  std::array<PartialArithmetic::Message, 4> messages, moved;
  PartialArithmetic::Message beyond;
  Partials side[2], other;
  PartialArithmetic::Meeting meeting;
};

/// Fits quartets; one for each thread.
class QuartetFit {
 public:
  QuartetFit(const PartialArithmetic& arithmetic, FitRoom& room)
      : arithmetic_(arithmetic), room_(room) {}

  /// Sets what the corners say in the middle, for all pairings.
  void look_at(const Quartet& quartet) {
    for (int k = 0; k < 4; ++k) {
      arithmetic_.set(quartet.corners[k].end, quartet.lengths[k], room_.messages[k]);
    }
  }

  /// Fits the middle alone; the logarithm of the likelihood. The corners are in the order of the
  /// pairing: the first two of `order` on one side.
  double fit_middle(const std::array<int, 4>& order, double& middle) {
    for (int k = 0; k < 4; ++k) current_[k] = &room_.messages[order[k]];
    for (int half = 0; half < 2; ++half) join_side(half);
    return fit_between(middle);
  }

  /// Fits all five once, after fit_middle of the same order.
  double fit_all(Quartet& quartet, const std::array<int, 4>& order) {
    for (int half = 0; half < 2; ++half) {
      arithmetic_.set({&room_.side[1 - half]}, quartet.middle, room_.beyond);
      for (int k = 2 * half; k < 2 * half + 2; ++k) {
        const int partner = 4 * half + 1 - k;  // the other one on this side
        const BranchEnd& corner = quartet.corners[order[k]].end;
        double& length = quartet.lengths[order[k]];
        arithmetic_.join(*current_[partner], room_.beyond, room_.other);
        arithmetic_.meet({&room_.other}, corner, room_.meeting);
        length = arithmetic_.best_length(room_.meeting, length);
        arithmetic_.set(corner, length, room_.moved[k]);
        current_[k] = &room_.moved[k];
      }
      join_side(half);
    }
    return fit_between(quartet.middle);
  }

  /// The logarithms of the patterns, after a fit.
  void find_sites(double middle, std::vector<double>& sites) const {
    arithmetic_.total(room_.meeting, middle, &sites);
  }

 private:
  void join_side(int half) {
    arithmetic_.join(*current_[2 * half], *current_[2 * half + 1], room_.side[half]);
  }
  double fit_between(double& length) {
    arithmetic_.meet({&room_.side[0]}, {&room_.side[1]}, room_.meeting);
    length = arithmetic_.best_length(room_.meeting, length);
    return arithmetic_.total(room_.meeting, length);
  }

  const PartialArithmetic& arithmetic_;
  FitRoom& room_;
  std::array<PartialArithmetic::Message*, 4> current_{};
};

/// The interchanges at a branch that are worth fitting, fitted.
std::vector<FittedInterchange> fit_interchanges(const PartialArithmetic& arithmetic,
                                                const PartialTree& tree,
                                                std::span<const Interchange> both, double total,
                                                bool keeps_sites, FitRoom& room) {
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
    double reached = fit.fit_middle(order, changed.middle);
    bool is_worth = true;
    for (const double loss : kWorthFitting) {
      is_worth = is_worth && (keeps_sites || reached > total - loss);
      if (is_worth) reached = fit.fit_all(changed, order);
    }
    if (!is_worth) continue;
    FittedInterchange& added =
        found.emplace_back(FittedInterchange{interchange, reached, {}, {}, {}});
    if (keeps_sites) fit.find_sites(changed.middle, added.sites);
    added.nodes[0] = branch;
    added.lengths[0] = changed.middle;
    for (int k = 0; k < 4; ++k) {
      added.nodes[k + 1] = changed.corners[k].branch;
      added.lengths[k + 1] = changed.lengths[k];
    }
  }
  return found;
}

LocalFit improved(const LocalFitTask& task, const QuartetKernels& kernels) {
  // Branches are fitted one after another, with all threads for each; quartets side by side.
  const PartialArithmetic shared(kernels, task, thread_count()), alone(kernels, task, 1);
  PartialTree tree(shared, task);
  for (int sweep = 0; sweep < task.sweeps; ++sweep) tree.sweep();
  if (task.tries_interchanges || task.regraft_radius > 0) tree.fill_above();
  LocalFit result;
  result.total = tree.total(task.keeps_sites ? &result.sites : nullptr);
  result.lengths = tree.lengths();
  if (task.regraft_radius > 0) result.regrafts = best_regrafts(alone, tree, task);
  if (!task.tries_interchanges) return result;
  const std::vector<Interchange> all = interchanges_of(task.tree);  // both of a branch together
  std::vector<std::vector<FittedInterchange>> found(all.size() / 2);
  std::vector<FitRoom> rooms(static_cast<std::size_t>(thread_count()));
  parallel_for(found.size(), [&](std::size_t k, int thread) {
    const std::uint32_t branch = all[2 * k].branch;
    if (!task.tries_at(branch) && !task.tries_at(tree.around(branch)[2])) return;
    found[k] = fit_interchanges(alone, tree, std::span(all).subspan(2 * k, 2), result.total,
                                task.keeps_sites, rooms[static_cast<std::size_t>(thread)]);
  });
  for (const std::vector<FittedInterchange>& of_branch : found) {
    result.interchanges.insert(result.interchanges.end(), of_branch.begin(), of_branch.end());
  }
  return result;
}

}  // namespace

}  // namespace accord::host

namespace accord {

LocalFit fit_locally(const LocalFitTask& task, const host::Kernels& kernels) {
  check({task.patterns, task.process, task.tree, task.lengths, false});
  if (task.tree.leaves < 4) {
    throw Error(ErrorKind::internal, "a local fit of a tree without inner branches");
  }
  return host::improved(task, *host::likelihood_kernels(kernels).quartets);
}

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
