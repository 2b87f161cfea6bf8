// SPDX-License-Identifier: Apache-2.0
// A posterior task in the lanes shape: one y against up to ACCORD_LANES x's at once, one x a
// vector lane. All lanes share y_j, so the weights of a cell are one vector load from a table made
// for each row. Used by posterior_lanes.cl for CPU devices and by the host backend.
#ifndef ACCORD_SHARED_LANES_TASK_H
#define ACCORD_SHARED_LANES_TASK_H
#include "shared/sweep.h"

// Residues of a task. Lanes without an x have length 0 and repeat the pointer of another lane.
typedef struct accord_lanes_input {
  ACCORD_GLOBAL const accord_u8 *x[ACCORD_LANES];  // residue codes of each x
  ACCORD_GLOBAL const accord_u8 *y;
  accord_vi m;    // length of each x
  int m_longest;
  int m_shortest;
  int n;          // length of y, at least 1
} accord_lanes_input;

// Cells found so far, for each lane; cells beyond the capacity are counted but not stored.
typedef struct accord_lanes_output {
  ACCORD_GLOBAL accord_cell *cells[ACCORD_LANES];
  accord_u32 count[ACCORD_LANES];
  accord_u32 capacity;
} accord_lanes_output;

// Totals of both models; complete after the last band of the forward sweep.
typedef struct accord_lanes_totals {
  accord_total hmm;
  accord_total pf_row, pf_column;  // M of the last row, and of the last column above it
} accord_lanes_totals;

// What a tile hands to its right neighbour within a row of tiles.
typedef struct accord_carry {
  accord_hmm_left hmm[ACCORD_TILE];
  accord_pf_left pf[ACCORD_TILE];
  accord_vi hmm_scale, pf_scale;                // of the left tile
  accord_vf hmm_corner, pf_corner;              // S above the left tile's last column
  accord_vi hmm_corner_scale, pf_corner_scale;  // of the tile that holds the corner
} accord_carry;

// Weights of the 8 rows of a row of tiles against every symbol: [row][model][symbol].
ACCORD_FUNCTION void accord_fill_row_tables(ACCORD_GLOBAL accord_vf *table,
                                            ACCORD_CONSTANT const accord_model *model,
                                            const accord_lanes_input *in,
                                            const accord_sweep *sweep, int first_row) {
  for (int r = 0; r < ACCORD_TILE; ++r) {
    accord_vi codes = accord_set_int(0);
    for (int lane = 0; lane < ACCORD_LANES; ++lane) {
      accord_lane_int(codes, lane) =
          accord_code_at(in->x[lane], accord_lane_int(in->m, lane), sweep->rows, first_row + r,
                         sweep->backward);
    }
    // Both tables are symmetric: the row of a symbol against the codes of the lanes.
    for (int symbol = 0; symbol < ACCORD_SYMBOLS; ++symbol) {
      table[symbol] = accord_lookup(model->hmm.weight + symbol * ACCORD_SYMBOLS, codes);
      table[ACCORD_SYMBOLS + symbol] =
          accord_lookup(model->partition.weight + symbol * ACCORD_SYMBOLS, codes);
    }
    table += 2 * ACCORD_SYMBOLS;
  }
}

