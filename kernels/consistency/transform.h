// SPDX-License-Identifier: Apache-2.0
// The weighted consistency transform of one posterior cell (Do et al. 2005; weighted: Liu, Schmidt
// & Maskell 2010, Bioinformatics 26:1958). Only cells that are stored in S_xy are computed:
//
//   S'_xy(i,j) = [ f (w_x + w_y) S_xy(i,j) + sum_z w_z sum_k S_xz(i,k) S_zy(k,j) ] / W
//   W          = f (w_x + w_y) + sum_z w_z             z: intermediates other than x and y
//
// S are the stored posteriors, S' the new ones, w the weights of the sequences, and f is the self
// weight.
//
// Terms are added in increasing order of (z, k), each with one fused multiply-add, so that every
// device gets the same bits. The host computes 1 / W once per pair.
#ifndef ACCORD_KERNELS_CONSISTENCY_TRANSFORM_H
#define ACCORD_KERNELS_CONSISTENCY_TRANSFORM_H
#include "shared/layout.h"

// Converts 16 bits of units of 2^-16 to the exact fraction. The units become the low end of the
// mantissa of 128 + fraction, which is cheaper than a conversion and a multiplication.
ACCORD_FUNCTION float accord_fraction(accord_u32 units) {
  accord_float_bits bits;
  bits.u = 0x43000000u | units;
  return bits.f - 128.0f;
}

// The direct term; self = f (w_x + w_y).
ACCORD_FUNCTION float accord_consistency_start(float self, accord_u32 units) {
  return self * ACCORD_FRACTION_OF_UNITS(units);
}

// Adds one term: weighted = accord_consistency_weighted(w_z, S_xz(i,k)), value = S_zy(k,j).
ACCORD_FUNCTION float accord_consistency_add(float sum, float weighted, float value) {
  return accord_fma_scalar(weighted, value, sum);
}

// The factor of the terms of one k: w_z S_xz(i,k).
ACCORD_FUNCTION float accord_consistency_weighted(float weight, float value) {
  return weight * value;
}

// The new cell in units of 2^-16, or 0 if it is below the cutoff.
ACCORD_FUNCTION accord_u32 accord_consistency_finish(float sum, float inverse_total, float cutoff) {
  const float p = sum * inverse_total;
  const accord_u32 units = ACCORD_UNITS_OF_FRACTION(p);
  return p < cutoff ? 0u : (units < 65535u ? units : 65535u);
}

#endif
