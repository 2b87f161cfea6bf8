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

}  // namespace accord
