// SPDX-License-Identifier: Apache-2.0
// The group shape's building blocks: what a work-item does to one row of its strip, and how rows
// travel between items and bands. OpenCL C only; posterior_group.cl sets ACCORD_GROUP.
#ifndef ACCORD_SHARED_GROUP_STRIP_H
#define ACCORD_SHARED_GROUP_STRIP_H
#include "shared/sweep.h"

// What an item hands to the item on its right, for one row.
typedef struct accord_handoff {
  accord_hmm_left hmm;
  accord_pf_left pf;
  int hmm_scale, pf_scale;
} accord_handoff;

// A sum that travels between items (accord_total has vectors of lanes).
typedef struct accord_group_total {
  float high, low;
  int scale;
} accord_group_total;

// Local memory of a group.
typedef struct accord_group_local {
  float hmm_weight[ACCORD_SYMBOLS * ACCORD_SYMBOLS];
  float pf_weight[ACCORD_SYMBOLS * ACCORD_SYMBOLS];
  float hand[2][ACCORD_CARRIED][ACCORD_GROUP];
  int hand_scale[2][2][ACCORD_GROUP];
  accord_group_total part[ACCORD_GROUP];
  accord_group_total hmm, pf_row, pf_column;
  uint found;
} accord_group_local;

// The pair of a group and its memory.
typedef struct accord_group_work {
  __global const accord_model *model;
  __global const uchar *x;
  __global const uchar *y;
  int m, n;
  accord_workspace w;
  __global float *memory;
  __global int *scales;
  __global accord_cell *cells;
  uint capacity;
} accord_group_work;

// State of an item's strip.
typedef struct accord_strip {
  accord_hmm_top hmm[ACCORD_TILE];
  accord_pf_top pf[ACCORD_TILE];
  int hmm_scale, pf_scale;                // of the current tile
  float hmm_factor, pf_factor;            // from the left tile's scale to this one's
  float hmm_one, pf_one;                  // 1 in the scale of the current tile
  float hmm_diagonal, pf_diagonal;        // S left of the row above, in this tile's scale
  float hmm_corner, pf_corner;            // the same as it came
  int hmm_corner_scale, pf_corner_scale;  // and its scale
  int symbols[ACCORD_TILE];
} accord_strip;

ACCORD_FUNCTION accord_handoff accord_read_border(const accord_group_work *work, uint slot,
                                                 int row) {
  const accord_workspace *w = &work->w;
  const ulong rows = (ulong)w->row_tiles * ACCORD_TILE;
  __global const float *from =
      work->memory + w->border + ((ulong)slot * rows + (ulong)row) * ACCORD_CARRIED;
  __global const int *scale = work->scales + w->border_scale +
                              2 * ((ulong)slot * w->row_tiles + (ulong)(row / ACCORD_TILE));
  accord_handoff in;
  in.hmm.m = from[0];
  in.hmm.s = from[1];
  in.hmm.y0 = from[2];
  in.hmm.y1 = from[3];
  in.pf.m = from[4];
  in.pf.s = from[5];
  in.pf.y = from[6];
  in.hmm_scale = scale[0];
  in.pf_scale = scale[1];
  return in;
}

ACCORD_FUNCTION void accord_write_border(const accord_group_work *work, uint slot, int row,
                                        const accord_handoff *out) {
  const accord_workspace *w = &work->w;
  const ulong rows = (ulong)w->row_tiles * ACCORD_TILE;
  __global float *to =
      work->memory + w->border + ((ulong)slot * rows + (ulong)row) * ACCORD_CARRIED;
  __global int *scale = work->scales + w->border_scale +
                        2 * ((ulong)slot * w->row_tiles + (ulong)(row / ACCORD_TILE));
  to[0] = out->hmm.m;
  to[1] = out->hmm.s;
  to[2] = out->hmm.y0;
  to[3] = out->hmm.y1;
  to[4] = out->pf.m;
  to[5] = out->pf.s;
  to[6] = out->pf.y;
  scale[0] = out->hmm_scale;
  scale[1] = out->pf_scale;
}

