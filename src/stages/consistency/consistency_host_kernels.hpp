// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace accord::host {

/// The number of residues of x whose sums are computed side by side in the consistency transform.
inline constexpr std::uint32_t kConsistencyRows = 8;

/// A term of a residue in the consistency transform: its posterior with a residue (z, k) of an
/// intermediate sequence.
struct ConsistencyTerm {
  std::uint32_t residue;  ///< (z, k), counted over the intermediates
  float value;
};

/// Cells (i, j) of a pair (x, y) in the consistency transform, for kConsistencyRows successive
/// residues i of x and some residues j of y.
struct ConsistencyColumns {
  const std::uint32_t* row_of;  ///< [residue (z, k)]: the offset of its row in `x`, or 0
  const float* x;  ///< rows of kConsistencyRows values w_z S_xz(i, k); the first row is 0
  const std::uint32_t* y_begin;    ///< [residue j of y]: index of its first term
  const ConsistencyTerm* y_terms;  ///< (z, k) and S_zy(k, j), (z, k) increasing for each j
  const std::uint32_t* column;     ///< residues j of y, those with most terms first
  std::uint32_t columns;
  float* sums;  ///< kConsistencyRows sums for each residue of y; the terms are added to them
};

/// The arithmetic of the consistency transform, compiled for one instruction set. All give the same
/// bits.
struct ConsistencyKernels {
  void (*add_columns)(const ConsistencyColumns& columns);
};

}  // namespace accord::host
