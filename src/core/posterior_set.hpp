// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <utility>
#include <vector>

#include "core/pair_set.hpp"
#include "core/sparse_matrix.hpp"

namespace accord {

/// Sparse posterior matrices of a set of pairs of a family.
///
/// Only the matrix of (x, y) with x < y is stored; (y, x) is its transpose by definition.
/// Cost    4 bytes per cell and 4 bytes per row of each pair: for N sequences of length L with r
///         kept cells per row, 2 N^2 L (r + 1) bytes.
class PosteriorSet {
 public:
  PosteriorSet() = default;
  /// Empty matrices, without rows, for `pairs`.
  explicit PosteriorSet(PairSet pairs) : pairs_(std::move(pairs)), matrices_(pairs_.size()) {}
  /// Empty matrices for all pairs of a family.
  explicit PosteriorSet(std::size_t sequences) : PosteriorSet(PairSet::all(sequences)) {}

  std::size_t sequences() const noexcept { return pairs_.sequences(); }
  const PairSet& pairs() const noexcept { return pairs_; }

  /// The matrix of the pair (x, y), x < y: rows are residues of x, columns residues of y.
  /// Throws  Error{internal} if the pair is not in the set, see PairSet::number.
  const SparseMatrix& at(std::size_t x, std::size_t y) const {
    return matrices_[pairs_.number(x, y)];
  }
  SparseMatrix& at(std::size_t x, std::size_t y) { return matrices_[pairs_.number(x, y)]; }

  /// The matrix of a pair by its number in pairs().
  const SparseMatrix& operator[](std::size_t number) const { return matrices_[number]; }
  SparseMatrix& operator[](std::size_t number) { return matrices_[number]; }

  /// Length of sequence x, in residues; 0 if x is in no pair, since its length is then unknown.
  std::uint32_t length(std::size_t x) const;

  /// Returns a set of the same pairs for new results. A matrix that has no cells is copied. Every
  /// other matrix has no rows, until the caller assigns a new matrix.
  PosteriorSet without_cells() const;
  /// Returns such a set of the pairs in `wanted`.
  /// Throws  Error{internal} if `wanted` holds a pair that is not in pairs().
  PosteriorSet without_cells(const PairSet& wanted) const;

  /// Memory of all matrices, in bytes.
  std::size_t bytes() const;
  /// Cells of all matrices, including fillers (see SparseMatrixBuilder::add).
  std::size_t cells() const;

 private:
  PairSet pairs_;
  std::vector<SparseMatrix> matrices_;  // by number
};

}  // namespace accord