ACCORD_FUNCTION accord_handoff accord_read_hand(__local const accord_group_local *local_, int parity,
                                               int item) {
  accord_handoff in;
  in.hmm.m = local_->hand[parity][0][item];
  in.hmm.s = local_->hand[parity][1][item];
  in.hmm.y0 = local_->hand[parity][2][item];
  in.hmm.y1 = local_->hand[parity][3][item];
  in.pf.m = local_->hand[parity][4][item];
  in.pf.s = local_->hand[parity][5][item];
  in.pf.y = local_->hand[parity][6][item];
  in.hmm_scale = local_->hand_scale[parity][0][item];
  in.pf_scale = local_->hand_scale[parity][1][item];
  return in;
}

ACCORD_FUNCTION void accord_write_hand(__local accord_group_local *local_, int parity, int item,
                                      const accord_handoff *out) {
  local_->hand[parity][0][item] = out->hmm.m;
  local_->hand[parity][1][item] = out->hmm.s;
  local_->hand[parity][2][item] = out->hmm.y0;
  local_->hand[parity][3][item] = out->hmm.y1;
  local_->hand[parity][4][item] = out->pf.m;
  local_->hand[parity][5][item] = out->pf.s;
  local_->hand[parity][6][item] = out->pf.y;
  local_->hand_scale[parity][0][item] = out->hmm_scale;
  local_->hand_scale[parity][1][item] = out->pf_scale;
}

ACCORD_FUNCTION accord_handoff accord_no_handoff(void) {
  accord_handoff in;
  in.hmm.m = in.hmm.s = in.hmm.y0 = in.hmm.y1 = 0.0f;
  in.pf.m = in.pf.s = in.pf.y = 0.0f;
  in.hmm_scale = in.pf_scale = ACCORD_NO_EXPONENT;
  return in;
}

ACCORD_FUNCTION void accord_begin_strip(accord_strip *strip, const accord_group_work *work,
                                       const accord_sweep *sweep, int tile_column) {
  for (int c = 0; c < ACCORD_TILE; ++c) {
    strip->hmm[c].m = strip->hmm[c].s = strip->hmm[c].x0 = strip->hmm[c].x1 = 0.0f;
    strip->pf[c].m = strip->pf[c].s = strip->pf[c].x = 0.0f;
    strip->symbols[c] = accord_code_at(work->y, work->n, sweep->cols, tile_column * ACCORD_TILE + c,
                                       sweep->backward);
  }
  strip->hmm_scale = strip->pf_scale = ACCORD_NO_EXPONENT;
  strip->hmm_corner = strip->pf_corner = 0.0f;
  strip->hmm_corner_scale = strip->pf_corner_scale = ACCORD_NO_EXPONENT;
}

// First row of a tile: chooses the exponents and brings the state above into the new scale.
ACCORD_FUNCTION void accord_begin_tile(accord_strip *strip, const accord_sweep *sweep, int tile_row,
                                      int tile_column, int hmm_left_scale, int pf_left_scale) {
  const int hmm_above = strip->hmm_scale, pf_above = strip->pf_scale;
  const int hmm_input = max(max(accord_hmm_top_exponent(strip->hmm, hmm_above),
                                accord_input_exponent(strip->hmm_corner, strip->hmm_corner_scale)),
                            accord_hmm_injected(sweep, tile_row, tile_column));
  const int pf_input = max(max(accord_pf_top_exponent(strip->pf, pf_above),
                               accord_input_exponent(strip->pf_corner, strip->pf_corner_scale)),
                           accord_pf_injected(sweep, tile_row, tile_column));
  strip->hmm_scale = accord_tile_exponent(hmm_input, hmm_left_scale);
  strip->pf_scale = accord_tile_exponent(pf_input, pf_left_scale);
  accord_hmm_rescale_top(strip->hmm, accord_pow2(hmm_above - strip->hmm_scale));
  accord_pf_rescale_top(strip->pf, accord_pow2(pf_above - strip->pf_scale));
  strip->hmm_factor = accord_pow2(hmm_left_scale - strip->hmm_scale);
  strip->pf_factor = accord_pow2(pf_left_scale - strip->pf_scale);
  strip->hmm_diagonal =
      accord_rescale(strip->hmm_corner, accord_pow2(strip->hmm_corner_scale - strip->hmm_scale));
  strip->pf_diagonal =
      accord_rescale(strip->pf_corner, accord_pow2(strip->pf_corner_scale - strip->pf_scale));
  strip->hmm_one = accord_rescale(1.0f, accord_pow2(-strip->hmm_scale));
  strip->pf_one = accord_rescale(1.0f, accord_pow2(-strip->pf_scale));
}

