// SPDX-License-Identifier: Apache-2.0
#include "accord/core/posterior_set.hpp"

namespace accord {

std::size_t PosteriorSet::bytes() const {
  std::size_t bytes = matrices_.capacity() * sizeof(SparseMatrix);
  for (const SparseMatrix& matrix : matrices_) {
    bytes += matrix.row_begin().size_bytes() + matrix.packed().size_bytes();
  }
  return bytes;
}

std::size_t PosteriorSet::cells() const {
  std::size_t cells = 0;
  for (const SparseMatrix& matrix : matrices_) cells += matrix.packed().size();
  return cells;
}

PosteriorSet PosteriorSet::without_cells() const {
  PosteriorSet copy(sequences_);
  for (std::size_t k = 0; k < matrices_.size(); ++k) {
    if (matrices_[k].packed().empty()) copy.matrices_[k] = matrices_[k];
  }
  return copy;
}

}  // namespace accord
