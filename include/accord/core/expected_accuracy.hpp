// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "accord/core/models.hpp"
#include "accord/core/sparse_matrix.hpp"

namespace accord {

/// Distance of two sequences: 1 - V / min(m, n), V the largest sum of posteriors along one
/// alignment (Do et al. 2005; without gap penalty). In [0, 1]; 1 if a sequence is empty.
///
/// V is found from the sparse cells alone, in units of 2^-16, so it is exact and the same
/// everywhere.
/// Cost    O(cells log n).
float expected_accuracy_distance(const SparseMatrix& posterior);

/// Keeps the most probable cells of a pair, at most params.cells_per_residue for each residue of
/// the shorter sequence; ties with the last one kept are kept too. No limit if that is 0.
/// Source  after the retained fraction of Gudys & Deorowicz 2014, PLoS ONE 9:e88901.
std::vector<PosteriorCell> limit_cells(std::vector<PosteriorCell> cells, std::uint32_t rows,
                                       std::uint32_t cols, const SparsityParams& params);

}  // namespace accord
