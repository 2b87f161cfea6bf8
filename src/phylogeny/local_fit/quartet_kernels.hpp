// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "likelihood/peel.h"

namespace accord::host {

// A block holds ACCORD_PATTERN_BLOCK patterns, its lanes. It has a row of one value per lane for
// each state of each category, category by category; with one rate, for each eigenvalue.

/// A block of patterns seen from one branch. Its likelihood is the sum of products times factors.
struct BranchBlock {
  const accord_real* products;  ///< rows: the values of the branch's two ends, multiplied
  /// `rows` factors each for the likelihood and its first and second derivative by the length.
  const accord_real* factors;
  std::uint32_t rows;
  const accord_real* invariant;  ///< [lane]: what invariant sites add, scaled as the products are
  const accord_real* weights;    ///< [lane]: columns of the pattern; 0 where there is no pattern
};

/// The arithmetic of local fits, compiled for one instruction set. All give the same bits.
struct QuartetKernels {
  /// out(s) = sum_j matrix(s,j) in(j) for the rows of one category; the matrix in columns.
  void (*multiply)(const accord_real* matrix, const accord_real* in, std::uint32_t states,
                   accord_real* out);
  /// out(row, lane) = table(row, codes[lane]); a row of the table has `width` values.
  void (*look_up)(const accord_real* table, std::uint32_t rows, std::uint32_t width,
                  const std::uint8_t* codes, accord_real* out);
  /// out = a b 2^shift[lane]; `shift` is 0 unless the largest value of the lane is small.
  void (*product)(const accord_real* a, const accord_real* b, std::uint32_t rows, accord_real* out,
                  std::int32_t* shift);
  /// out = a b.
  void (*multiply_rows)(const accord_real* a, const accord_real* b, std::uint32_t rows,
                        accord_real* out);
  /// out(row) = in(row) factors(row).
  void (*scale_rows)(const accord_real* in, const accord_real* factors, std::uint32_t rows,
                     accord_real* out);
  /// Two sums over the lanes: weight times slope, and times curvature, of the log likelihood.
  void (*slopes)(const BranchBlock& block, accord_real* slope_and_curvature);
  /// Computes the likelihood of each lane, without the part of invariant sites.
  void (*likelihoods)(const BranchBlock& block, accord_real* out);
  /// sum_row factors(row) a(row) b(row) c(row) of each lane.
  void (*likelihoods_at_node)(const accord_real* const messages[3], const accord_real* factors,
                              std::uint32_t rows, accord_real* out);
};

}  // namespace accord::host
