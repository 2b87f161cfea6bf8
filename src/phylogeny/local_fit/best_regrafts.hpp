// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "phylogeny/local_fit/local_fit.hpp"
#include "phylogeny/local_fit/partial_tree.hpp"

namespace accord::host {

/// For each subtree, finds the best regraft (see fit_locally()), and returns it if it raises the
/// likelihood of the tree. `tree`: made from `task`; fill_above() must have been called after its
/// last sweep. The function uses thread_count() threads, one for each subtree at a time, so that
/// `arithmetic` must be made for one thread.
std::vector<Regraft> best_regrafts(const PartialArithmetic& arithmetic, const PartialTree& tree,
                                   const LocalFitTask& task);

}  // namespace accord::host