// The 64 cells of a tile, four columns at a time so that their state stays in registers.
// `out` gets S of each cell if `want_s`, else M. With `edge`, border cells are injected and
// end[r] gets the cell of row r in column `end_column` of the tile.
ACCORD_FUNCTION void accord_hmm_tile(accord_hmm_top *top, accord_hmm_left *left, accord_vf corner,
                                     ACCORD_GLOBAL const accord_vf *table, const int *symbols,
                                     const accord_sweep *sweep, int want_s,
                                     ACCORD_GLOBAL accord_vf *out, int edge, accord_border border,
                                     int row, int column, accord_hmm_end *end, int end_column) {
  ACCORD_UNROLL
  for (int first = 0; first < ACCORD_TILE; first += 4) {
    const accord_vf next_corner = top[first + 3].s;
    for (int r = 0; r < ACCORD_TILE; ++r) {
      accord_vf diagonal = corner;
      corner = left[r].s;
      ACCORD_UNROLL
      for (int c = first; c < first + 4; ++c) {
        const accord_hmm_inject inject =
            edge ? accord_hmm_border_cell(border, accord_set_int(row + r), column + c,
                                          sweep->start, sweep->gap0, sweep->gap1)
                 : accord_hmm_no_inject();
        accord_hmm_cell(&top[c], &left[r], &diagonal, table[r * 2 * ACCORD_SYMBOLS + symbols[c]],
                        sweep->hmm_gaps, edge, inject);
        out[r * ACCORD_TILE + c] = want_s ? top[c].s : top[c].m;
        if (edge && c == end_column) {
          end[r].m = top[c].m;
          end[r].x0 = top[c].x0;
          end[r].x1 = top[c].x1;
          end[r].y0 = left[r].y0;
          end[r].y1 = left[r].y1;
        }
      }
    }
    corner = next_corner;
  }
}

ACCORD_FUNCTION void accord_pf_tile(accord_pf_top *top, accord_pf_left *left, accord_vf corner,
                                    ACCORD_GLOBAL const accord_vf *table, const int *symbols,
                                    const accord_sweep *sweep, int want_s,
                                    ACCORD_GLOBAL accord_vf *out, int edge, accord_border border,
                                    int row, int column) {
  ACCORD_UNROLL
  for (int first = 0; first < ACCORD_TILE; first += 4) {
    const accord_vf next_corner = top[first + 3].s;
    for (int r = 0; r < ACCORD_TILE; ++r) {
      accord_vf diagonal = corner;
      corner = left[r].s;
      ACCORD_UNROLL
      for (int c = first; c < first + 4; ++c) {
        accord_vf inject = accord_set(0.0f);
        if (edge) inject = accord_pf_border_cell(border, accord_set_int(row + r), column + c);
        accord_pf_cell(&top[c], &left[r], &diagonal,
                       table[(r * 2 + 1) * ACCORD_SYMBOLS + symbols[c]], sweep->pf_gaps, edge,
                       inject);
        out[r * ACCORD_TILE + c] = want_s ? top[c].s : top[c].m;
      }
    }
    corner = next_corner;
  }
}

// Emits the cells of forward tile (first row `row`, first column `column`) that are worth keeping.
// forward: M of both models; backward: S of both models in the mirrored order.
ACCORD_FUNCTION void accord_emit_tile(ACCORD_GLOBAL const accord_vf *hmm_m,
                                      ACCORD_GLOBAL const accord_vf *pf_m,
                                      ACCORD_GLOBAL const accord_vf *tile, accord_vf hmm_factor,
                                      accord_vf pf_factor, float keep_from, int row, int column,
                                      const accord_lanes_input *in, accord_lanes_output *out) {
  const int cells = ACCORD_TILE * ACCORD_TILE;
  const accord_vf threshold = accord_set(keep_from);
  for (int cell = 0; cell < cells; ++cell) {
    const accord_vf p = accord_posterior(hmm_m[cell], tile[cells - 1 - cell], hmm_factor);
    const accord_vf q = accord_posterior(pf_m[cell], tile[2 * cells - 1 - cell], pf_factor);
    accord_vf squares = accord_fma(p, p, q * q);
    accord_u32 mask = accord_mask_ge(squares, threshold);
    while (mask != 0) {
      const int lane = accord_lowest_bit(mask);
      mask &= mask - 1;
      const int i = row + cell / ACCORD_TILE - 1, j = column + cell % ACCORD_TILE - 1;
      if (i < 0 || j < 0 || i >= accord_lane_int(in->m, lane) || j >= in->n) continue;
      const accord_u32 at = out->count[lane]++;
      if (at < out->capacity) {
        out->cells[lane][at].row = (accord_u32)i;
        out->cells[lane][at].column = (accord_u32)j;
        out->cells[lane][at].probability = accord_root_mean_square(accord_lane(squares, lane));
      }
    }
  }
}

