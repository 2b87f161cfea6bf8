// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "core/sequence_set.hpp"
#include "support/host_cells.hpp"
#include "support/sequences.hpp"

namespace accord::testing {

/// Unrounded posterior cells of a pair, computed by the kernels of the host as a family of two. The
/// codes are those that the kernel sees, with contexts or without.
///
/// Rows are residues of x and columns residues of y as given here, whichever of them is longer;
/// sorted by row, then column.
inline std::vector<PosteriorCell> pair_posteriors(const Codes& x, const Codes& y,
                                                  const accord_model& model) {
  const bool exchanged = x.size() < y.size();
  CodedSequences pair;
  pair.append(exchanged ? y : x);
  pair.append(exchanged ? x : y);
  std::vector<PosteriorCell> cells = host_cells(pair, model).front();
  if (!exchanged) return cells;
  for (PosteriorCell& cell : cells) std::swap(cell.row, cell.column);
  std::sort(cells.begin(), cells.end(), [](const PosteriorCell& a, const PosteriorCell& b) {
    return std::pair(a.row, a.column) < std::pair(b.row, b.column);
  });
  return cells;
}

/// Dense matrix of (rows + 1) x (cols + 1) values, row and column 0 a border of zeros, as
/// posterior_hash takes it.
inline std::vector<float> dense_with_border(std::span<const PosteriorCell> cells, std::size_t rows,
                                            std::size_t cols) {
  std::vector<float> dense((rows + 1) * (cols + 1), 0.0f);
  for (const PosteriorCell& cell : cells)
    dense[(cell.row + std::size_t{1}) * (cols + 1) + cell.column + 1] = cell.probability;
  return dense;
}

}  // namespace accord::testing
