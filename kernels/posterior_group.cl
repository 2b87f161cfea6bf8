// SPDX-License-Identifier: Apache-2.0
// Posteriors for GPUs: one work-group of ACCORD_GROUP items walks one pair.
//
// Each item owns a strip, one tile column of 8, in registers. Rows run skewed by one: in a step
// item s computes row step - s of its strip; only the right border of that row goes to the next
// item, through local memory. The exponent of a tile follows from what comes from above and from
// the exponent of the tile on its left (shared/scaling.h), so one row of skew is enough.
// A band is ACCORD_GROUP strips; what bands hand on lies in global memory. The backward sweep
// writes a border over the one that it reads: item 0 has read all 8 rows of a tile before the last
// item writes the first of them, since a group has at least 16 items.
//
//            item 0   item 1   item 2
//   step 0   row 0
//   step 1   row 1    row 0
//   step 2   row 2    row 1    row 0
//
// Host sets: ACCORD_LANES=1 and ACCORD_GROUP (work-items of a group, 16..256).
#include "shared/sweep.h"

#if !defined(ACCORD_GROUP) || ACCORD_GROUP < 16 || ACCORD_GROUP > 256
#error build with -DACCORD_GROUP=n, n in 16..256
#endif

// PoCL 3.1 crashes on a function that is given local memory and not inlined.
#define ACCORD_INLINED static inline __attribute__((always_inline))

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

// The columns of a band and the border slots it reads and writes.
typedef struct accord_band {
  int first_tile, last_tile;
  int first_of_sweep;
  uint read_slot, write_slot;
} accord_band;

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

