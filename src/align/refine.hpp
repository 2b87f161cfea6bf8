// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <functional>
#include <span>

#include "core/msa.hpp"
#include "core/posterior_set.hpp"

namespace accord {

/// Refines an alignment, in up to `iterations` iterations. Each iteration picks a random column
/// with a gap, and splits the sequences into the group with a gap in this column and the group of
/// all others. It removes columns that are empty in a group, and aligns the two groups again. The
/// new alignment replaces the old one unless it is longer. A split without effect is not repeated
/// until another split changes the alignment. Ends early if there is no gap.
///
/// `weights`: one for each sequence. Random numbers depend on canonical indices only. Uses
/// thread_count() threads; the result does not depend on their number. `on_iteration`, if set, is
/// called after each iteration.
/// Throws  Error{internal} if the arguments are of different sizes.
/// Cost    N^2 / 4 L r additions per split of N sequences with r cells per row into equal groups.
/// Reference  Do et al. 2005, Genome Res 15:330; Gudys & Deorowicz 2017, Sci Rep 7:41553.
Msa refine(Msa msa, const PosteriorSet& posteriors, std::span<const std::uint32_t> weights,
           int iterations, const std::function<void()>& on_iteration = {});

}  // namespace accord
