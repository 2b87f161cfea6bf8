// SPDX-License-Identifier: Apache-2.0
// M (recursion.h) of the forward sweep in the group layout: where it is stored, and how the
// backward sweep emits posteriors from it. OpenCL C only.
#ifndef ACCORD_KERNELS_POSTERIORS_GROUP_MATCH_H
#define ACCORD_KERNELS_POSTERIORS_GROUP_MATCH_H
#include "posteriors/group_strip.h"

// The place of M of a tile in memory. In a step, the items of a team compute different tiles; M of
// these tiles is adjacent, so that the items write and read whole lines of memory. A pass has
// `width` strips: ACCORD_TEAM, or fewer in the last pass. For the tile in strip s of a pass and in
// tile row I, row r is stored at [(I + s) mod tile rows][r][model][half of the columns][s].
typedef struct accord_match_tile {
  uint width;
  uint slot;     // (I + s) mod tile rows
  uint in_pass;  // s, the place of the strip in the pass
  uint pass;     // first strip of the pass
} accord_match_tile;

// The place of M of a tile: strip `strip` of the band, tile row `tile_row`.
ACCORD_FUNCTION accord_match_tile accord_match_tile_at(__local const accord_group_team* team,
                                                       int strip, int tile_row) {
  accord_match_tile tile;
  tile.in_pass = (uint)strip % ACCORD_TEAM;
  tile.pass = (uint)strip - tile.in_pass;
  tile.width = min((uint)ACCORD_TEAM, (uint)team->tiles - tile.pass);
  const uint row_tiles = (uint)team->row_tiles;
  tile.slot = (uint)tile_row + tile.in_pass;
  // Usually one subtraction is enough; few rows with a large team need more.
  if (tile.slot >= row_tiles) tile.slot -= row_tiles;
  if (tile.slot >= row_tiles) tile.slot %= row_tiles;  // of integers
  return tile;
}

// The first row of M of a tile, as four vectors that are `width` apart: the two halves for the
// pair-HMM, then the two halves for the partition function. The next row is 4 `width` further.
ACCORD_FUNCTION __global float4* accord_match_rows(__local const accord_group_team* team,
                                                   accord_match_tile tile) {
  const uint row_vectors = 2 * ACCORD_MODELS;
  return team->match +
         ((ulong)tile.pass * (uint)team->row_tiles + tile.slot * tile.width) *
             (ACCORD_TILE * row_vectors) +
         tile.in_pass;
}

// The address of the packed exponent and largest M (accord_pack_scale) of a tile for the pair-HMM;
// the number for the partition function is `width` elements behind.
ACCORD_FUNCTION __global int* accord_match_scale(__local const accord_group_team* team,
                                                 accord_match_tile tile) {
  return team->match_scale +
         ACCORD_MODELS * ((ulong)tile.pass * (uint)team->row_tiles + tile.slot * tile.width) +
         tile.in_pass;
}

// Packs the exponent `scale` of a tile and a bound of its largest M, `most`, in one number. The
// bound is the next power of two above `most` that has an odd exponent. accord_packed_scale and
// accord_packed_most return the exponent and the bound. The exponent has 25 bits, which are enough
// for sequences of three million residues (a match weighs less than 2^5.3); -2^24 stands for no
// exponent. The host does not launch pairs with longer sequences (kGroupResidues).
#define ACCORD_MOST_BITS 7
ACCORD_FUNCTION int accord_pack_scale(int scale, float most) {
  const int half_of_exponent = (int)((as_uint(most) >> 23) + 2u) / 2;
  return max(scale, -(1 << 24)) * (1 << ACCORD_MOST_BITS) + half_of_exponent;
}
ACCORD_FUNCTION int accord_packed_scale(int packed) { return packed >> ACCORD_MOST_BITS; }
ACCORD_FUNCTION float accord_packed_most(int packed) {
  return as_float((packed & ((1 << ACCORD_MOST_BITS) - 1)) << 24);
}

// Stores the exponents and the largest M of a tile, for both models.
ACCORD_FUNCTION void accord_store_scales(__local const accord_group_team* team,
                                         accord_match_tile tile, int hmm_scale, float hmm_most,
                                         int pf_scale, float pf_most) {
  __global int* scale = accord_match_scale(team, tile);
  scale[0] = accord_pack_scale(hmm_scale, hmm_most);
  scale[tile.width] = accord_pack_scale(pf_scale, pf_most);
}

// The largest M, or S (recursion.h), of a row.
ACCORD_FUNCTION float accord_largest_m(const accord_side* top) {
  float most = top[0].m;
  ACCORD_UNROLL
  for (int c = 1; c < ACCORD_TILE; ++c) most = accord_max(most, top[c].m);
  return most;
}
ACCORD_FUNCTION float accord_largest_s(const accord_side* top) {
  float most = top[0].s;
  ACCORD_UNROLL
  for (int c = 1; c < ACCORD_TILE; ++c) most = accord_max(most, top[c].s);
  return most;
}

// M, or S, of 4 columns of a row.
ACCORD_FUNCTION float4 accord_four_m(const accord_side* top) {
  return (float4)(top[0].m, top[1].m, top[2].m, top[3].m);
}
ACCORD_FUNCTION float4 accord_four_s(const accord_side* top) {
  return (float4)(top[0].s, top[1].s, top[2].s, top[3].s);
}

