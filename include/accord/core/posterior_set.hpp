// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <vector>

#include "accord/core/sparse_matrix.hpp"

namespace accord {

/// Sparse posterior matrices of all pairs of a family.
///
/// Only the matrix of (x, y) with x < y is stored; (y, x) is its transpose by definition.
/// Cost    4 bytes a cell and 4 bytes a row of each pair: for N sequences of length L with r
///         kept cells a row, 2 N^2 L (r + 1) bytes.
class PosteriorSet {
 public:
  PosteriorSet() = default;
  explicit PosteriorSet(std::size_t sequences)
      : sequences_(sequences), matrices_(sequences * (sequences - (sequences > 0)) / 2) {}

  std::size_t sequences() const noexcept { return sequences_; }

  /// The matrix of the pair (x, y), x < y: rows are residues of x, columns residues of y.
  const SparseMatrix& at(std::size_t x, std::size_t y) const { return matrices_[index(x, y)]; }
  SparseMatrix& at(std::size_t x, std::size_t y) { return matrices_[index(x, y)]; }

  /// Length of sequence x, in residues; a sequence alone has no matrix to tell, and 0.
  std::uint32_t length(std::size_t x) const {
    if (sequences_ < 2) return 0;
    return x + 1 < sequences_ ? at(x, x + 1).rows() : at(0, x).cols();
  }

  /// A set of the same size with the matrices that have no cells; the others are not yet set.
  PosteriorSet without_cells() const;

  /// Memory of all matrices, in bytes.
  std::size_t bytes() const;
  /// Cells of all matrices, fillers included.
  std::size_t cells() const;

 private:
  static std::size_t index(std::size_t x, std::size_t y) { return y * (y - 1) / 2 + x; }

  std::size_t sequences_ = 0;
  std::vector<SparseMatrix> matrices_;
};

}  // namespace accord
