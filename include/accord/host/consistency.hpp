// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "accord/core/backend.hpp"
#include "accord/host/kernels.hpp"

namespace accord::host {

/// One round of the weighted consistency transform of the pairs in `batch` (formula and order of
/// the sums in shared/consistency.h); see Backend::relax.
///
/// The terms of every residue of every sequence are laid out as a sparse vector over all residues
/// of the intermediate sequences. Eight successive residues of x are worked on together: each term
/// of a residue j of y is looked up among their terms and added to all eight sums at once.
/// Cost    for each pair, each eight residues of x and each j that has cells with them: M r vector
///         operations for M intermediates and r cells a row; memory 8 bytes for each cell of the
///         intermediates with two ranges of sequences, at most about 1 GiB at a time, and for each
///         thread 40 bytes for each cell of four sequences.
void relax(const Kernels& kernels, const PosteriorSet& current, const RelaxBatch& batch,
           const RelaxWeights& weights, float cutoff, const RelaxSink& sink);

}  // namespace accord::host
