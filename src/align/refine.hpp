// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <functional>
#include <span>

#include "core/msa.hpp"
#include "core/posterior_set.hpp"

namespace accord {

/// Refines a finished alignment: up to `iterations` times a random column with a gap parts the
/// sequences into those with a gap there and the others, columns that became empty in a group are
/// removed, and the two profiles are aligned again. The new alignment replaces the old one unless
/// it is longer. A split that had no effect is not computed again before another one had. Ends
/// early if there is no gap left.
///
/// Random numbers depend on canonical indices only. Uses thread_count() threads; the result does
/// not depend on their number.
/// `on_iteration`, if there is one, is called after each.
/// Throws  Error{internal} if the arguments are of different sizes.
/// Cost    N^2 / 4 L r additions per split of N sequences with r cells per row into equal groups.
/// Reference  Do et al. 2005, Genome Res 15:330; Gudys & Deorowicz 2017, Sci Rep 7:41553.
Msa refine(Msa msa, const PosteriorSet& posteriors, std::span<const std::uint32_t> weights,
           int iterations, const std::function<void()>& on_iteration = {});

}  // namespace accord
