// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/sequence_set.hpp"
#include "engine/scheduler.hpp"
#include "method/align_result.hpp"
#include "method/settings.hpp"

namespace accord {

/// Aligns a family in one of the local modes. This function is the method: local alignments of all
/// pairs, guide tree, importance of their segments, progressive alignment, refinement at the
/// branches of the tree. Posteriors are computed for the confidence only, if it is requested. Every
/// mix of backends and any number of threads give the same result.
/// Throws  what the stages throw.
/// Reference  Katoh et al. 2005, Nucleic Acids Res 33:511 (L-INS-i, E-INS-i); on GPUs: Zhu et al.
///         2015, IEEE/ACM Trans Comput Biol Bioinform 12:205.
AlignResult align_local_family(const SequenceSet& set, const AlignSettings& settings,
                               Scheduler& scheduler, const RunListener& listener);

}  // namespace accord
