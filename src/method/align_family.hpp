// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/sequence_set.hpp"
#include "engine/scheduler.hpp"
#include "method/align_result.hpp"
#include "method/settings.hpp"

namespace accord {

/// Aligns a family by its mode: posterior along one tree (align_along_trees), or local. The stages
/// of the mode posterior are posteriors, guide tree, consistency, progressive alignment and
/// refinement. Every mix of backends and any number of threads give the same result.
/// Throws  what the stages throw.
AlignResult align_family(const SequenceSet& set, const AlignSettings& settings,
                         Scheduler& scheduler, const RunListener& listener = {});

}  // namespace accord
