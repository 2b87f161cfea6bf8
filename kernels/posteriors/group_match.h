// SPDX-License-Identifier: Apache-2.0
// Forward M in the group layout: where it lies, and the cells emitted with it. OpenCL C only.
#ifndef ACCORD_SHARED_GROUP_MATCH_H
#define ACCORD_SHARED_GROUP_MATCH_H
#include "posteriors/group_strip.h"

// Where M of the forward sweep lies: 8 columns of a row of both models, the second 4 of them
// `apart` behind the first.
typedef struct accord_match_row {
  __global float4* hmm;
  __global float4* pf;
  uint apart;
} accord_match_row;

// M of what the items of a team compute in the same step lies side by side, so that they write and
// read whole lines: strips s of a pass (`width` of them, ACCORD_TEAM but in the last) have row r of
// tile row I as [(I + s) mod tile rows][r][half of the columns][s].
ACCORD_FUNCTION uint accord_match_width(__local const accord_group_team* team, int strip) {
  return (uint)min(ACCORD_TEAM, team->tiles - strip / ACCORD_TEAM * ACCORD_TEAM);
}

// (I + s) mod tile rows. As a rule a subtraction does it; few rows of a large team need more.
ACCORD_FUNCTION uint accord_match_slot(__local const accord_group_team* team, int strip,
                                       int tile_row) {
  const uint row_tiles = team->w.row_tiles;
  const uint slot = (uint)tile_row + (uint)strip % ACCORD_TEAM;
  if (slot < row_tiles) return slot;
  return row_tiles >= ACCORD_TEAM ? slot - row_tiles : slot % row_tiles;  // of integers
}

// Row `row` of the strip that is number `strip` of the band, forward.
ACCORD_FUNCTION accord_match_row accord_match_place(__local const accord_group_team* team,
                                                    int strip, int row) {
  const uint in_pass = (uint)strip % ACCORD_TEAM;
  const uint slot = accord_match_slot(team, strip, row / ACCORD_TILE);
  const ulong tile_vectors = (ulong)team->w.row_tiles * (ACCORD_TILE * ACCORD_TILE / 4);
  accord_match_row match;
  match.apart = accord_match_width(team, strip);
  match.hmm = (__global float4*)(team->memory + team->w.match) +
              (ulong)(strip / ACCORD_TEAM * ACCORD_TEAM) * tile_vectors +
              (ulong)(slot * ACCORD_TILE + (uint)row % ACCORD_TILE) * (2 * match.apart) + in_pass;
  match.pf = match.hmm + team->w.band_tiles * tile_vectors;
  return match;
}

// The exponents of M of a tile, side by side as well; those of the partition function are as many
// behind as a band has tiles.
ACCORD_FUNCTION __global int* accord_match_scale(__local const accord_group_team* team, int strip,
                                                 int tile_row) {
  const uint in_pass = (uint)strip % ACCORD_TEAM, width = accord_match_width(team, strip);
  const uint slot = accord_match_slot(team, strip, tile_row);
  return (__global int*)team->memory + team->w.match_scale +
         (ulong)((uint)strip - in_pass) * team->w.row_tiles + slot * width + in_pass;
}
ACCORD_FUNCTION ulong accord_band_tiles(__local const accord_group_team* team) {
  return (ulong)team->w.band_tiles * team->w.row_tiles;
}

// 4 columns of a row, M or S.
ACCORD_FUNCTION float4 accord_four_m(const accord_side* top) {
  return (float4)(top[0].m, top[1].m, top[2].m, top[3].m);
}
ACCORD_FUNCTION float4 accord_four_s(const accord_side* top) {
  return (float4)(top[0].s, top[1].s, top[2].s, top[3].s);
}

