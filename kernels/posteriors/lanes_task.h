// SPDX-License-Identifier: Apache-2.0
// A posterior task in the lanes layout: one y with up to ACCORD_LANES x's at once, one x per vector
// lane, for posterior_lanes.cl on CPU devices and for the host. recursion.h defines M and S.
#ifndef ACCORD_KERNELS_POSTERIORS_LANES_TASK_H
#define ACCORD_KERNELS_POSTERIORS_LANES_TASK_H
#include "posteriors/lanes_tile.h"

// The emitted cells of each lane. The caller provides room for `capacity` cells in each lane and
// sets the counts to 0. Cells beyond the capacity are counted but not stored.
typedef struct accord_lanes_output {
  ACCORD_GLOBAL accord_cell* cells[ACCORD_LANES];
  accord_u32 count[ACCORD_LANES];
  accord_u32 capacity;
} accord_lanes_output;

// Totals of both models. They are complete after the last band of the first pass (sweep.h).
typedef struct accord_lanes_totals {
  accord_total hmm;
  accord_partition_sums partition;
} accord_lanes_totals;

// Totals that are 0.
ACCORD_FUNCTION accord_lanes_totals accord_lanes_totals_zero(void) {
  accord_lanes_totals totals;
  totals.hmm = accord_total_zero();
  totals.partition.row = totals.partition.column = accord_total_zero();
  return totals;
}

// Whether any cell of a row of a tile may be kept in any lane. hmm_m, partition_m: M of the 8 cells
// of the row. hmm_s, partition_s: S of the backward cell that mirrors the first of these cells; the
// S that mirror the next cells lie before it in memory. hmm_weight, partition_weight: as for
// accord_mean_square_bound. threshold: accord_combination.reject_below.
ACCORD_FUNCTION int accord_may_keep_row(ACCORD_GLOBAL const accord_vf* hmm_m,
                                        ACCORD_GLOBAL const accord_vf* partition_m,
                                        ACCORD_GLOBAL const accord_vf* hmm_s,
                                        ACCORD_GLOBAL const accord_vf* partition_s,
                                        accord_vf hmm_weight, accord_vf partition_weight,
                                        accord_vf threshold) {
  accord_vf hmm = accord_set(0.0f), partition = accord_set(0.0f);
  ACCORD_UNROLL
  for (int c = 0; c < ACCORD_TILE; ++c) {
    hmm = accord_max(hmm, hmm_m[c] * hmm_s[-c]);
    partition = accord_max(partition, partition_m[c] * partition_s[-c]);
  }
  const accord_vf bound = accord_mean_square_bound(hmm, hmm_weight, partition, partition_weight);
  return accord_mask_ge(bound, threshold) != 0;
}

// Emits one cell for the lanes that keep it; `lanes` has one bit per lane. i, j: the residues of x
// and y, from 0. Nothing is emitted for a lane in which the cell is border or padding.
ACCORD_FUNCTION void accord_emit_cell(accord_u32 lanes, const accord_vf* probability, int i, int j,
                                      const accord_lanes_input* in, accord_lanes_output* out) {
  for (; lanes != 0; lanes &= lanes - 1) {
    const int lane = accord_lowest_bit(lanes);
    if (i < 0 || j < 0 || i >= accord_lane_int(in->m, lane) || j >= in->n) continue;
    const accord_u32 at = out->count[lane]++;
    if (at >= out->capacity) continue;
    out->cells[lane][at].row = (accord_u32)i;
    out->cells[lane][at].column = (accord_u32)j;
    out->cells[lane][at].probability = accord_lane(*probability, lane);
  }
}

