// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <vector>

#include "accord/core/models.hpp"
#include "accord/core/relax_batch.hpp"
#include "accord/host/kernels.hpp"

namespace accord::host {

/// One round of the weighted consistency transform of the pairs in `batch` (formula and order of
/// the sums in shared/consistency.h); result k belongs to pair k.
///
/// The posteriors of x against all z are laid out as one sparse vector over all residues of the
/// family for each residue i; a new cell is then the product of two such vectors.
/// Cost    N r^2 multiply-adds a row of each pair for r cells a row; memory 8 bytes for each cell
///         of the pairs that involve one block of y's, at most about 1 GiB at a time.
std::vector<SparseMatrix> relax(const Kernels& kernels, const PosteriorSet& current,
                                const RelaxBatch& batch, std::span<const float> weights,
                                const ConsistencyParams& params);

}  // namespace accord::host