ACCORD_FUNCTION void accord_store_row(const accord_strip* strip, accord_match_row to) {
  to.hmm[0] = accord_four_m(strip->of[ACCORD_HMM].top);
  to.hmm[to.apart] = accord_four_m(strip->of[ACCORD_HMM].top + 4);
  to.pf[0] = accord_four_m(strip->of[ACCORD_PARTITION].top);
  to.pf[to.apart] = accord_four_m(strip->of[ACCORD_PARTITION].top + 4);
}

// M of 8 columns of a row of both models.
typedef struct accord_match_values {
  float4 hmm[2], pf[2];
} accord_match_values;

ACCORD_FUNCTION accord_match_values accord_load_row(accord_match_row from) {
  accord_match_values values;
  values.hmm[0] = from.hmm[0];
  values.hmm[1] = from.hmm[from.apart];
  values.pf[0] = from.pf[0];
  values.pf[1] = from.pf[from.apart];
  return values;
}

// The posteriors of half a row of one model: 4 backward cells against 4 forward ones, mirrored; in
// the order of the forward ones.
ACCORD_FUNCTION void accord_four_posteriors(float4 m, float4 s, float factor, float* posterior) {
  posterior[0] = accord_posterior(m.x, s.w, factor);
  posterior[1] = accord_posterior(m.y, s.z, factor);
  posterior[2] = accord_posterior(m.z, s.y, factor);
  posterior[3] = accord_posterior(m.w, s.x, factor);
}

// The largest M S in half a row of one model.
ACCORD_FUNCTION float accord_largest_of_four(float4 m, float4 s) {
  return max(max(m.x * s.w, m.y * s.z), max(m.z * s.y, m.w * s.x));
}

// Emits the cells of one row: backward S in the strip against forward M in the mirrored order.
// Each keeps the posteriors of both models, which pack_cells combines.
ACCORD_FUNCTION void accord_emit_row(const accord_strip* strip, __local accord_group_team* team,
                                     const accord_match_values* match, float hmm_factor,
                                     float pf_factor, int forward_row, int forward_column) {
  const accord_combination combination = team->combination;
  // S of the columns that mirror the first half of the forward columns, and the second half.
  const float4 hmm_s[2] = {accord_four_s(strip->of[ACCORD_HMM].top + 4),
                           accord_four_s(strip->of[ACCORD_HMM].top)};
  const float4 pf_s[2] = {accord_four_s(strip->of[ACCORD_PARTITION].top + 4),
                          accord_four_s(strip->of[ACCORD_PARTITION].top)};
  const float hmm_weight = hmm_factor * combination.hmm_root;
  const float pf_weight = pf_factor * combination.partition_root;
  float bound[2];  // of each half
  ACCORD_UNROLL
  for (int k = 0; k < 2; ++k) {
    bound[k] = accord_mean_square_bound(accord_largest_of_four(match->hmm[k], hmm_s[k]), hmm_weight,
                                        accord_largest_of_four(match->pf[k], pf_s[k]), pf_weight);
  }
  if (max(bound[0], bound[1]) < combination.reject_below) return;
  const int i = forward_row - 1, j = forward_column - 1;
  if (i < 0 || i >= team->m) return;
  float p[ACCORD_TILE], q[ACCORD_TILE];
  accord_four_posteriors(match->hmm[0], hmm_s[0], hmm_factor, p);
  accord_four_posteriors(match->hmm[1], hmm_s[1], hmm_factor, p + 4);
  accord_four_posteriors(match->pf[0], pf_s[0], pf_factor, q);
  accord_four_posteriors(match->pf[1], pf_s[1], pf_factor, q + 4);
  uint kept = 0;  // a bit a column
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
  __global uint4* cell = (__global uint4*)(team->cells + first);  // each written at once
  ACCORD_UNROLL
  for (int c = 0; c < ACCORD_TILE; ++c) {
    if ((kept & 1u << c) == 0) continue;
    *cell++ = (uint4)((uint)i, (uint)(j + c), as_uint(p[c]), as_uint(q[c]));
  }
}

#endif