// Emits the kept cells of a forward tile. row, column: the first row and column of the tile. hmm_m,
// partition_m: the 64 values of M of the tile. hmm_s, partition_s: the 64 values of S of the
// backward tile, in the order of that tile: element 63 - k mirrors element k of M. hmm_factor,
// partition_factor: the factors that turn M * S into posteriors (accord_posterior_factor).
ACCORD_FUNCTION void accord_emit_tile(ACCORD_GLOBAL const accord_vf* hmm_m,
                                      ACCORD_GLOBAL const accord_vf* partition_m,
                                      ACCORD_GLOBAL const accord_vf* hmm_s,
                                      ACCORD_GLOBAL const accord_vf* partition_s,
                                      accord_vf hmm_factor, accord_vf partition_factor,
                                      const accord_combination* combination, int row, int column,
                                      const accord_lanes_input* in, accord_lanes_output* out) {
  const int cells = ACCORD_TILE * ACCORD_TILE;
  const accord_vf threshold = accord_set(combination->reject_below);
  const accord_vf hmm_weight = hmm_factor * accord_set(combination->hmm_root);
  const accord_vf partition_weight = partition_factor * accord_set(combination->partition_root);
  for (int first = 0; first < cells; first += ACCORD_TILE) {
    const int mirrored = cells - 1 - first;
    // Most rows have no cell to keep.
    if (!accord_may_keep_row(hmm_m + first, partition_m + first, hmm_s + mirrored,
                             partition_s + mirrored, hmm_weight, partition_weight, threshold)) {
      continue;
    }
    // All cells of a row are tested first, then the kept ones are computed side by side: a root is
    // a long chain of operations.
    accord_vf p[ACCORD_TILE], q[ACCORD_TILE];
    accord_u32 lanes[ACCORD_TILE];  // bits of the lanes that keep a cell
    int kept[ACCORD_TILE];
    int count = 0;
    ACCORD_UNROLL
    for (int c = 0; c < ACCORD_TILE; ++c) {
      const int cell = first + c;
      p[c] = accord_posterior(hmm_m[cell], hmm_s[cells - 1 - cell], hmm_factor);
      q[c] = accord_posterior(partition_m[cell], partition_s[cells - 1 - cell], partition_factor);
      const accord_comparison comparison = accord_compare_with_cutoff(combination, p[c], q[c]);
      lanes[c] = accord_mask_ge(comparison.left, comparison.right);
      kept[count] = c;
      count += lanes[c] != 0;
    }
    accord_vf probability[ACCORD_TILE];
    for (int k = 0; k < count; ++k) {
      probability[k] = accord_combined(combination, p[kept[k]], q[kept[k]]);
    }
    for (int k = 0; k < count; ++k) {
      accord_emit_cell(lanes[kept[k]], &probability[k], row + first / ACCORD_TILE - 1,
                       column + kept[k] - 1, in, out);
    }
  }
}

// Adds to `total` the pair-HMM's total of the lanes whose last row is in tile row `tile_row`.
// end[r] is the cell of row r of the tile in the last column, in the scale `scale`.
ACCORD_FUNCTION void accord_add_hmm_ends(accord_total* total,
                                         ACCORD_CONSTANT const accord_recursion* hmm,
                                         const accord_lanes_input* in, int tile_row,
                                         const accord_end* end, accord_vi scale) {
  for (int r = 0; r < ACCORD_TILE; ++r) {
    const accord_vi row = accord_set_int(tile_row * ACCORD_TILE + r);
    if (!accord_any_eq_int(in->m, row)) continue;
    accord_add_hmm_end(total, hmm, &end[r], in->m, row, scale);
  }
}

// Adds M of the last column in a tile row, above the last row of each lane, to the partition
// function's sums. `m` is M of the tile, in the scale `scale`.
ACCORD_FUNCTION void accord_add_last_column(accord_partition_sums* sums,
                                            const accord_lanes_input* in, int tile_row,
                                            ACCORD_GLOBAL const accord_vf* m, accord_vi scale) {
  const int c = in->n % ACCORD_TILE;
  accord_vf column[ACCORD_TILE];
  for (int r = 0; r < ACCORD_TILE; ++r) {
    const accord_vi row = accord_set_int(tile_row * ACCORD_TILE + r);
    column[r] = accord_where_gt_int(in->m, row, m[r * ACCORD_TILE + c]);
  }
  accord_add_part(&sums->column, accord_partition_part(column, scale));
}

