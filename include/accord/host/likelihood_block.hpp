// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "shared/likelihood.h"

namespace accord::host {

/// The likelihood of one tree for ACCORD_PATTERN_BLOCK patterns (names as in shared/likelihood.h).
///
/// Shape   a value of a state is a row of ACCORD_PATTERN_BLOCK lanes; matrices are stored in
///         columns, [j][s], so that the terms of successive s lie side by side.
struct LikelihoodBlock {
  std::uint32_t tips, joins, states, categories;
  std::uint32_t table_width;  ///< codes in a row of a tip's table, a multiple of 16
  const std::uint32_t* left;  ///< of each join
  const std::uint32_t* right;
  const accord_real* matrices;        ///< P of inner nodes: [join][category][j][s]
  const accord_real* tables;          ///< M of a tip by its code: [tip][category][s][code]
  const accord_real* slope_matrices;  ///< the same of r Q P; null if no slopes are wanted
  const accord_real* slope_tables;
  const accord_real* frequencies;
  const std::uint8_t* codes;  ///< of the first pattern; a tip has `code_stride` of them
  std::uint64_t code_stride;
  accord_real* messages;     ///< M of inner nodes, then H: [join][category][s][lane]
  std::int32_t* exponents;   ///< of M, then of H: [join][category][lane]
  std::int32_t* shifts;      ///< by which F was scaled: [join][category][lane]
  accord_real* scratch;      ///< 5 nodes of one category: [s][lane] each
  accord_real* root;         ///< out: L of each category, [category][lane]; its exponent is
                             ///< that of the last join
  const accord_real* share;  ///< in: what 1 unit of dL at the root's exponent is in the slope of
                             ///< the logarithm, [category][lane]
  accord_real* slope;        ///< out: one per node, 0 for the root
};

/// out(s,j) = sum_k right(s,k) factor(k) left(k,j), in increasing order of k.
struct TransitionProduct {
  std::uint32_t states;
  const accord_real* right_columns;  ///< [k][s]
  const accord_real* factors;
  const accord_real* left;  ///< [k][j]
  bool is_probability;      ///< what is below 0, by rounding, becomes 0
  accord_real* scratch;     ///< states * (states + 8) values
  accord_real* out;         ///< [j][s]
};

/// The peeling of blocks, compiled for one instruction set. All give the same bits.
struct LikelihoodKernels {
  /// Sets `root` and what the second step needs.
  void (*peel)(LikelihoodBlock& block);
  /// Sets `slope`, once `share` is known.
  void (*find_slopes)(LikelihoodBlock& block);
  void (*transition)(const TransitionProduct& product);
};

}  // namespace accord::host
