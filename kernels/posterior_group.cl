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
#if !defined(ACCORD_GROUP) || ACCORD_GROUP < 16 || ACCORD_GROUP > 256
#error build with -DACCORD_GROUP=n, n in 16..256
#endif

#include "shared/group_strip.h"

// One band in one direction; all items of the group call it together. Forward: M is stored, and
// the item that reaches the last cell leaves the pair-HMM's total. Backward: cells are emitted.
ACCORD_FUNCTION void accord_sweep_band(const accord_group_work *work,
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
ACCORD_FUNCTION float accord_stored_pf(const accord_group_work *work, int band_tile, int row,
                                      int c) {
  const accord_workspace *w = &work->w;
  const ulong match_cells = (ulong)w->row_tiles * ACCORD_TILE * ACCORD_TILE;
  return work->memory[w->match + (w->band_tiles + (ulong)band_tile) * match_cells +
                      (ulong)row * ACCORD_TILE + c];
}

ACCORD_FUNCTION int accord_stored_pf_scale(const accord_group_work *work, int band_tile,
                                          int tile_row) {
  const accord_workspace *w = &work->w;
  return work
      ->scales[w->match_scale + ((ulong)w->band_tiles + band_tile) * w->row_tiles + tile_row];
}

// Adds the parts that the items have left to a total, in the order of the items.
ACCORD_FUNCTION void accord_add_parts(__local accord_group_local *local_,
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
ACCORD_FUNCTION void accord_add_pf_totals(const accord_group_work *work,
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

ACCORD_FUNCTION void accord_clear_total(__local accord_group_total *total) {
  total->high = 0.0f;
  total->low = 0.0f;
  total->scale = ACCORD_NO_EXPONENT;
}

ACCORD_FUNCTION accord_total accord_take_total(__local const accord_group_total *from) {
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
  for (int step = 0; step < accord_step_count(&work.w); ++step) {
    const accord_band band = accord_band_of_step(&work.w, step);
    if (accord_totals_are_known(&work.w, step)) {
      accord_total pf = accord_take_total(&local_.pf_row);
      accord_total_add(&pf, local_.pf_column.high, local_.pf_column.low, local_.pf_column.scale);
      hmm_inverse = accord_invert(accord_take_total(&local_.hmm));
      pf_inverse = accord_invert(pf);
    }
    const accord_sweep sweep =
        accord_make_sweep(&work.w, model, work.m, work.m, work.n, band.backward);
    accord_sweep_band(&work, &local_, &sweep, &band, hmm_inverse, pf_inverse);
    if (band.first_pass) accord_add_pf_totals(&work, &local_, &band);
  }
  if (get_local_id(0) == 0) found[task->found] = local_.found;
}
