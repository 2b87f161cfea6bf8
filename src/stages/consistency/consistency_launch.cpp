// SPDX-License-Identifier: Apache-2.0
#include "stages/consistency/consistency_launch.hpp"

#include <algorithm>

#include "base/parallel.hpp"

namespace accord::ocl {
namespace {

/// Bytes in a chunk: of a row, for the index of its first cell; of a packed cell, for the cell and
/// its new units; of a matrix, for its description.
constexpr std::size_t kRowBytes = sizeof(std::uint32_t);
constexpr std::size_t kCellBytes = sizeof(std::uint32_t) + sizeof(std::uint16_t);
constexpr std::size_t kMatrixBytes = sizeof(accord_cell_matrix) + sizeof(accord_consistency_pair);

}  // namespace

void MatrixChunk::pack(const PosteriorSet& set, std::uint32_t* packed) const {
  std::uint32_t* const of_cells = packed + rows() + 1;
  packed[rows()] = cells();
  const auto pack_matrix = [&](std::size_t k) {
    const SparseMatrix& matrix = set.at(pairs[k].x, pairs[k].y);
    for (std::uint32_t i = 0; i < matrix.rows(); ++i) {
      packed[first_row[k] + i] = first_cell[k] + matrix.row_begin()[i];
    }
    std::copy(matrix.packed().begin(), matrix.packed().end(), of_cells + first_cell[k]);
  };
  parallel_for_parts(pairs.size(), pairs_of_part(pairs.size()),
                     [&](std::size_t k, std::size_t last) {
                       for (; k < last; ++k) pack_matrix(k);
                     });
}

std::vector<MatrixChunk> cut_chunks(const PosteriorSet& set, std::span<const PairIndex> pairs,
                                    std::size_t most_bytes) {
  std::vector<MatrixChunk> chunks;
  for (std::size_t first = 0; first < pairs.size();) {
    MatrixChunk chunk{first, {}};
    std::size_t last = first, bytes = 0;
    for (; last < pairs.size(); ++last) {
      const SparseMatrix& matrix = set.at(pairs[last].x, pairs[last].y);
      const auto cells = static_cast<std::uint32_t>(matrix.packed().size());
      bytes += kMatrixBytes + kRowBytes * matrix.rows() + kCellBytes * cells;
      if (last > first && bytes > most_bytes) break;
      chunk.first_row.push_back(chunk.rows() + matrix.rows());
      chunk.first_cell.push_back(chunk.cells() + cells);
    }
    chunk.pairs = pairs.subspan(first, last - first);
    chunks.push_back(std::move(chunk));
    first = last;
  }
  return chunks;
}

}  // namespace accord::ocl
