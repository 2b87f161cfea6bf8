// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "engine/host/kernels.hpp"
#include "likelihood/peel.h"

namespace accord::host {

/// The likelihood of one tree for ACCORD_PATTERN_BLOCK patterns, in floats or doubles. The caller
/// provides all memory, which must outlive the calls of PeelKernels.
///
/// The names are those of likelihood/peel.h, for a node v and a state s. P(s,j) = exp(Q r t) is the
/// probability of a change from s to j along the branch above v, where t is its length, Q are the
/// rates of substitution, and r is the rate of the category. F(s) is the likelihood of the subtree
/// of v if v has the state s. M(s) = sum_j P(s,j) F(j) is that likelihood if the parent of v has
/// the state s. H(s) is the likelihood of all tips outside the subtree of v if v has the state s.
/// L = sum_s frequencies[s] F(s) at the root. Nodes 0 ... tips - 1 are tips; node tips + k is join
/// k, an inner node.
///
/// Shape   a value of a state is a row of ACCORD_PATTERN_BLOCK lanes; matrices are stored in
///         columns, [j][s], so that the terms of successive s lie side by side.
template <class Real>
struct LikelihoodBlock {
  std::uint32_t tips, joins, states, categories;  ///< their numbers
  std::uint32_t table_width;   ///< codes in a row of a tip's table, a multiple of 16
  const std::uint32_t* left;   ///< [join]: its left child, a node
  const std::uint32_t* right;  ///< [join]: its right child, a node
  const Real* matrices;        ///< P of inner nodes: [join][category][j][s]
  const Real* tables;          ///< M of a tip by its code: [tip][category][s][code]
  const Real* slope_matrices;  ///< as `matrices`, with r Q P for P; null if no slopes are wanted
  const Real* slope_tables;    ///< as `tables`, with r Q P for P; null if no slopes are wanted
  const Real* frequencies;     ///< [s]: probability of the state at the root
  const std::uint8_t* codes;   ///< [tip * code_stride + pattern], from the block's first pattern on
  std::uint64_t code_stride;   ///< codes of a tip
  Real* messages;              ///< M of inner nodes, then H: [join][category][s][lane]
  std::int32_t* exponents;     ///< of M, then of H: [join][category][lane]
  std::int32_t* shifts;        ///< F was scaled by 2 to this power: [join][category][lane]
  Real* scratch;               ///< 5 nodes of one category: [s][lane] each
  Real* root;                  ///< out: L of each category, [category][lane]; its exponent is
                               ///< that of the last join
  /// In: the factor by which dL at the root's exponent goes into `slope`, [category][lane]. It
  /// includes the weights of the category and of the pattern.
  const Real* share;
  /// Out: [node], the derivative of the block's log likelihood by the length of the branch above
  /// the node; 0 for the root.
  Real* slope;
};

/// out(s,j) = sum_k right(s,k) factor(k) left(k,j), in increasing order of k.
struct TransitionProduct {
  std::uint32_t states;
  const double* right_columns;  ///< [k][s]
  const double* factors;
  const double* left;   ///< [k][j]
  bool is_probability;  ///< a value below 0, by rounding, becomes 0
  double* scratch;      ///< states * (states + 8) values
  double* out;          ///< [j][s]
};

/// The peeling of blocks, compiled for one instruction set. All give the same bits.
template <class Real>
struct PeelKernels {
  /// Computes `root`, and M, exponents and shifts for find_slopes().
  void (*peel)(LikelihoodBlock<Real>& block);
  /// Sets `slope`, once `share` is known.
  void (*find_slopes)(LikelihoodBlock<Real>& block);
};

struct QuartetKernels;  // phylogeny/local_fit/quartet_kernels.hpp

/// The kernels of phylogeny, compiled for one instruction set. No pointer is null.
struct LikelihoodKernels {
  PeelKernels<double> of_doubles;
  const PeelKernels<float>* of_floats;
  /// Computes a matrix of transitions, in doubles whatever the precision of the likelihood.
  void (*transition)(const TransitionProduct& product);
  const QuartetKernels* quartets;
};

/// The kernels of phylogeny for the instruction set of `kernels`.
const LikelihoodKernels& likelihood_kernels(const Kernels& kernels);

}  // namespace accord::host