// Adds what tile (I, last) contributes to the totals of the lanes that end in it, and the last
// column of every tile row to the partition function's. `tile_row` is I, `pf_m` the tile's M.
ACCORD_FUNCTION void accord_add_last_column(accord_lanes_totals *totals,
                                            ACCORD_CONSTANT const accord_model *model,
                                            const accord_lanes_input *in, int tile_row,
                                            const accord_hmm_end *end, accord_vi hmm_scale,
                                            ACCORD_GLOBAL const accord_vf *pf_m,
                                            accord_vi pf_scale) {
  const int c = in->n % ACCORD_TILE;
  accord_total column = accord_total_zero();
  for (int r = 0; r < ACCORD_TILE; ++r) {
    const accord_vi row = accord_set_int(tile_row * ACCORD_TILE + r);
    const accord_vf m = accord_where_gt_int(in->m, row, pf_m[r * ACCORD_TILE + c]);
    accord_total_add(&column, m, accord_set(0.0f), pf_scale);
    if (end != 0 && accord_any_eq_int(in->m, row)) {
      accord_add_hmm_end(&totals->hmm, &model->hmm, end[r], in->m, row, hmm_scale);
    }
  }
  accord_total_add(&totals->pf_column, column.high, column.low, column.scale);
}

// Adds the last row of each lane, as far as it lies in this tile, to the partition function's.
ACCORD_FUNCTION void accord_add_last_row(accord_lanes_totals *totals,
                                         const accord_lanes_input *in, int tile_row,
                                         ACCORD_GLOBAL const accord_vf *pf_m,
                                         accord_vi pf_scale) {
  accord_total tile = accord_total_zero();
  for (int r = 0; r < ACCORD_TILE; ++r) {
    const accord_vi row = accord_set_int(tile_row * ACCORD_TILE + r);
    if (!accord_any_eq_int(in->m, row)) continue;
    for (int c = 0; c < ACCORD_TILE; ++c) {
      accord_total_add(&tile, accord_where_eq_int(in->m, row, pf_m[r * ACCORD_TILE + c]),
                       accord_set(0.0f), pf_scale);
    }
  }
  accord_total_add(&totals->pf_row, tile.high, tile.low, tile.scale);
}

// The carry at the left end of a row of tiles: nothing before the first band of a sweep, else
// what the band before left in `border`. The corner is the caller's.
ACCORD_FUNCTION void accord_load_carry(accord_carry *carry,
                                       ACCORD_GLOBAL const accord_vf *border,
                                       ACCORD_GLOBAL const accord_vi *scale, int tile_row,
                                       int first_band) {
  const accord_vf zero = accord_set(0.0f);
  border += tile_row * ACCORD_TILE * ACCORD_CARRIED;
  for (int r = 0; r < ACCORD_TILE; ++r) {
    carry->hmm[r].m = first_band ? zero : border[r * ACCORD_CARRIED];
    carry->hmm[r].s = first_band ? zero : border[r * ACCORD_CARRIED + 1];
    carry->hmm[r].y0 = first_band ? zero : border[r * ACCORD_CARRIED + 2];
    carry->hmm[r].y1 = first_band ? zero : border[r * ACCORD_CARRIED + 3];
    carry->pf[r].m = first_band ? zero : border[r * ACCORD_CARRIED + 4];
    carry->pf[r].s = first_band ? zero : border[r * ACCORD_CARRIED + 5];
    carry->pf[r].y = first_band ? zero : border[r * ACCORD_CARRIED + 6];
  }
  const accord_vi none = accord_set_int(ACCORD_NO_EXPONENT);
  carry->hmm_scale = first_band ? none : scale[2 * tile_row];
  carry->pf_scale = first_band ? none : scale[2 * tile_row + 1];
}

