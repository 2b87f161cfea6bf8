// SPDX-License-Identifier: Apache-2.0
// From tables to posteriors: totals in pairs of floats, reciprocal and square root from fused
// multiply-adds, and the root mean square of the two models.
//
//   P = M * S_reversed / Z for each model;  Q = P_hmm^2 + P_pf^2;  posterior = sqrt(Q / 2)
//
// (Liu, Schmidt & Maskell 2010, Bioinformatics 26:1958.)
#ifndef ACCORD_SHARED_COMBINE_H
#define ACCORD_SHARED_COMBINE_H
#include "shared/layout.h"
#include "shared/scaling.h"

// A sum (high + low) * 2^scale with about 46 significant bits; 0 has scale ACCORD_NO_EXPONENT.
typedef struct accord_total {
  accord_vf high, low;
  accord_vi scale;
} accord_total;

ACCORD_FUNCTION accord_total accord_total_zero(void) {
  accord_total total;
  total.high = accord_set(0.0f);
  total.low = accord_set(0.0f);
  total.scale = accord_set_int(ACCORD_NO_EXPONENT);
  return total;
}

// total + (high + low) * 2^scale; high >= 0, |low| at most an ulp of high. Both are brought to the
// larger scale with leading terms below 2 before they are added (Knuth's two-sum on each half).
ACCORD_FUNCTION void accord_total_add(accord_total* total, accord_vf high, accord_vf low,
                                      accord_vi scale) {
  const accord_vi exponent = accord_exponent(high);
  const accord_vi term_scale =
      accord_choose_positive(high, exponent + scale, accord_set_int(ACCORD_NO_EXPONENT));
  const accord_vi common = accord_max_int(total->scale, term_scale);
  const accord_vf shrink_total = accord_pow2(total->scale - common);
  const accord_vf shrink_term = accord_pow2(term_scale - common);
  const accord_vf normalise = accord_pow2(-exponent);
  const accord_vf a = total->high * shrink_total;
  const accord_vf b = high * normalise * shrink_term;
  const accord_vf sum = a + b;
  const accord_vf b_part = sum - a;
  const accord_vf error = (a - (sum - b_part)) + (b - b_part);
  const accord_vf rest = error + (total->low * shrink_total + low * normalise * shrink_term);
  total->high = sum + rest;
  total->low = rest - (total->high - sum);
  total->scale = common;
}

// total + value * (weight[0] + weight[1]) * 2^scale, the product exact to about 46 bits
ACCORD_FUNCTION void accord_total_add_product(accord_total* total, accord_vf value,
                                              ACCORD_CONSTANT const float* weight,
                                              accord_vi scale) {
  // Normalised first, so that the error term of the product is not denormal.
  const accord_vi exponent = accord_exponent(value);
  const accord_vf v = value * accord_pow2(-exponent);
  const accord_vf high = v * accord_set(weight[0]);
  const accord_vf error = accord_fma(v, accord_set(weight[0]), -high);
  accord_total_add(total, high, accord_fma(v, accord_set(weight[1]), error), exponent + scale);
}

// 1 / total as r * 2^-scale with r in (1/2, 1], correct to an ulp. A total of 0 gives r = 0.
typedef struct accord_inverse {
  accord_vf r;
  accord_vi scale;
} accord_inverse;

ACCORD_FUNCTION accord_inverse accord_invert(accord_total total) {
  accord_inverse inverse;
  const accord_vi exponent = accord_exponent(total.high);
  const accord_vf normalise = accord_pow2(-exponent);
  const accord_vf z = total.high * normalise;
  const accord_vf z_low = total.low * normalise;
  const accord_vf one = accord_set(1.0f);
  accord_vf r = accord_as_vf(accord_set_int(0x7EF311C7) - accord_as_vi(z));
  for (int step = 0; step < 3; ++step) r = accord_fma(r, accord_fma(-z, r, one), r);
  // The last step takes the low half of the total into account.
  r = accord_fma(r, accord_fma(-z_low, r, accord_fma(-z, r, one)), r);
  inverse.r = accord_where_gt_int(accord_as_vi(total.high), accord_set_int(0), r);
  inverse.scale = total.scale + exponent;
  return inverse;
}

// Factor that turns M * S of a tile into posteriors; 0 if nothing in the tile can be worth keeping
// (M * S < 2^76, so P < 2^-24 below the lower bound) or no cell can be that large.
ACCORD_FUNCTION accord_vf accord_posterior_factor(accord_vi forward_scale, accord_vi backward_scale,
                                                  accord_inverse inverse) {
  const accord_vi shift = forward_scale + backward_scale - inverse.scale;
  const accord_vi none = accord_set_int(-127);
  const accord_vi in_range =
      accord_choose_gt_int(accord_set_int(-100), shift, none,
                           accord_choose_gt_int(shift, accord_set_int(114), none, shift));
  return inverse.r * accord_pow2(in_range);
}

ACCORD_FUNCTION accord_vf accord_posterior(accord_vf forward_m, accord_vf backward_s,
                                           accord_vf factor) {
  return accord_min(accord_set(1.0f), forward_m * backward_s * factor);
}

// square root of a positive float, at most an ulp off: reciprocal root by Newton steps, one
// correction
ACCORD_FUNCTION float accord_square_root(float v) {
  accord_float_bits seed;
  seed.f = v;
  seed.u = 0x5f3759dfu - (seed.u >> 1);
  float y = seed.f;
  const float halved = 0.5f * v;
  for (int step = 0; step < 3; ++step) y = y * accord_fma_scalar(-(halved * y), y, 1.5f);
  const float root = v * y;
  return accord_fma_scalar(accord_fma_scalar(-root, root, v), 0.5f * y, root);
}

// the root mean square of two probabilities from the sum of their squares
ACCORD_FUNCTION float accord_root_mean_square(float sum_of_squares) {
  return accord_square_root(0.5f * sum_of_squares);
}

#endif