ACCORD_INLINED accord_handoff accord_read_border(const accord_group_work *work, uint slot,
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

ACCORD_INLINED void accord_write_border(const accord_group_work *work, uint slot, int row,
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

ACCORD_INLINED accord_handoff accord_read_hand(__local const accord_group_local *local_, int parity,
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

ACCORD_INLINED void accord_write_hand(__local accord_group_local *local_, int parity, int item,
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

ACCORD_INLINED accord_handoff accord_no_handoff(void) {
  accord_handoff in;
  in.hmm.m = in.hmm.s = in.hmm.y0 = in.hmm.y1 = 0.0f;
  in.pf.m = in.pf.s = in.pf.y = 0.0f;
  in.hmm_scale = in.pf_scale = ACCORD_NO_EXPONENT;
  return in;
}

ACCORD_INLINED void accord_begin_strip(accord_strip *strip, const accord_group_work *work,
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
ACCORD_INLINED void accord_begin_tile(accord_strip *strip, const accord_sweep *sweep, int tile_row,
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
ACCORD_INLINED void accord_strip_row(accord_strip *strip, accord_handoff *hand,
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
ACCORD_INLINED void accord_emit_row(const accord_strip *strip, __local accord_group_local *local_,
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

// One band in one direction; all items of the group call it together. Forward: M is stored, and
// the item that reaches the last cell leaves the pair-HMM's total. Backward: cells are emitted.
ACCORD_INLINED void accord_sweep_band(const accord_group_work *work,
                                      __local accord_group_local *local_, const accord_sweep *sweep,
                                      const accord_band *band, accord_inverse hmm_inverse,
                                      accord_inverse pf_inverse) {
  const accord_workspace *w = &work->w;
  const int item = (int)get_local_id(0);
  const int tiles = band->last_tile - band->first_tile;
  const int forward_tile = sweep->backward ? band->last_tile - 1 - item : band->first_tile + item;
  const int tile_column = sweep->backward ? (int)w->col_tiles - 1 - forward_tile : forward_tile;
  const ulong match_cells = (ulong)w->row_tiles * ACCORD_TILE * ACCORD_TILE;
  const ulong stored = (ulong)(forward_tile - band->first_tile);
  __global float *hmm_match = work->memory + w->match + stored * match_cells;
  __global float *pf_match = hmm_match + w->band_tiles * match_cells;
  __global int *hmm_match_scale = work->scales + w->match_scale + stored * w->row_tiles;
  __global int *pf_match_scale = hmm_match_scale + (ulong)w->band_tiles * w->row_tiles;
  const int last = forward_tile == (int)w->col_tiles - 1;
  accord_strip strip;
  accord_begin_strip(&strip, work, sweep, tile_column);
  float hmm_posterior_factor = 0.0f, pf_posterior_factor = 0.0f;
  for (int step = 0; step < sweep->rows + tiles - 1; ++step) {
    const int row = step - item;
    const int parity = step & 1;
    if (item < tiles && row >= 0 && row < sweep->rows) {
      const int tile_row = row / ACCORD_TILE;
      const int forward_row = sweep->backward ? sweep->rows - 1 - row : row;
      const int stored_tile_row = forward_row / ACCORD_TILE;
      accord_handoff hand;
      if (item > 0) {
        hand = accord_read_hand(local_, parity ^ 1, item - 1);
      } else if (!band->first_of_sweep) {
        hand = accord_read_border(work, band->read_slot, row);
      } else {
        hand = accord_no_handoff();
      }
      const accord_handoff arrived = hand;
      if (row % ACCORD_TILE == 0) {
        accord_begin_tile(&strip, sweep, tile_row, tile_column, hand.hmm_scale, hand.pf_scale);
        if (sweep->backward) {
          hmm_posterior_factor = accord_posterior_factor(hmm_match_scale[stored_tile_row],
                                                         strip.hmm_scale, hmm_inverse);
          pf_posterior_factor =
              accord_posterior_factor(pf_match_scale[stored_tile_row], strip.pf_scale, pf_inverse);
        } else {
          hmm_match_scale[stored_tile_row] = strip.hmm_scale;
          pf_match_scale[stored_tile_row] = strip.pf_scale;
        }
      }
      const int at_end = !sweep->backward && last && row == work->m;
      const int at_start = tile_column <= sweep->last_edge_column && row <= sweep->border_row + 1;
      accord_hmm_end end;
      accord_strip_row(&strip, &hand, local_, sweep,
                       accord_code_at(work->x, work->m, sweep->rows, row, sweep->backward), row,
                       tile_column, at_start || at_end, &end, at_end ? work->n % ACCORD_TILE : -1);
      __global float *hmm_m = hmm_match + (ulong)forward_row * ACCORD_TILE;
      __global float *pf_m = pf_match + (ulong)forward_row * ACCORD_TILE;
      if (sweep->backward) {
        if (hmm_posterior_factor > 0.0f || pf_posterior_factor > 0.0f) {
          accord_emit_row(&strip, local_, work, hmm_m, pf_m, hmm_posterior_factor,
                          pf_posterior_factor, forward_row, forward_tile * ACCORD_TILE);
        }
      } else {
        for (int c = 0; c < ACCORD_TILE; ++c) {
          hmm_m[c] = strip.hmm[c].m;
          pf_m[c] = strip.pf[c].m;
        }
        if (at_end) {
          accord_total total = accord_total_zero();
          accord_add_hmm_end(&total, &work->model->hmm, end, work->m, row, strip.hmm_scale);
          local_->hmm.high = total.high;
          local_->hmm.low = total.low;
          local_->hmm.scale = total.scale;
        }
      }
      strip.hmm_corner = arrived.hmm.s;
      strip.pf_corner = arrived.pf.s;
      strip.hmm_corner_scale = arrived.hmm_scale;
      strip.pf_corner_scale = arrived.pf_scale;
      accord_write_hand(local_, parity, item, &hand);
      if (item == tiles - 1) accord_write_border(work, band->write_slot, row, &hand);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  // What this band left in global memory is read by other items next.
  barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);
}

// M of the partition function at a forward position of the band in memory.
ACCORD_INLINED float accord_stored_pf(const accord_group_work *work, int band_tile, int row,
                                      int c) {
  const accord_workspace *w = &work->w;
  const ulong match_cells = (ulong)w->row_tiles * ACCORD_TILE * ACCORD_TILE;
  return work->memory[w->match + (w->band_tiles + (ulong)band_tile) * match_cells +
                      (ulong)row * ACCORD_TILE + c];
}

ACCORD_INLINED int accord_stored_pf_scale(const accord_group_work *work, int band_tile,
                                          int tile_row) {
  const accord_workspace *w = &work->w;
  return work
      ->scales[w->match_scale + ((ulong)w->band_tiles + band_tile) * w->row_tiles + tile_row];
}

// Adds the parts that the items have left to a total, in the order of the items.
ACCORD_INLINED void accord_add_parts(__local accord_group_local *local_,
                                     __local accord_group_total *total, int parts) {
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) == 0) {
    accord_total sum;
    sum.high = total->high;
    sum.low = total->low;
    sum.scale = total->scale;
    for (int k = 0; k < parts; ++k) {
      accord_total_add(&sum, local_->part[k].high, local_->part[k].low, local_->part[k].scale);
    }
    total->high = sum.high;
    total->low = sum.low;
    total->scale = sum.scale;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
}

// Adds the last row of a band to the partition function's total, and in the last band the last
// column above it: one sum a tile, the sums in order, as in the lanes shape.
ACCORD_INLINED void accord_add_pf_totals(const accord_group_work *work,
                                         __local accord_group_local *local_,
                                         const accord_band *band) {
  const int item = (int)get_local_id(0);
  const int tiles = band->last_tile - band->first_tile;
  if (item < tiles) {
    accord_total part = accord_total_zero();
    const int scale = accord_stored_pf_scale(work, item, work->m / ACCORD_TILE);
    for (int c = 0; c < ACCORD_TILE; ++c) {
      accord_total_add(&part, accord_stored_pf(work, item, work->m, c), 0.0f, scale);
    }
    local_->part[item].high = part.high;
    local_->part[item].low = part.low;
    local_->part[item].scale = part.scale;
  }
  accord_add_parts(local_, &local_->pf_row, tiles);
  if (band->last_tile != (int)work->w.col_tiles) return;
  const int tile_rows = (int)work->w.row_tiles;
  for (int first = 0; first < tile_rows; first += ACCORD_GROUP) {
    const int tile_row = first + item;
    if (tile_row < tile_rows) {
      accord_total part = accord_total_zero();
      const int scale = accord_stored_pf_scale(work, tiles - 1, tile_row);
      for (int r = 0; r < ACCORD_TILE; ++r) {
        const int row = tile_row * ACCORD_TILE + r;
        const float m =
            row < work->m ? accord_stored_pf(work, tiles - 1, row, work->n % ACCORD_TILE) : 0.0f;
        accord_total_add(&part, m, 0.0f, scale);
      }
      local_->part[item].high = part.high;
      local_->part[item].low = part.low;
      local_->part[item].scale = part.scale;
    }
    accord_add_parts(local_, &local_->pf_column, min(ACCORD_GROUP, tile_rows - first));
  }
}

ACCORD_INLINED void accord_clear_total(__local accord_group_total *total) {
  total->high = 0.0f;
  total->low = 0.0f;
  total->scale = ACCORD_NO_EXPONENT;
}

ACCORD_INLINED accord_total accord_take_total(__local const accord_group_total *from) {
  accord_total total;
  total.high = from->high;
  total.low = from->low;
  total.scale = from->scale;
  return total;
}

__kernel __attribute__((reqd_work_group_size(ACCORD_GROUP, 1, 1))) void posterior_group(
    __global const accord_model *model, __global const uchar *codes,
    __global const accord_pair_task *tasks, __global float *memory, __global accord_cell *cells,
    __global uint *found) {
  __local accord_group_local local_;
  __global const accord_pair_task *task = tasks + get_group_id(0);
  accord_group_work work;
  work.model = model;
  work.x = codes + task->first_x[0];
  work.y = codes + task->first_y;
  work.m = (int)task->length_x[0];
  work.n = (int)task->length_y;
  work.w = accord_plan_workspace(task->length_x[0], task->length_y, task->band_columns);
  work.memory = memory + task->memory;
  work.scales = (__global int *)work.memory;
  work.cells = cells + task->cells;
  work.capacity = task->capacity;
  for (int k = (int)get_local_id(0); k < ACCORD_SYMBOLS * ACCORD_SYMBOLS; k += ACCORD_GROUP) {
    local_.hmm_weight[k] = model->hmm.weight[k];
    local_.pf_weight[k] = model->partition.weight[k];
  }
  if (get_local_id(0) == 0) {
    accord_clear_total(&local_.hmm);
    accord_clear_total(&local_.pf_row);
    accord_clear_total(&local_.pf_column);
    local_.found = 0;
  }
  barrier(CLK_LOCAL_MEM_FENCE);

  accord_inverse hmm_inverse, pf_inverse;
  hmm_inverse.r = pf_inverse.r = 0.0f;
  hmm_inverse.scale = pf_inverse.scale = 0;
  const int bands = (int)work.w.bands;
  // As in the lanes shape: all bands forward, then each band from the last to the first forward
  // again (but the last, which is still there) and backward.
  for (int step = 0; step < 3 * bands; ++step) {
    if (step == bands) {
      accord_total pf = accord_take_total(&local_.pf_row);
      accord_total_add(&pf, local_.pf_column.high, local_.pf_column.low, local_.pf_column.scale);
      hmm_inverse = accord_invert(accord_take_total(&local_.hmm));
      pf_inverse = accord_invert(pf);
      continue;
    }
    const int first_pass = step < bands;
    const int b = first_pass ? step : bands - 1 - (step - bands) / 2;
    const int backward = !first_pass && (step - bands) % 2 == 1;
    accord_band band;
    band.first_tile = b * (int)work.w.band_tiles;
    band.last_tile = min(band.first_tile + (int)work.w.band_tiles, (int)work.w.col_tiles);
    band.first_of_sweep = backward ? b == bands - 1 : b == 0;
    band.read_slot = backward ? work.w.bands : (uint)b;
    band.write_slot = backward ? work.w.bands : (uint)b + 1;
    const accord_sweep sweep = accord_make_sweep(&work.w, model, work.m, work.m, work.n, backward);
    accord_sweep_band(&work, &local_, &sweep, &band, hmm_inverse, pf_inverse);
    if (first_pass) accord_add_pf_totals(&work, &local_, &band);
  }
  if (get_local_id(0) == 0) found[task->found] = local_.found;
}
