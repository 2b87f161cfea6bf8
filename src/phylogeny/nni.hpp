// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "phylogeny/fit.hpp"
#include "phylogeny/local_fit/local_fit.hpp"

namespace accord {

/// The tree after interchanges, each subtree with the branch above it. Inner nodes are numbered
/// anew, so that children stay before parents; `number`, if it is not null, becomes the new number
/// of each node.
TreeWithModel interchanged(TreeWithModel state, std::span<const Interchange> interchanges,
                           std::vector<std::uint32_t>* number = nullptr);

/// Called for each tree on the way to a better one, with the logarithm of its likelihood.
using NniListener = std::function<void(const TreeWithModel&, double total)>;

/// Improves the shapes and lengths of trees by nearest-neighbour interchanges. Returns the best
/// tree that it reaches.
///
/// All interchanges are tried at the same time, each in its quartet (see fit_locally). Those that
/// raise the likelihood and do not touch each other are made, the best first, with the five lengths
/// fitted for each; then all branches are fitted in turn. If the likelihood of the whole tree is
/// then not higher, half as many interchanges are made, down to one. After the first round the
/// search tries interchanges near changed nodes, and where an interchange raised the likelihood
/// before; if none of these helps, it tries all again. It ends when no interchange helps.
///
/// Then subtrees of the best tree are pruned and tried on all branches within `regraft_radius`
/// branches of their place (0: none), all of them at the same time; those that raise the
/// likelihood, and do not touch each other, are made in the same way, each time with interchanges
/// after them, and subtrees near changed nodes are tried again. Lengths, and parameters
/// if `target` says so, are at last fitted together.
///
/// Reference  Guindon & Gascuel 2003, Syst Biol 52:696 (simultaneous interchanges).
FitResult improve_topology(std::span<const TreeWithModel> starts, const SitePatterns& patterns,
                           FitTarget target, std::uint32_t regraft_radius, Scheduler& scheduler,
                           const NniListener& on_round = {});

}  // namespace accord
