// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace accord::host {

/// The number of residues of x whose sums are computed side by side in the consistency transform.
inline constexpr std::uint32_t kConsistencyRows = 8;

/// One posterior of a residue in the consistency transform: with residue k of an intermediate z.
struct ConsistencyTerm {
  std::uint32_t place;  ///< kConsistencyRows times the number of (z, k) among the residues of all
                        ///< intermediates
  float value;          ///< the posterior
};

/// Cells (i, j) of a pair (x, y) in the consistency transform, for kConsistencyRows successive
/// residues i of x and some residues j of y. The sum of a cell is over the residues k of all
/// intermediates z: w_z S_xz(i, k) S_zy(k, j), with w_z the weight of z and S_xz the posteriors of
/// x and z.
struct ConsistencyColumns {
  const float* x;                  ///< [residue (z, k)]: kConsistencyRows values w_z S_xz(i, k)
  const std::uint32_t* y_begin;    ///< [residue j of y]: index of its first term; [j + 1]: its end
  const ConsistencyTerm* y_terms;  ///< (z, k) and S_zy(k, j), (z, k) increasing for each j
  const std::uint32_t* column;     ///< the residues j of y, those with most terms first
  std::uint32_t columns;           ///< number of these residues
  float* sums;  ///< kConsistencyRows sums for each residue of y; the terms are added to them
};

/// The arithmetic of the consistency transform, compiled for one instruction set. The kernels of
/// all instruction sets give the same bits.
struct ConsistencyKernels {
  /// Adds the terms of the cells to columns.sums.
  void (*add_columns)(const ConsistencyColumns& columns);
};

}  // namespace accord::host