// Adds M of the last row of each lane to the partition function's sums, for the lanes whose last
// row is in this tile. `m` is M of the tile, in the scale `scale`.
ACCORD_FUNCTION void accord_add_last_row(accord_partition_sums* sums, const accord_lanes_input* in,
                                         int tile_row, ACCORD_GLOBAL const accord_vf* m,
                                         accord_vi scale) {
  accord_vf last[ACCORD_TILE];
  for (int c = 0; c < ACCORD_TILE; ++c) last[c] = accord_set(0.0f);
  for (int r = 0; r < ACCORD_TILE; ++r) {
    const accord_vi row = accord_set_int(tile_row * ACCORD_TILE + r);
    for (int c = 0; c < ACCORD_TILE; ++c) {
      last[c] = last[c] + accord_where_eq_int(in->m, row, m[r * ACCORD_TILE + c]);
    }
  }
  accord_add_part(&sums->row, accord_partition_part(last, scale));
}

// The inputs, scratch memory and outputs of a step: the sweep of one band in one direction
// (accord_band_of_step).
typedef struct accord_lanes_work {
  const accord_lanes_input* in;
  const accord_workspace* w;
  ACCORD_CONSTANT const accord_model* model;
  accord_combination combination;
  ACCORD_GLOBAL accord_vf* memory;
  int keeps_match;                                 // whether the step keeps M of its band (sweep.h)
  accord_lanes_totals* totals;                     // of the first pass; null in later steps
  const accord_inverse *hmm_inverse, *pf_inverse;  // backward sweep
  accord_lanes_output* out;                        // backward sweep
} accord_lanes_work;

// The memory in which a tile of the forward sweep stores M and its exponents. In a step that does
// not keep M (accord_keeps_match), all tiles write M to the same scratch memory.
typedef struct accord_lanes_match {
  ACCORD_GLOBAL accord_vf *hmm, *pf;
  ACCORD_GLOBAL accord_vi *hmm_scale, *pf_scale;
  int row, column;  // of the tile's first cell, forward
} accord_lanes_match;

// Finds the memory of M of a tile of the band. forward_row, forward_tile: the row and the column of
// the tile among all tiles, in the forward order.
ACCORD_FUNCTION accord_lanes_match accord_find_match(const accord_lanes_work* work,
                                                     const accord_band* band, int forward_row,
                                                     int forward_tile) {
  const accord_workspace* w = work->w;
  const accord_u64 stored = (accord_u64)(forward_tile - band->first_tile);
  const accord_u64 tile_cells = ACCORD_TILE * ACCORD_TILE;
  accord_lanes_match match;
  match.hmm =
      work->memory + w->match + (stored * w->row_tiles + (accord_u64)forward_row) * tile_cells;
  match.pf = match.hmm + (accord_u64)w->band_tiles * w->row_tiles * tile_cells;
  match.hmm_scale = (ACCORD_GLOBAL accord_vi*)work->memory + w->match_scale +
                    stored * w->row_tiles + (accord_u64)forward_row;
  match.pf_scale = match.hmm_scale + (accord_u64)w->band_tiles * w->row_tiles;
  if (!work->keeps_match) {
    match.hmm = work->memory + w->tile;
    match.pf = match.hmm + tile_cells;
  }
  match.row = forward_row * ACCORD_TILE;
  match.column = forward_tile * ACCORD_TILE;
  return match;
}

