// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

#include "accord/likelihood/fit.hpp"

namespace accord {

/// Two subtrees that change places: one of the two nearest-neighbour interchanges at a branch.
struct Interchange {
  std::uint32_t branch;  ///< the node below the branch
  std::uint32_t first, second;
};

/// Both interchanges at each inner branch of the unrooted tree.
/// Shape   2 (leaves - 3) for at least four leaves, else none.
std::vector<Interchange> interchanges_of(const GuideTree& tree);

/// The tree after an interchange, each subtree with the branch above it. Inner nodes are numbered
/// anew, so that children stay before parents.
TreeWithModel interchanged(const TreeWithModel& state, const Interchange& interchange);

/// Improves the shape of a fitted tree by nearest-neighbour interchanges.
///
/// All interchanges are tried at the same time, each with the lengths as they are and with a
/// shorter branch in its middle. Those that raise the likelihood and do not touch each other are
/// made, the best first, and lengths are fitted anew; if that is no better, half as many of them
/// are, down to one. Ends when none helps; parameters are then fitted once more if `target` says
/// so.
///
/// Source  Guindon & Gascuel 2003, Syst Biol 52:696 (simultaneous interchanges).
FitResult improve_topology(FitResult start, const SitePatterns& patterns, FitTarget target,
                           Scheduler& scheduler);

}  // namespace accord
