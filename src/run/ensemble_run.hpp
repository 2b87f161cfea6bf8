// SPDX-License-Identifier: Apache-2.0
// Alternative alignments of one family.
#pragma once
#include <cstddef>

#include "core/sequence_set.hpp"
#include "method/ensemble.hpp"
#include "method/settings.hpp"
#include "run/devices/run_context.hpp"
#include "run/family/prepared_family.hpp"

namespace accord::run {

/// The noise of the guide trees of an ensemble: distances have factors from .8 to 1.2.
constexpr float kTreeSpread = 0.2f;

/// The number of parameter sets of an ensemble of a family that is not large, whose guide trees
/// have noise: the square root of the number of replicates, rounded up.
std::size_t parameter_sets(std::size_t replicates);

/// Aligns a family several times: by P parameter sets, and with each along T trees. P is
/// parameter_sets(). T is the number of replicates over P, rounded up; the last set has fewer trees
/// where P T is more than the number of replicates. A guide tree from a file, and the trees of a
/// large family, have no noise; T is then 1. The first replicate is the alignment of align().
/// Factors and noise depend on the seed and on the numbers of a replicate, so that a larger
/// ensemble need not contain a smaller one.
/// Throws  Error{usage} for no replicates, and for the local modes, whose scores have no factors;
///         as align.
/// Cost    for a family that is not large P times the posteriors and the consistency of align(),
///         and the progressive alignment and refinement once a replicate; for a large family the
///         cost of align() once a replicate.
Ensemble ensemble(const PreparedFamily& family, const EnsembleOptions& options,
                  const RunContext& context);

}  // namespace accord::run