// Stores M of a row of the strip, for both models, in four vectors that are `width` apart (see
// accord_match_rows).
ACCORD_FUNCTION void accord_store_row(const accord_strip* strip, __global float4* to, uint width) {
  to[0] = accord_four_m(strip->of[ACCORD_HMM].top);
  to[width] = accord_four_m(strip->of[ACCORD_HMM].top + 4);
  to[2 * width] = accord_four_m(strip->of[ACCORD_PARTITION].top);
  to[3 * width] = accord_four_m(strip->of[ACCORD_PARTITION].top + 4);
}

// M of 8 columns of a row, for both models.
typedef struct accord_match_values {
  float4 hmm[2], pf[2];
} accord_match_values;

// Loads M of a row, for both models, as accord_store_row() has stored it.
ACCORD_FUNCTION accord_match_values accord_load_row(__global const float4* from, uint width) {
  accord_match_values values;
  values.hmm[0] = from[0];
  values.hmm[1] = from[width];
  values.pf[0] = from[2 * width];
  values.pf[1] = from[3 * width];
  return values;
}

// Computes the posteriors of half a row of one model, in forward order. `m` has M of 4 forward
// cells, `s` has S of the backward cells that mirror them, in backward order.
ACCORD_FUNCTION void accord_four_posteriors(float4 m, float4 s, float factor, float* posterior) {
  posterior[0] = accord_posterior(m.x, s.w, factor);
  posterior[1] = accord_posterior(m.y, s.z, factor);
  posterior[2] = accord_posterior(m.z, s.y, factor);
  posterior[3] = accord_posterior(m.w, s.x, factor);
}

// Returns 0 if S of the row in the strip is so small that no cell of the row can be kept.
// `hmm_most`, `pf_most`: a bound of M of the mirrored tile, times the posterior factor of the tile,
// times the root of the model's share.
ACCORD_FUNCTION int accord_may_keep(const accord_strip* strip,
                                    __local const accord_group_team* team, float hmm_most,
                                    float pf_most) {
  const float bound =
      accord_mean_square_bound(accord_largest_s(strip->of[ACCORD_HMM].top), hmm_most,
                               accord_largest_s(strip->of[ACCORD_PARTITION].top), pf_most);
  return !(bound < team->combination.reject_below);
}

// Emits the kept cells of one row: backward S in the strip with the mirrored forward M. Each cell
// stores the posteriors of both models, which pack_cells or make_matrices combines. `hmm_factor`,
// `pf_factor`: the factors that turn M * S of the tile into posteriors (accord_posterior_factor).
// `forward_row` and `forward_column` are the row and the first column of the cells in the matrix,
// where row and column 0 are the border. The cells of a row beyond the capacity are counted, but
// not stored.
ACCORD_FUNCTION void accord_emit_row(const accord_strip* strip, __local accord_group_team* team,
                                     const accord_match_values* match, float hmm_factor,
                                     float pf_factor, int forward_row, int forward_column) {
  const accord_combination combination = team->combination;
  // S of the columns that mirror the first half of the forward columns, then the second half.
  const float4 hmm_s[2] = {accord_four_s(strip->of[ACCORD_HMM].top + 4),
                           accord_four_s(strip->of[ACCORD_HMM].top)};
  const float4 pf_s[2] = {accord_four_s(strip->of[ACCORD_PARTITION].top + 4),
                          accord_four_s(strip->of[ACCORD_PARTITION].top)};
  const int i = forward_row - 1, j = forward_column - 1;
  if (i < 0 || i >= team->m) return;
  float p[ACCORD_TILE], q[ACCORD_TILE];
  accord_four_posteriors(match->hmm[0], hmm_s[0], hmm_factor, p);
  accord_four_posteriors(match->hmm[1], hmm_s[1], hmm_factor, p + 4);
  accord_four_posteriors(match->pf[0], pf_s[0], pf_factor, q);
  accord_four_posteriors(match->pf[1], pf_s[1], pf_factor, q + 4);
  uint kept = 0;  // one bit per column
  ACCORD_UNROLL
  for (int c = 0; c < ACCORD_TILE; ++c) {
    const accord_comparison comparison = accord_compare_with_cutoff(&combination, p[c], q[c]);
    kept |= (uint)(comparison.left >= comparison.right) << c;
  }
  kept &= (j < 0 ? ~1u : ~0u) & ((1u << min(team->n - j, ACCORD_TILE)) - 1u);  // residues of y
  const uint count = popcount(kept);
  if (count == 0) return;
  const uint first = atomic_add(&team->found, count);
  if (first + count > team->capacity) return;  // the task will be computed again, with enough room
  __global uint4* cell = (__global uint4*)(team->cells + first);  // each cell is written at once
  ACCORD_UNROLL
  for (int c = 0; c < ACCORD_TILE; ++c) {
    if ((kept & 1u << c) == 0) continue;
    *cell++ = (uint4)((uint)i, (uint)(j + c), as_uint(p[c]), as_uint(q[c]));
  }
}

#endif