ACCORD_FUNCTION void accord_store_carry(const accord_carry *carry,
                                        ACCORD_GLOBAL accord_vf *border,
                                        ACCORD_GLOBAL accord_vi *scale, int tile_row) {
  border += tile_row * ACCORD_TILE * ACCORD_CARRIED;
  for (int r = 0; r < ACCORD_TILE; ++r) {
    border[r * ACCORD_CARRIED] = carry->hmm[r].m;
    border[r * ACCORD_CARRIED + 1] = carry->hmm[r].s;
    border[r * ACCORD_CARRIED + 2] = carry->hmm[r].y0;
    border[r * ACCORD_CARRIED + 3] = carry->hmm[r].y1;
    border[r * ACCORD_CARRIED + 4] = carry->pf[r].m;
    border[r * ACCORD_CARRIED + 5] = carry->pf[r].s;
    border[r * ACCORD_CARRIED + 6] = carry->pf[r].y;
  }
  scale[2 * tile_row] = carry->hmm_scale;
  scale[2 * tile_row + 1] = carry->pf_scale;
}

// One tile of both models: chooses the exponents, rescales the inputs, fills `hmm_out` and
// `pf_out` with 64 values each and leaves state and carry for the tiles below and on the right.
ACCORD_FUNCTION void accord_lanes_tile(ACCORD_GLOBAL accord_vf *state,
                                       ACCORD_GLOBAL accord_vi *state_scale, accord_carry *carry,
                                       ACCORD_GLOBAL const accord_vf *table, const int *symbols,
                                       const accord_sweep *sweep, int tile_row, int tile_column,
                                       int edge, int want_s, ACCORD_GLOBAL accord_vf *hmm_out,
                                       ACCORD_GLOBAL accord_vf *pf_out, accord_hmm_end *end,
                                       int end_column) {
  const int row = tile_row * ACCORD_TILE, column = tile_column * ACCORD_TILE;
  accord_border border;
  border.row = sweep->border_row;
  border.column = sweep->border_column;
  {
    accord_hmm_top top[ACCORD_TILE];
    ACCORD_UNROLL
    for (int c = 0; c < ACCORD_TILE; ++c) {
      top[c].m = state[c * ACCORD_CARRIED];
      top[c].s = state[c * ACCORD_CARRIED + 1];
      top[c].x0 = state[c * ACCORD_CARRIED + 2];
      top[c].x1 = state[c * ACCORD_CARRIED + 3];
    }
    const accord_vi above = state_scale[0];
    accord_vi input = accord_max_int(
        accord_hmm_top_exponent(top, above),
        accord_input_exponent(carry->hmm_corner, carry->hmm_corner_scale));
    if (edge) input = accord_max_int(input, accord_hmm_injected(sweep, tile_row, tile_column));
    const accord_vi scale = accord_tile_exponent(input, carry->hmm_scale);
    const accord_vf corner =
        accord_rescale(carry->hmm_corner, accord_pow2(carry->hmm_corner_scale - scale));
    carry->hmm_corner = top[ACCORD_TILE - 1].s;
    carry->hmm_corner_scale = above;
    accord_hmm_rescale_top(top, accord_pow2(above - scale));
    const accord_vf from_left = accord_pow2(carry->hmm_scale - scale);
    for (int r = 0; r < ACCORD_TILE; ++r) accord_hmm_rescale_left(&carry->hmm[r], from_left);
    border.one = accord_rescale(accord_set(1.0f), accord_pow2(-scale));
    accord_hmm_tile(top, carry->hmm, corner, table, symbols, sweep, want_s, hmm_out, edge, border,
                    row, column, end, end_column);
    ACCORD_UNROLL
    for (int c = 0; c < ACCORD_TILE; ++c) {
      state[c * ACCORD_CARRIED] = top[c].m;
      state[c * ACCORD_CARRIED + 1] = top[c].s;
      state[c * ACCORD_CARRIED + 2] = top[c].x0;
      state[c * ACCORD_CARRIED + 3] = top[c].x1;
    }
    state_scale[0] = scale;
    carry->hmm_scale = scale;
  }
  {
    accord_pf_top top[ACCORD_TILE];
    ACCORD_UNROLL
    for (int c = 0; c < ACCORD_TILE; ++c) {
      top[c].m = state[c * ACCORD_CARRIED + 4];
      top[c].s = state[c * ACCORD_CARRIED + 5];
      top[c].x = state[c * ACCORD_CARRIED + 6];
    }
    const accord_vi above = state_scale[1];
    accord_vi input =
        accord_max_int(accord_pf_top_exponent(top, above),
                       accord_input_exponent(carry->pf_corner, carry->pf_corner_scale));
    if (edge) input = accord_max_int(input, accord_pf_injected(sweep, tile_row, tile_column));
    const accord_vi scale = accord_tile_exponent(input, carry->pf_scale);
    const accord_vf corner =
        accord_rescale(carry->pf_corner, accord_pow2(carry->pf_corner_scale - scale));
    carry->pf_corner = top[ACCORD_TILE - 1].s;
    carry->pf_corner_scale = above;
    accord_pf_rescale_top(top, accord_pow2(above - scale));
    const accord_vf from_left = accord_pow2(carry->pf_scale - scale);
    for (int r = 0; r < ACCORD_TILE; ++r) accord_pf_rescale_left(&carry->pf[r], from_left);
    border.one = accord_rescale(accord_set(1.0f), accord_pow2(-scale));
    accord_pf_tile(top, carry->pf, corner, table, symbols, sweep, want_s, pf_out, edge, border,
                   row, column);
    ACCORD_UNROLL
    for (int c = 0; c < ACCORD_TILE; ++c) {
      state[c * ACCORD_CARRIED + 4] = top[c].m;
      state[c * ACCORD_CARRIED + 5] = top[c].s;
      state[c * ACCORD_CARRIED + 6] = top[c].x;
    }
    state_scale[1] = scale;
    carry->pf_scale = scale;
  }
}

