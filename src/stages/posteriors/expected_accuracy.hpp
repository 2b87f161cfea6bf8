// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <utility>

#include "core/sparse_matrix.hpp"
#include "models/models.hpp"

namespace accord {

/// The largest sum V of posteriors along one alignment (Do et al. 2005; without gap penalty).
///
/// Units   2^-16. The sum is computed in integers from the sparse cells, so that it is the same on
///         every device.
/// Cost    O(cells log n).
std::uint64_t expected_accuracy(const SparseMatrix& posterior);

/// The distance of two sequences, 1 - V / min(m, n), in [0, 1]; 1 if a sequence is empty.
/// `accuracy`: V, the expected_accuracy() of the matrix.
float expected_accuracy_distance(const SparseMatrix& posterior, std::uint64_t accuracy);
inline float expected_accuracy_distance(const SparseMatrix& posterior) {
  return expected_accuracy_distance(posterior, expected_accuracy(posterior));
}

/// The posterior matrix of a pair, and its expected accuracy if it is known.
struct PairPosterior {
  PairPosterior(SparseMatrix of, std::optional<std::uint64_t> known = {})
      : matrix(std::move(of)), accuracy(known) {}

  SparseMatrix matrix;
  std::optional<std::uint64_t> accuracy;  ///< expected_accuracy() of the matrix, if known

  /// The expected_accuracy_distance() of the matrix.
  float distance() const {
    return expected_accuracy_distance(matrix, accuracy ? *accuracy : expected_accuracy(matrix));
  }
};

}  // namespace accord