// Computes a tile of the forward sweep, and stores M in `match`. In the first pass, it adds the
// tile's values in the last row of a lane and in the last column to the totals. `state`, with its
// exponents `state_scale`, has the values that the tile above hands down; `carry` has the values
// that the tile on the left hands on. The function replaces both by the values for the next tiles.
// If a lane may end in the tile, it sets place->edge[ACCORD_HMM].
ACCORD_FUNCTION void accord_forward_tile(const accord_lanes_work* work, const accord_sweep* sweep,
                                         int tile_row, int tile_column, accord_tile_place* place,
                                         accord_lanes_match match, ACCORD_GLOBAL accord_vf* state,
                                         ACCORD_GLOBAL accord_vi* state_scale,
                                         accord_carry* carry) {
  const int last = tile_column == (int)work->w->col_tiles - 1;
  const int ends = tile_row >= sweep->first_end_row;
  accord_end end[ACCORD_TILE];
  const accord_vi least[ACCORD_MODELS] = {accord_set_int(0), accord_set_int(0)};
  place->edge[ACCORD_HMM] = place->edge[ACCORD_HMM] || (last && ends);
  accord_lanes_tile(state, state_scale, carry, work->memory + work->w->table,
                    work->combination.uses, sweep, place, 0, least, match.hmm, match.pf, end,
                    work->in->n % ACCORD_TILE);
  if (work->combination.uses[ACCORD_HMM]) {
    *match.hmm_scale = carry[ACCORD_HMM].scale;
    if (work->totals != 0 && last && ends) {
      accord_add_hmm_ends(&work->totals->hmm, &work->model->hmm, work->in, tile_row, end,
                          *match.hmm_scale);
    }
  }
  if (work->combination.uses[ACCORD_PARTITION]) {
    *match.pf_scale = carry[ACCORD_PARTITION].scale;
    if (work->totals != 0 && last) {
      accord_add_last_column(&work->totals->partition, work->in, tile_row, match.pf,
                             *match.pf_scale);
    }
    if (work->totals != 0 && ends) {
      accord_add_last_row(&work->totals->partition, work->in, tile_row, match.pf, *match.pf_scale);
    }
  }
}

// Computes a tile of the backward sweep, and emits its kept cells: S of the tile times the mirrored
// M in `match` gives the posteriors. state, state_scale, carry: as in accord_forward_tile().
ACCORD_FUNCTION void accord_backward_tile(const accord_lanes_work* work, const accord_sweep* sweep,
                                          const accord_tile_place* place, accord_lanes_match match,
                                          ACCORD_GLOBAL accord_vf* state,
                                          ACCORD_GLOBAL accord_vi* state_scale,
                                          accord_carry* carry) {
  const int* uses = work->combination.uses;
  ACCORD_GLOBAL accord_vf* hmm_s = work->memory + work->w->tile;
  ACCORD_GLOBAL accord_vf* pf_s = hmm_s + ACCORD_TILE * ACCORD_TILE;
  accord_vi least[ACCORD_MODELS] = {accord_set_int(0), accord_set_int(0)};
  if (uses[ACCORD_HMM]) {
    least[ACCORD_HMM] = accord_least_handed_on(*match.hmm_scale, *work->hmm_inverse);
  }
  if (uses[ACCORD_PARTITION]) {
    least[ACCORD_PARTITION] = accord_least_handed_on(*match.pf_scale, *work->pf_inverse);
  }
  accord_lanes_tile(state, state_scale, carry, work->memory + work->w->table, uses, sweep, place, 1,
                    least, hmm_s, pf_s, 0, -1);
  accord_vf hmm_factor = accord_set(0.0f), pf_factor = accord_set(0.0f);
  if (uses[ACCORD_HMM]) {
    hmm_factor =
        accord_posterior_factor(*match.hmm_scale, carry[ACCORD_HMM].tile_scale, *work->hmm_inverse);
  }
  if (uses[ACCORD_PARTITION]) {
    pf_factor = accord_posterior_factor(*match.pf_scale, carry[ACCORD_PARTITION].tile_scale,
                                        *work->pf_inverse);
  }
  const accord_vf smallest = accord_set(1e-37f);  // factors are 0 or at least 2^-101
  if (accord_mask_ge(accord_max(hmm_factor, pf_factor), smallest) == 0) return;
  // For an unused model, the values of the other model are read, with the factor 0.
  accord_emit_tile(uses[ACCORD_HMM] ? match.hmm : match.pf,
                   uses[ACCORD_PARTITION] ? match.pf : match.hmm, uses[ACCORD_HMM] ? hmm_s : pf_s,
                   uses[ACCORD_PARTITION] ? pf_s : hmm_s, hmm_factor, pf_factor, &work->combination,
                   match.row, match.column, work->in, work->out);
}