// The columns of a band, and the border slots it reads and writes.
typedef struct accord_band {
  int first_tile, last_tile;  // forward tile columns, the second one past the end
  int first_of_sweep;         // nothing lies before this band in sweep order
  accord_u32 read_slot, write_slot;
} accord_band;

// What a sweep works on: read-only inputs, scratch memory, and where results go.
typedef struct accord_lanes_work {
  const accord_lanes_input *in;
  const accord_workspace *w;
  ACCORD_CONSTANT const accord_model *model;
  ACCORD_GLOBAL accord_vf *memory;
  accord_lanes_totals *totals;     // forward sweep, may be null if they are known
  const accord_inverse *hmm_inverse, *pf_inverse;  // backward sweep
  accord_lanes_output *out;                        // backward sweep
} accord_lanes_work;

// One band in one direction. Forward: M of the band is stored and the totals grow. Backward:
// cells are emitted.
ACCORD_FUNCTION void accord_sweep_band(const accord_lanes_work *work, const accord_sweep *sweep,
                                       const accord_band *band) {
  const accord_workspace *w = work->w;
  ACCORD_GLOBAL accord_vf *memory = work->memory;
  ACCORD_GLOBAL accord_vi *scales = (ACCORD_GLOBAL accord_vi *)memory;
  const accord_u64 slot_cells = (accord_u64)w->row_tiles * ACCORD_TILE * ACCORD_CARRIED;
  const accord_u64 slot_scales = 2 * (accord_u64)w->row_tiles;
  const accord_u64 match_cells = (accord_u64)w->row_tiles * ACCORD_TILE * ACCORD_TILE;
  const int tiles = band->last_tile - band->first_tile;
  for (int k = 0; k < tiles * ACCORD_TILE * ACCORD_CARRIED; ++k) {
    memory[w->state + k] = accord_set(0.0f);
  }
  for (int k = 0; k < 2 * tiles; ++k) {
    scales[w->state_scale + k] = accord_set_int(ACCORD_NO_EXPONENT);
  }
  ACCORD_GLOBAL accord_vf *read_border = memory + w->border + band->read_slot * slot_cells;
  ACCORD_GLOBAL accord_vi *read_scale = scales + w->border_scale + band->read_slot * slot_scales;

  accord_carry carry;
  accord_vf hmm_corner = accord_set(0.0f), pf_corner = accord_set(0.0f);
  accord_vi hmm_corner_scale = accord_set_int(ACCORD_NO_EXPONENT);
  accord_vi pf_corner_scale = accord_set_int(ACCORD_NO_EXPONENT);
  for (int tile_row = 0; tile_row < (int)w->row_tiles; ++tile_row) {
    accord_fill_row_tables(memory + w->table, work->model, work->in, sweep,
                           tile_row * ACCORD_TILE);
    accord_load_carry(&carry, read_border, read_scale, tile_row, band->first_of_sweep);
    carry.hmm_corner = hmm_corner;
    carry.pf_corner = pf_corner;
    carry.hmm_corner_scale = hmm_corner_scale;
    carry.pf_corner_scale = pf_corner_scale;
    hmm_corner = carry.hmm[ACCORD_TILE - 1].s;
    pf_corner = carry.pf[ACCORD_TILE - 1].s;
    hmm_corner_scale = carry.hmm_scale;
    pf_corner_scale = carry.pf_scale;
    for (int k = 0; k < tiles; ++k) {
      const int forward_tile = sweep->backward ? band->last_tile - 1 - k : band->first_tile + k;
      const int tile_column =
          sweep->backward ? (int)w->col_tiles - 1 - forward_tile : forward_tile;
      const int forward_row = sweep->backward ? (int)w->row_tiles - 1 - tile_row : tile_row;
      const accord_u64 stored = (accord_u64)(forward_tile - band->first_tile);
      ACCORD_GLOBAL accord_vf *hmm_m =
          memory + w->match + stored * match_cells +
          (accord_u64)forward_row * ACCORD_TILE * ACCORD_TILE;
      ACCORD_GLOBAL accord_vf *pf_m = hmm_m + w->band_tiles * match_cells;
      ACCORD_GLOBAL accord_vi *hmm_scale =
          scales + w->match_scale + stored * w->row_tiles + forward_row;
      ACCORD_GLOBAL accord_vi *pf_scale =
          hmm_scale + (accord_u64)w->band_tiles * w->row_tiles;
      int symbols[ACCORD_TILE];
      for (int c = 0; c < ACCORD_TILE; ++c) {
        symbols[c] = accord_code_at(work->in->y, work->in->n, sweep->cols,
                                    tile_column * ACCORD_TILE + c, sweep->backward);
      }
      ACCORD_GLOBAL accord_vf *state = memory + w->state + k * ACCORD_TILE * ACCORD_CARRIED;
      ACCORD_GLOBAL accord_vi *state_scale = scales + w->state_scale + 2 * k;
      const int touches_border =
          tile_row <= sweep->last_edge_row || tile_column <= sweep->last_edge_column;
      if (!sweep->backward) {
        const int last = forward_tile == (int)w->col_tiles - 1;
        const int ends = tile_row >= sweep->first_end_row;
        accord_hmm_end end[ACCORD_TILE];
        if (touches_border || (last && ends)) {
          accord_lanes_tile(state, state_scale, &carry, memory + w->table, symbols, sweep,
                            tile_row, tile_column, 1, 0, hmm_m, pf_m, end,
                            work->in->n % ACCORD_TILE);
        } else {
          accord_lanes_tile(state, state_scale, &carry, memory + w->table, symbols, sweep,
                            tile_row, tile_column, 0, 0, hmm_m, pf_m, end, 0);
        }
        *hmm_scale = carry.hmm_scale;
        *pf_scale = carry.pf_scale;
        if (work->totals != 0 && last) {
          accord_add_last_column(work->totals, work->model, work->in, tile_row, ends ? end : 0,
                                 carry.hmm_scale, pf_m, carry.pf_scale);
        }
        if (work->totals != 0 && ends) {
          accord_add_last_row(work->totals, work->in, tile_row, pf_m, carry.pf_scale);
        }
      } else {
        ACCORD_GLOBAL accord_vf *tile = memory + w->tile;
        ACCORD_GLOBAL accord_vf *pf_s = tile + ACCORD_TILE * ACCORD_TILE;
        if (touches_border) {
          accord_lanes_tile(state, state_scale, &carry, memory + w->table, symbols, sweep,
                            tile_row, tile_column, 1, 1, tile, pf_s, 0, -1);
        } else {
          accord_lanes_tile(state, state_scale, &carry, memory + w->table, symbols, sweep,
                            tile_row, tile_column, 0, 1, tile, pf_s, 0, -1);
        }
        const accord_vf hmm_factor =
            accord_posterior_factor(*hmm_scale, carry.hmm_scale, *work->hmm_inverse);
        const accord_vf pf_factor =
            accord_posterior_factor(*pf_scale, carry.pf_scale, *work->pf_inverse);
        const accord_vf smallest = accord_set(1e-37f);
        if (accord_mask_ge(accord_max(hmm_factor, pf_factor), smallest) != 0) {
          accord_emit_tile(hmm_m, pf_m, tile, hmm_factor, pf_factor, work->model->keep_from,
                           forward_row * ACCORD_TILE, forward_tile * ACCORD_TILE, work->in,
                           work->out);
        }
      }
    }
    accord_store_carry(&carry, memory + w->border + band->write_slot * slot_cells,
                       scales + w->border_scale + band->write_slot * slot_scales, tile_row);
  }
}

