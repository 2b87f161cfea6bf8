// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <functional>
#include <span>

#include "core/guide_tree.hpp"
#include "core/msa.hpp"
#include "core/posterior_set.hpp"
#include "models/models.hpp"

namespace accord {

/// Refines a finished alignment: `iterations` times the sequences are split into two groups,
/// columns that became empty in a group are removed, and the two profiles are aligned again.
/// A split that had no effect is not computed again before another one had. `tree_edge` ends once
/// no node had an effect, `gap_column` if there is no gap left.
///
/// Splits and random numbers depend on canonical indices only. Uses thread_count() threads; the
/// result does not depend on their number.
/// `on_iteration`, if there is one, is called after each.
/// Errors  Error{internal} if the arguments are of different sizes.
/// Cost    N^2 / 4 L r additions per random split of N sequences with r cells per row; N L r for a
///         leaf of the tree, so that a cycle over a balanced tree costs about 4 log2(N) random
///         splits.
/// Source  Do et al. 2005, Genome Res 15:330; Liu et al. 2010, Bioinformatics 26:1958.
Msa refine(Msa msa, const PosteriorSet& posteriors, const GuideTree& tree,
           std::span<const std::uint32_t> weights, const RefineOptions& options,
           const std::function<void()>& on_iteration = {});

}  // namespace accord