// Makes the place of a tile, the same in all lanes, with the residues of its columns. tile_row,
// tile_column: counted in the sweep.
ACCORD_FUNCTION accord_tile_place accord_place_of_tile(const accord_lanes_work* work,
                                                       const accord_sweep* sweep, int tile_row,
                                                       int tile_column) {
  const accord_workspace* w = work->w;
  const int row = tile_row * ACCORD_TILE, column = tile_column * ACCORD_TILE;
  accord_tile_place place;
  place.row_opening =
      work->memory + w->row_opening + accord_residues_at(sweep->rows, row, sweep->backward);
  place.column_opening =
      work->memory + w->column_opening + accord_residues_at(sweep->cols, column, sweep->backward);
  place.next = sweep->backward ? -1 : 1;
  place.weighted = 0;
  place.tile_row = accord_set_int(tile_row);
  place.tile_column = accord_set_int(tile_column);
  const int in_row = tile_row <= sweep->last_edge_row;
  const int in_column = tile_column <= sweep->last_edge_column;
  place.edge[ACCORD_HMM] = in_row && in_column;
  place.edge[ACCORD_PARTITION] = in_row || in_column;
  for (int c = 0; c < ACCORD_TILE; ++c) {
    const int code =
        accord_code_at(work->in->y, work->in->n, sweep->cols, column + c, sweep->backward);
    place.letters[c] = ACCORD_LETTER(code);
    place.contexts[c] = ACCORD_SYMBOLS + ACCORD_CONTEXT(code);
  }
  return place;
}

