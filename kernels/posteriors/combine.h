// SPDX-License-Identifier: Apache-2.0
// From the tables of both models to posteriors: totals as pairs of floats, reciprocal and square
// root from fused multiply-adds, and the combination of the two models.
//
//   P = M * S_reversed / Z for each model;  with shares h, q and the share r of squares
//   posterior = (1 - r) (h P_hmm + q P_pf) + r sqrt(h P_hmm^2 + q P_pf^2)
//
// (The root mean square alone, r = 1 and h = q: Liu, Schmidt & Maskell 2010, Bioinformatics
// 26:1958.)
#ifndef ACCORD_KERNELS_POSTERIORS_COMBINE_H
#define ACCORD_KERNELS_POSTERIORS_COMBINE_H
#include "posteriors/scaling.h"
#include "shared/layout.h"

// A sum (high + low) * 2^scale with about 46 significant bits; 0 has scale ACCORD_NO_EXPONENT.
typedef struct accord_total {
  accord_vf high, low;
  accord_vi scale;
} accord_total;

// The total 0.
ACCORD_FUNCTION accord_total accord_total_zero(void) {
  accord_total total;
  total.high = accord_set(0.0f);
  total.low = accord_set(0.0f);
  total.scale = accord_set_int(ACCORD_NO_EXPONENT);
  return total;
}

// Adds (high + low) * 2^scale to `total`; high >= 0, |low| at most an ulp of high. The function
// shifts the new number so that its leading term is below 2, brings both numbers to the larger
// scale, and adds them: the high halves by Knuth's two-sum, whose error goes to the low halves.
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

// Adds value * (weight[0] + weight[1]) * 2^scale to `total`. The product is exact to about 46 bits.
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

// Computes 1 / total.
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

// The backward sweep hands values from a tile to the tiles that come before it in forward order.
// The tile hands nothing on if all paths through the border between them together weigh less than
// 2^-ACCORD_LOST of the total. Each such tile lowers a posterior of another tile by less than
// 2^-ACCORD_LOST.
//
// These paths weigh at most 2^(f + b + ACCORD_CROSSINGS). f is the exponent of the largest forward
// value at the border that they cross: at most the tile's forward exponent plus
// ACCORD_TARGET_EXPONENT. b is the exponent of the largest backward value that the tile hands on.
// ACCORD_CROSSINGS = 7 + 2 + 2:
//   2^7  at most 17 matches and 96 gaps (16 cells, 3 classes, opened or extended) cross the border;
//   2^2  both values of an extended gap have the factor of its opening, which a path has once and
//        which is at least 1 / ACCORD_MOST_OPENING;
//   2^2  each of the two values is less than 2 times the power of two of its exponent.
#ifndef ACCORD_LOST
#define ACCORD_LOST 40
#endif
#define ACCORD_CROSSINGS 11

// The least exponent of the values that a backward tile hands on. `forward_scale` is the exponent
// of the mirrored forward tile; `inverse` is 1 / the total of the model.
ACCORD_FUNCTION accord_vi accord_least_handed_on(accord_vi forward_scale, accord_inverse inverse) {
  return inverse.scale - forward_scale -
         accord_set_int(ACCORD_LOST + ACCORD_CROSSINGS + ACCORD_TARGET_EXPONENT);
}

// The exponent of the values that a tile hands on; ACCORD_NO_EXPONENT if the tile hands nothing on.
// `largest` is the largest of these values, in the scale `scale`; `least` is the result of
// accord_least_handed_on().
ACCORD_FUNCTION accord_vi accord_scale_handed_on(accord_vf largest, accord_vi scale,
                                                 accord_vi least) {
  return accord_choose_gt_int(least, accord_input_exponent(largest, scale),
                              accord_set_int(ACCORD_NO_EXPONENT), scale);
}

// Whether values enter a tile in any lane. `scale` is the exponent of the tile;
// ACCORD_NO_EXPONENT in the lanes in which nothing enters it.
ACCORD_FUNCTION int accord_any_enters(accord_vi scale) {
  const accord_vf enters =
      accord_where_gt_int(scale, accord_set_int(ACCORD_NO_EXPONENT / 2), accord_set(1.0f));
  return accord_mask_ge(enters, accord_set(1.0f)) != 0;
}

// The factor that turns M * S of a tile into posteriors: inverse.r * 2^shift. For a shift below
// -100 the factor is 0: since M * S < 2^76, every posterior is below 2^-24, and no cell is kept.
// For a shift above 114 the factor is 0, too: no tile with a cell to keep has such a shift.
ACCORD_FUNCTION accord_vf accord_posterior_factor(accord_vi forward_scale, accord_vi backward_scale,
                                                  accord_inverse inverse) {
  const accord_vi shift = forward_scale + backward_scale - inverse.scale;
  const accord_vi none = accord_set_int(-127);
  const accord_vi in_range =
      accord_choose_gt_int(accord_set_int(-100), shift, none,
                           accord_choose_gt_int(shift, accord_set_int(114), none, shift));
  return inverse.r * accord_pow2(in_range);
}