// The whole task: forward through all bands, totals, then backward from the last band to the
// first. `memory` holds plan.size elements.
ACCORD_FUNCTION void accord_lanes_task(const accord_lanes_input *in, const accord_workspace *w,
                                       ACCORD_CONSTANT const accord_model *model,
                                       ACCORD_GLOBAL accord_vf *memory,
                                       accord_lanes_output *out) {
  const accord_sweep forward = accord_make_sweep(w, model, in->m, in->m_shortest, in->n, 0);
  const accord_sweep backward = accord_make_sweep(w, model, in->m, in->m_shortest, in->n, 1);
  accord_lanes_totals totals;
  totals.hmm = accord_total_zero();
  totals.pf_row = accord_total_zero();
  totals.pf_column = accord_total_zero();
  accord_lanes_work work;
  work.in = in;
  work.w = w;
  work.model = model;
  work.memory = memory;
  work.out = out;
  work.totals = &totals;
  accord_inverse hmm_inverse, pf_inverse;
  const int bands = (int)w->bands;
  // Step s < bands is the forward sweep of band s; then each band from the last to the first takes
  // two steps, the forward sweep again (not needed for the last band) and the backward sweep.
  for (int step = 0; step < 3 * bands; ++step) {
    const int first_pass = step < bands;
    const int b = first_pass ? step : bands - 1 - (step - bands) / 2;
    const int is_backward = !first_pass && (step - bands) % 2 == 1;
    if (step == bands) {
      accord_total_add(&totals.pf_row, totals.pf_column.high, totals.pf_column.low,
                       totals.pf_column.scale);
      hmm_inverse = accord_invert(totals.hmm);
      pf_inverse = accord_invert(totals.pf_row);
      work.hmm_inverse = &hmm_inverse;
      work.pf_inverse = &pf_inverse;
      work.totals = 0;
      continue;  // M of the last band is still there
    }
    accord_band band;
    band.first_tile = b * (int)w->band_tiles;
    band.last_tile = b + 1 < bands ? band.first_tile + (int)w->band_tiles : (int)w->col_tiles;
    band.first_of_sweep = is_backward ? b == bands - 1 : b == 0;
    band.read_slot = is_backward ? w->bands : (accord_u32)b;
    band.write_slot = is_backward ? w->bands : (accord_u32)b + 1;
    if (is_backward) {
      accord_sweep_band(&work, &backward, &band);
    } else {
      accord_sweep_band(&work, &forward, &band);
    }
  }
}

#endif
