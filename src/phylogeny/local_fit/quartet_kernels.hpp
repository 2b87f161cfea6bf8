// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "likelihood/peel.h"

namespace accord::host {

// A block holds the values of ACCORD_PATTERN_BLOCK patterns, its lanes. A row has one value for
// each lane. A block has a row for each state (or each eigenvalue) of the first category, then
// those of the next one.

/// A block of patterns, seen from one branch. The likelihood of a lane is the sum over the rows of
/// product times factor, plus the value of `invariant`.
struct BranchBlock {
  const accord_real* products;  ///< [row][lane]: product of the values of the branch's two ends
  /// A factor of each row for the likelihood, then those for its first derivative by the length of
  /// the branch, then those for its second derivative.
  const accord_real* factors;
  std::uint32_t rows;            ///< number of rows: states times categories
  const accord_real* invariant;  ///< [lane]: the part of invariant sites, scaled as the products
  const accord_real* weights;    ///< [lane]: number of columns of the pattern; 0 without a pattern
};

/// The arithmetic of local fits, compiled for one instruction set. The functions of all instruction
/// sets give the same bits. Blocks that they read and write have `rows` rows.
struct QuartetKernels {
  /// out(s) = sum_j matrix(s,j) in(j) in each lane, for the rows of one category. The matrix is
  /// stored column by column.
  void (*multiply)(const accord_real* matrix, const accord_real* in, std::uint32_t states,
                   accord_real* out);
  /// out(row, lane) = table(row, codes[lane]); a row of the table has `width` values.
  void (*look_up)(const accord_real* table, std::uint32_t rows, std::uint32_t width,
                  const std::uint8_t* codes, accord_real* out);
  /// out = a b 2^shift[lane]. The function sets `shift`: 0, unless the largest product of the lane
  /// is small.
  void (*product)(const accord_real* a, const accord_real* b, std::uint32_t rows, accord_real* out,
                  std::int32_t* shift);
  /// out = a b.
  void (*multiply_rows)(const accord_real* a, const accord_real* b, std::uint32_t rows,
                        accord_real* out);
  /// out(row, lane) = in(row, lane) factors(row).
  void (*scale_rows)(const accord_real* in, const accord_real* factors, std::uint32_t rows,
                     accord_real* out);
  /// Computes two sums over the lanes: the first and the second derivative of the log likelihood by
  /// the length of the branch, each times the weight of the lane.
  void (*slopes)(const BranchBlock& block, accord_real* slope_and_curvature);
  /// Computes the likelihood of each lane, without the part of invariant sites.
  void (*likelihoods)(const BranchBlock& block, accord_real* out);
  /// out(lane) = sum_row factors(row) a(row, lane) b(row, lane) c(row, lane); `messages` are a, b
  /// and c.
  void (*likelihoods_at_node)(const accord_real* const messages[3], const accord_real* factors,
                              std::uint32_t rows, accord_real* out);
};

}  // namespace accord::host
