// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/guide_tree.hpp"
#include "phylogeny/fit.hpp"
#include "phylogeny/local_fit/local_fit.hpp"

namespace accord {

/// Makes interchanges in a tree; a subtree that moves keeps the length of the branch above it. The
/// interchanges name nodes of `state`, and no two of them may touch the same node. Inner nodes get
/// new numbers, so that children stay before parents. If `number` is not null, sets (*number)[n] to
/// the new number of node n.
TreeWithModel interchanged(TreeWithModel state, std::span<const Interchange> interchanges,
                           std::vector<std::uint32_t>* number = nullptr);

/// Called for each tree on the way to a better one, with the logarithm of its likelihood, by the
/// thread that called improve_topology().
using NniListener = std::function<void(const TreeWithModel&, double total)>;

/// The listeners of a search. Each may be empty.
struct TopologyListeners {
  /// Called when a stage begins: "interchanges" for each start, "regrafts", "fit".
  std::function<void(const char* stage)> on_stage = {};
  NniListener on_round = {};
};

/// Improves the shapes and lengths of trees by nearest-neighbour interchanges. Returns the best
/// tree that it reaches. `starts` has at least one tree; all are trees of the same leaves.
/// With fewer than four leaves, the function only calls fit().
///
/// All interchanges are tried at the same time, each in its quartet (see fit_locally). Those that
/// raise the likelihood and do not touch each other are made, the best first, with the five lengths
/// fitted for each; then all branches are fitted in turn. If the likelihood of the whole tree is
/// then not higher, half as many interchanges are made, down to one. After the first round the
/// search tries interchanges near changed nodes, and where an interchange raised the likelihood
/// before; if none of these helps, it tries all again. It ends when no interchange helps.
///
/// Then each subtree of the best tree is tried on all branches within `regraft_radius` branches of
/// its place (0: no regrafts), all subtrees at the same time. Regrafts that raise the likelihood
/// and do not touch each other are made, the best first, and interchanges follow. If the likelihood
/// is then not higher, half as many regrafts are made, down to one. Subtrees near changed nodes are
/// tried again, and at last all subtrees. In the end fit() fits the values that `target` names.
///
/// Throws  what the scheduler and the listeners throw; Error{out_of_memory}.
/// Reference  Guindon & Gascuel 2003, Syst Biol 52:696 (simultaneous interchanges).
FitResult improve_topology(std::span<const TreeWithModel> starts, const SitePatterns& patterns,
                           FitTarget target, std::uint32_t regraft_radius, Scheduler& scheduler,
                           const TopologyListeners& listeners = {});

/// [node of a tree]: 1 for the nodes of a set, which are marked; else 0.
using NodeMarks = std::vector<std::uint8_t>;

/// Marks all nodes that are at most `branches` branches away from a marked node in the unrooted
/// tree, in which the root is no node. A mark of the root stands for both of its children.
NodeMarks nodes_near(const GuideTree& tree, NodeMarks marks, std::uint32_t branches);

}  // namespace accord