// The 8 cells of one row of a strip. `hand` comes from the left and goes to the right. With
// `hmm_edge`, the pair-HMM's start is injected and its cell in column `end_column` is reported.
ACCORD_FUNCTION void accord_strip_row(accord_strip *strip, accord_handoff *hand,
                                     __local const accord_group_local *local_,
                                     const accord_sweep *sweep, int code, int row, int tile_column,
                                     int hmm_edge, accord_hmm_end *end, int end_column) {
  __local const float *hmm_weight = local_->hmm_weight + code * ACCORD_SYMBOLS;
  __local const float *pf_weight = local_->pf_weight + code * ACCORD_SYMBOLS;
  const int column = tile_column * ACCORD_TILE;
  accord_border border;
  border.row = sweep->border_row;
  border.column = sweep->border_column;
  accord_hmm_rescale_left(&hand->hmm, strip->hmm_factor);
  accord_pf_rescale_left(&hand->pf, strip->pf_factor);
  float diagonal = strip->hmm_diagonal;
  strip->hmm_diagonal = hand->hmm.s;
  border.one = strip->hmm_one;
  if (hmm_edge) {
    ACCORD_UNROLL
    for (int c = 0; c < ACCORD_TILE; ++c) {
      accord_hmm_cell(
          &strip->hmm[c], &hand->hmm, &diagonal, hmm_weight[strip->symbols[c]], sweep->hmm_gaps, 1,
          accord_hmm_border_cell(border, row, column + c, sweep->start, sweep->gap0, sweep->gap1));
      if (c == end_column) {
        end->m = strip->hmm[c].m;
        end->x0 = strip->hmm[c].x0;
        end->x1 = strip->hmm[c].x1;
        end->y0 = hand->hmm.y0;
        end->y1 = hand->hmm.y1;
      }
    }
  } else {
    ACCORD_UNROLL
    for (int c = 0; c < ACCORD_TILE; ++c) {
      accord_hmm_cell(&strip->hmm[c], &hand->hmm, &diagonal, hmm_weight[strip->symbols[c]],
                      sweep->hmm_gaps, 0, accord_hmm_no_inject());
    }
  }
  diagonal = strip->pf_diagonal;
  strip->pf_diagonal = hand->pf.s;
  border.one = strip->pf_one;
  ACCORD_UNROLL
  for (int c = 0; c < ACCORD_TILE; ++c) {
    // Injected everywhere: adding 0 is exact, and cheaper here than items on different paths.
    accord_pf_cell(&strip->pf[c], &hand->pf, &diagonal, pf_weight[strip->symbols[c]],
                   sweep->pf_gaps, 1, accord_pf_border_cell(border, row, column + c));
  }
  hand->hmm_scale = strip->hmm_scale;
  hand->pf_scale = strip->pf_scale;
}

// Emits the cells of one row: backward S in the strip against forward M in the mirrored order.
ACCORD_FUNCTION void accord_emit_row(const accord_strip *strip, __local accord_group_local *local_,
                                    const accord_group_work *work, __global const float *hmm_m,
                                    __global const float *pf_m, float hmm_factor, float pf_factor,
                                    int forward_row, int forward_column) {
  ACCORD_UNROLL
  for (int c = 0; c < ACCORD_TILE; ++c) {
    const int mirrored = ACCORD_TILE - 1 - c;
    const float p = accord_posterior(hmm_m[mirrored], strip->hmm[c].s, hmm_factor);
    const float q = accord_posterior(pf_m[mirrored], strip->pf[c].s, pf_factor);
    const float squares = fma(p, p, q * q);
    const int i = forward_row - 1, j = forward_column + mirrored - 1;
    if (squares >= work->model->keep_from && i >= 0 && j >= 0 && i < work->m && j < work->n) {
      const uint at = atomic_inc(&local_->found);
      if (at < work->capacity) {
        work->cells[at].row = (uint)i;
        work->cells[at].column = (uint)j;
        work->cells[at].probability = accord_root_mean_square(squares);
      }
    }
  }
}

#endif