// Sweeps one band in one direction: one row of tiles after another, each from left to right.
ACCORD_FUNCTION void accord_sweep_band(const accord_lanes_work* work, const accord_sweep* sweep,
                                       const accord_band* band) {
  const accord_workspace* w = work->w;
  ACCORD_GLOBAL accord_vf* state = work->memory + w->state;
  ACCORD_GLOBAL accord_vi* scales = (ACCORD_GLOBAL accord_vi*)work->memory;
  const accord_u64 slot_cells = (accord_u64)w->row_tiles * ACCORD_TILE * ACCORD_CARRIED;
  const accord_u64 slot_scales = ACCORD_MODELS * (accord_u64)w->row_tiles;
  const accord_kind kinds[ACCORD_MODELS] = {accord_hmm_kind(), accord_partition_kind()};
  const int tiles = band->last_tile - band->first_tile;
  const accord_u32 letters = accord_letters_of_tiles(work->in, band->first_tile, band->last_tile);
  for (int k = 0; k < tiles * ACCORD_TILE * ACCORD_CARRIED; ++k) state[k] = accord_set(0.0f);
  for (int k = 0; k < ACCORD_MODELS * tiles; ++k) {
    scales[w->state_scale + k] = accord_set_int(ACCORD_NO_EXPONENT);
  }
  accord_carry carry[ACCORD_MODELS];
  for (int k = 0; k < ACCORD_MODELS; ++k) accord_clear_corner(&carry[k]);
  for (int tile_row = 0; tile_row < (int)w->row_tiles; ++tile_row) {
    accord_fill_row_tables(work->memory + w->table, work->model, work->combination.uses, work->in,
                           letters, sweep, tile_row * ACCORD_TILE);
    accord_vf entered[ACCORD_MODELS];
    accord_vi entered_scale[ACCORD_MODELS];
    ACCORD_UNROLL
    for (int k = 0; k < ACCORD_MODELS; ++k) {
      accord_load_carry(
          &carry[k], kinds[k], work->memory + w->border + band->read_slot * slot_cells,
          scales + w->border_scale + band->read_slot * slot_scales, tile_row, band->first_of_sweep);
      entered[k] = carry[k].left[ACCORD_TILE - 1].s;
      entered_scale[k] = carry[k].scale;
    }
    const int forward_row = sweep->backward ? (int)w->row_tiles - 1 - tile_row : tile_row;
    for (int k = 0; k < tiles; ++k) {
      const int forward_tile = sweep->backward ? band->last_tile - 1 - k : band->first_tile + k;
      const int tile_column = sweep->backward ? (int)w->col_tiles - 1 - forward_tile : forward_tile;
      accord_tile_place place = accord_place_of_tile(work, sweep, tile_row, tile_column);
      const accord_lanes_match match = accord_find_match(work, band, forward_row, forward_tile);
      if (sweep->backward) {
        accord_backward_tile(work, sweep, &place, match, state + k * ACCORD_TILE * ACCORD_CARRIED,
                             scales + w->state_scale + ACCORD_MODELS * k, carry);
      } else {
        accord_forward_tile(work, sweep, tile_row, tile_column, &place, match,
                            state + k * ACCORD_TILE * ACCORD_CARRIED,
                            scales + w->state_scale + ACCORD_MODELS * k, carry);
      }
    }
    // The corner of the next row of tiles is S that entered the last row of this one.
    ACCORD_UNROLL
    for (int k = 0; k < ACCORD_MODELS; ++k) {
      accord_store_carry(&carry[k], kinds[k],
                         work->memory + w->border + band->write_slot * slot_cells,
                         scales + w->border_scale + band->write_slot * slot_scales, tile_row);
      carry[k].corner = entered[k];
      carry[k].corner_scale = entered_scale[k];
    }
  }
}

// Computes the whole task. A first pass sweeps forward through all bands and gives the totals. A
// second pass goes from the last band to the first: it sweeps each band forward again, to store M
// (the last band still has M), and then backward. `memory` has w->size elements. `out` receives the
// kept cells; its counts must be 0 before.
ACCORD_FUNCTION void accord_lanes_task(const accord_lanes_input* in, const accord_workspace* w,
                                       ACCORD_CONSTANT const accord_model* model,
                                       ACCORD_GLOBAL accord_vf* memory, accord_lanes_output* out) {
  const accord_sweep forward = accord_make_sweep(w, model, in->m, in->m_shortest, in->n, 0);
  const accord_sweep backward = accord_make_sweep(w, model, in->m, in->m_shortest, in->n, 1);
  accord_lanes_totals totals = accord_lanes_totals_zero();
  accord_lanes_work work;
  work.in = in;
  work.w = w;
  work.model = model;
  work.combination = accord_combination_of(model);
  work.memory = memory;
  work.out = out;
  work.totals = &totals;
  accord_fill_openings(memory, w, model, in);
  accord_inverse hmm_inverse, pf_inverse;
  for (int step = 0; step < accord_step_count(w); ++step) {
    const accord_band band = accord_band_of_step(w, step);
    work.keeps_match = accord_keeps_match(w, step);
    if (accord_totals_are_known(w, step)) {
      hmm_inverse = accord_invert(totals.hmm);
      pf_inverse = accord_invert(accord_partition_total(totals.partition));
      work.hmm_inverse = &hmm_inverse;
      work.pf_inverse = &pf_inverse;
      work.totals = 0;
    }
    if (band.backward) {
      accord_sweep_band(&work, &backward, &band);
    } else {
      accord_sweep_band(&work, &forward, &band);
    }
#ifndef __OPENCL_C_VERSION__
    if (in->tell != 0) {
      in->tell(in->listener, (accord_u32)step + 1, (accord_u32)accord_step_count(w));
    }
#endif
  }
}

#endif
