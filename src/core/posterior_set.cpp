// SPDX-License-Identifier: Apache-2.0
#include "core/posterior_set.hpp"

namespace accord {

std::uint32_t PosteriorSet::length(std::size_t x) const {
  if (const auto partners = pairs_.partners(x); !partners.empty()) {
    return matrices_[pairs_.first(x)].cols();
  }
  for (std::size_t y = x + 1; y < sequences(); ++y) {
    if (const auto number = pairs_.find(x, y)) return matrices_[*number].rows();
  }
  return 0;
}

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

PosteriorSet PosteriorSet::without_cells() const { return without_cells(pairs_); }

PosteriorSet PosteriorSet::without_cells(const PairSet& wanted) const {
  PosteriorSet copy(wanted);
  for (std::uint32_t y = 0; y < wanted.sequences(); ++y) {
    std::size_t number = wanted.first(y);
    for (const std::uint32_t x : wanted.partners(y)) {
      const SparseMatrix& matrix = at(x, y);
      if (matrix.packed().empty()) copy.matrices_[number] = matrix;
      ++number;
    }
  }
  return copy;
}

}  // namespace accord