// The posterior of a cell in one model, at most 1.
ACCORD_FUNCTION accord_vf accord_posterior(accord_vf forward_m, accord_vf backward_s,
                                           accord_vf factor) {
  return accord_min(accord_set(1.0f), forward_m * backward_s * factor);
}

// The square root of nonnegative floats, at most an ulp off: reciprocal root by Newton steps, then
// one correction.
ACCORD_FUNCTION accord_vf accord_square_root(accord_vf v) {
  accord_vf y = accord_as_vf(accord_set_int(0x5f3759df) - ACCORD_SHIFT_RIGHT(accord_as_vi(v), 1));
  const accord_vf one_half = accord_set(0.5f), halved = one_half * v;
  for (int step = 0; step < 3; ++step) y = y * accord_fma(-(halved * y), y, accord_set(1.5f));
  const accord_vf root = v * y;
  return accord_fma(accord_fma(-root, root, v), one_half * y, root);
}

// How the posteriors of the two models are combined, and which cells are kept.
typedef struct accord_combination {
  int uses[ACCORD_MODELS];           // 0: the model has no share
  float hmm_share, partition_share;  // h, q
  float mean_share, square_share;    // 1 - r, r
  float square_share_2;              // r^2
  float cutoff;                      // cells with at least this posterior are kept
  float hmm_root, partition_root;    // sqrt(h), sqrt(q)
  float reject_below;                // cells with a smaller mean square are dropped
} accord_combination;

// Makes the combination from the shares and the cutoff of `model`, which describes both the
// pair-HMM and the partition function.
ACCORD_FUNCTION accord_combination
accord_combination_of(ACCORD_CONSTANT const accord_model* model) {
  accord_combination c;
  c.uses[ACCORD_HMM] = model->hmm_share > 0.0f;
  c.uses[ACCORD_PARTITION] = model->partition_share > 0.0f;
  c.hmm_share = model->hmm_share;
  c.partition_share = model->partition_share;
  c.mean_share = 1.0f - model->square_share;
  c.square_share = model->square_share;
  c.square_share_2 = model->square_share * model->square_share;
  c.cutoff = model->cutoff;
  accord_vf root = accord_square_root(accord_set(model->hmm_share));
  c.hmm_root = accord_lane(root, 0);
  root = accord_square_root(accord_set(model->partition_share));
  c.partition_root = accord_lane(root, 0);
  // The root mean square is at least the mean, so that a kept cell has a root mean square of at
  // least the cutoff; the margin is many times the effect of rounding.
  c.reject_below = model->cutoff * model->cutoff * 0.9999f;
  return c;
}

// An upper bound of the mean squares of some cells. If the bound is below
// accord_combination.reject_below, no cell is kept. `hmm` and `partition` are the largest M S of
// each model among the cells. The weights are the factors of accord_posterior_factor times the
// roots of the shares. The bound does not limit posteriors to 1, so only rounding can make it too
// small.
ACCORD_FUNCTION accord_vf accord_mean_square_bound(accord_vf hmm, accord_vf hmm_weight,
                                                   accord_vf partition,
                                                   accord_vf partition_weight) {
  const accord_vf p = hmm * hmm_weight, q = partition * partition_weight;
  return accord_fma(p, p, q * q);
}

// h P^2 + q Q^2
ACCORD_FUNCTION accord_vf accord_mean_square(const accord_combination* c, accord_vf p,
                                             accord_vf q) {
  return accord_fma(accord_set(c->hmm_share) * p, p, accord_set(c->partition_share) * q * q);
}

// h P + q Q
ACCORD_FUNCTION accord_vf accord_mean(const accord_combination* c, accord_vf p, accord_vf q) {
  return accord_fma(accord_set(c->hmm_share), p, accord_set(c->partition_share) * q);
}

// Decides without a root whether a cell is kept: posterior >= cutoff is equivalent to left >=
// right, with left = r^2 (mean square) and right = max(0, cutoff - (1 - r) mean)^2.
typedef struct accord_comparison {
  accord_vf left, right;
} accord_comparison;

// Compares a cell with the cutoff, by its posteriors p and q of the two models.
ACCORD_FUNCTION accord_comparison accord_compare_with_cutoff(const accord_combination* c,
                                                             accord_vf p, accord_vf q) {
  const accord_vf rest = accord_max(
      accord_set(0.0f),
      accord_fma(accord_set(-c->mean_share), accord_mean(c, p, q), accord_set(c->cutoff)));
  accord_comparison comparison;
  comparison.left = accord_set(c->square_share_2) * accord_mean_square(c, p, q);
  comparison.right = rest * rest;
  return comparison;
}

// The posterior of a cell from those of both models. With r = 1 it is exactly the root, with r = 0
// exactly the mean.
ACCORD_FUNCTION accord_vf accord_combined(const accord_combination* c, accord_vf p, accord_vf q) {
  const accord_vf root = accord_square_root(accord_mean_square(c, p, q));
  return accord_fma(accord_set(c->mean_share), accord_mean(c, p, q),
                    accord_set(c->square_share) * root);
}

#endif
