// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "engine/host/kernels.hpp"
#include "likelihood/peel.h"

namespace accord::host {

/// Values of ACCORD_PATTERN_BLOCK patterns, lanes, in rows: one for each state of each category,
/// those of a category together. With one rate a row is an eigenvalue instead of a state.

/// What a branch says of a block: its two ends' values by eigenvalue, multiplied.
struct BranchBlock {
  const accord_real* products;
  const accord_real* factors;  ///< of each row, for the likelihood, its slope and its curvature
  std::uint32_t rows;
  const accord_real* invariant;  ///< what each lane has beside, at its exponent
  const accord_real* weights;    ///< of the lanes; 0 where there is no pattern
};

/// The arithmetic of local fits, compiled for one instruction set. All give the same bits.
struct QuartetKernels {
  /// out(s) = sum_j matrix(s,j) in(j) for the rows of one category; the matrix in columns.
  void (*multiply)(const accord_real* matrix, const accord_real* in, std::uint32_t states,
                   accord_real* out);
  /// Of each row of a table the values at the lanes' codes; a row has `width` of them.
  void (*look_up)(const accord_real* table, std::uint32_t rows, std::uint32_t width,
                  const std::uint8_t* codes, accord_real* out);
  /// out = a b, each lane scaled if its largest value is small; says by which powers of two.
  void (*product)(const accord_real* a, const accord_real* b, std::uint32_t rows, accord_real* out,
                  std::int32_t* shift);
  /// out = a b.
  void (*multiply_rows)(const accord_real* a, const accord_real* b, std::uint32_t rows,
                        accord_real* out);
  /// out(row) = in(row) factors(row).
  void (*scale_rows)(const accord_real* in, const accord_real* factors, std::uint32_t rows,
                     accord_real* out);
  /// The weighted sums over the lanes of the slope and the curvature of the logarithm.
  void (*slopes)(const BranchBlock& block, accord_real* slope_and_curvature);
  /// The likelihood of each lane, without the part of invariant sites.
  void (*likelihoods)(const BranchBlock& block, accord_real* out);
  /// sum_row factors(row) a(row) b(row) c(row) of each lane.
  void (*likelihoods_at_node)(const accord_real* const messages[3], const accord_real* factors,
                              std::uint32_t rows, accord_real* out);
};

/// Those of the instruction set of other kernels.
const QuartetKernels& quartet_kernels(const Kernels& of);

}  // namespace accord::host
