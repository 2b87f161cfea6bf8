// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "phylogeny/local_fit/local_fit.hpp"
#include "phylogeny/local_fit/partial_tree.hpp"

namespace accord::host {

/// For each subtree, the best regraft of fit_locally(), if it raises the likelihood of the tree.
/// `arithmetic` is that of one thread; subtrees are tried side by side.
std::vector<Regraft> best_regrafts(const PartialArithmetic& arithmetic, const PartialTree& tree,
                                   const LocalFitTask& task);

}  // namespace accord::host
