// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/distance_matrix.hpp"
#include "core/sequence_set.hpp"
#include "method/settings.hpp"
#include "run/devices/run_context.hpp"

namespace accord::run {

/// Computes the distances of all pairs of a family from their posteriors: 1 - expected accuracy.
/// The matrix is in the canonical order of `set`.
/// Throws  Error{out_of_memory} if they do not fit the memory budget; as compute_distances.
DistanceMatrix distances(const SequenceSet& set, const AlignSettings& settings,
                         const RunContext& context);

}  // namespace accord::run
