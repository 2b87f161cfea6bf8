// SPDX-License-Identifier: Apache-2.0
// Tiles in the lanes shape: 8 x 8 cells of up to ACCORD_LANES pairs at once, one pair a vector
// lane. The lanes share y, so the weights of a cell are one vector load from a table made for
// each row.
#ifndef ACCORD_SHARED_LANES_TILE_H
#define ACCORD_SHARED_LANES_TILE_H
#include "shared/sweep.h"

// Residues of a task. Lanes without an x have length 0 and repeat the pointer of another lane.
typedef struct accord_lanes_input {
  ACCORD_GLOBAL const accord_u8* x[ACCORD_LANES];  // residue codes of each x
  ACCORD_GLOBAL const accord_u8* y;
  accord_vi m;  // length of each x
  int m_longest;
  int m_shortest;
  int n;  // length of y, at least 1
} accord_lanes_input;

// What a tile hands to its right neighbour within a row of tiles.
typedef struct accord_carry {
  accord_hmm_left hmm[ACCORD_TILE];
  accord_pf_left pf[ACCORD_TILE];
  accord_vi hmm_scale, pf_scale;                // of the left tile
  accord_vf hmm_corner, pf_corner;              // S above the left tile's last column
  accord_vi hmm_corner_scale, pf_corner_scale;  // of the tile that holds the corner
} accord_carry;

// Weights of the 8 rows of a row of tiles against every symbol: [row][model][symbol].
ACCORD_FUNCTION void accord_fill_row_tables(ACCORD_GLOBAL accord_vf* table,
                                            ACCORD_CONSTANT const accord_model* model,
                                            const accord_lanes_input* in, const accord_sweep* sweep,
                                            int first_row) {
  for (int r = 0; r < ACCORD_TILE; ++r) {
    accord_vi codes = accord_set_int(0);
    for (int lane = 0; lane < ACCORD_LANES; ++lane) {
      accord_lane_int(codes, lane) = accord_code_at(in->x[lane], accord_lane_int(in->m, lane),
                                                    sweep->rows, first_row + r, sweep->backward);
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

// Where a tile lies in the sweep, and whether it may touch the border of a lane.
typedef struct accord_tile_place {
  int tile_row, tile_column;
  int edge;
  int symbols[ACCORD_TILE];  // residue codes of its columns
} accord_tile_place;

// The 64 cells of a tile, four columns at a time so that their state stays in registers.
// `out` gets S of each cell if `want_s`, else M. With `edge`, border cells are injected and
// end[r] gets the cell of row r in column `end_column` of the tile.
ACCORD_FUNCTION void accord_hmm_tile(accord_hmm_top* top, accord_hmm_left* left, accord_vf corner,
                                     ACCORD_GLOBAL const accord_vf* table,
                                     const accord_sweep* sweep, const accord_tile_place* place,
                                     int edge, accord_border border, int want_s,
                                     ACCORD_GLOBAL accord_vf* out, accord_hmm_end* end,
                                     int end_column) {
  const int row = place->tile_row * ACCORD_TILE, column = place->tile_column * ACCORD_TILE;
  ACCORD_UNROLL
  for (int first = 0; first < ACCORD_TILE; first += 4) {
    const accord_vf next_corner = top[first + 3].s;
    for (int r = 0; r < ACCORD_TILE; ++r) {
      accord_vf diagonal = corner;
      corner = left[r].s;
      ACCORD_UNROLL
      for (int c = first; c < first + 4; ++c) {
        const accord_hmm_inject inject =
            edge ? accord_hmm_border_cell(border, accord_set_int(row + r), column + c, sweep->start,
                                          sweep->gap0, sweep->gap1)
                 : accord_hmm_no_inject();
        accord_hmm_cell(&top[c], &left[r], &diagonal,
                        table[r * 2 * ACCORD_SYMBOLS + place->symbols[c]], sweep->hmm_gaps, edge,
                        inject);
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

ACCORD_FUNCTION void accord_pf_tile(accord_pf_top* top, accord_pf_left* left, accord_vf corner,
                                    ACCORD_GLOBAL const accord_vf* table, const accord_sweep* sweep,
                                    const accord_tile_place* place, int edge, accord_border border,
                                    int want_s, ACCORD_GLOBAL accord_vf* out) {
  const int row = place->tile_row * ACCORD_TILE, column = place->tile_column * ACCORD_TILE;
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
                       table[(r * 2 + 1) * ACCORD_SYMBOLS + place->symbols[c]], sweep->pf_gaps,
                       edge, inject);
        out[r * ACCORD_TILE + c] = want_s ? top[c].s : top[c].m;
      }
    }
    corner = next_corner;
  }
}

// Nothing stands above the first row of tiles of a band.
ACCORD_FUNCTION void accord_clear_corner(accord_carry* carry) {
  carry->hmm_corner = accord_set(0.0f);
  carry->pf_corner = accord_set(0.0f);
  carry->hmm_corner_scale = accord_set_int(ACCORD_NO_EXPONENT);
  carry->pf_corner_scale = accord_set_int(ACCORD_NO_EXPONENT);
}

// The corner of the next row of tiles: S that entered the last row of this one from the left.
ACCORD_FUNCTION void accord_next_corner(accord_carry* carry, const accord_carry* entered) {
  carry->hmm_corner = entered->hmm[ACCORD_TILE - 1].s;
  carry->pf_corner = entered->pf[ACCORD_TILE - 1].s;
  carry->hmm_corner_scale = entered->hmm_scale;
  carry->pf_corner_scale = entered->pf_scale;
}

// The carry at the left end of a row of tiles: nothing before the first band of a sweep, else
// what the band before left in `border`. The corner is the caller's.
ACCORD_FUNCTION void accord_load_carry(accord_carry* carry, ACCORD_GLOBAL const accord_vf* border,
                                       ACCORD_GLOBAL const accord_vi* scale, int tile_row,
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

ACCORD_FUNCTION void accord_store_carry(const accord_carry* carry, ACCORD_GLOBAL accord_vf* border,
                                        ACCORD_GLOBAL accord_vi* scale, int tile_row) {
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

// One tile of the pair-HMM: chooses its exponent, rescales what enters, computes the cells and
// leaves state and carry for the tiles below and on the right. `out` gets 64 values.
ACCORD_FUNCTION void accord_hmm_step(ACCORD_GLOBAL accord_vf* state,
                                     ACCORD_GLOBAL accord_vi* state_scale, accord_carry* carry,
                                     ACCORD_GLOBAL const accord_vf* table,
                                     const accord_sweep* sweep, const accord_tile_place* place,
                                     int edge, int want_s, ACCORD_GLOBAL accord_vf* out,
                                     accord_hmm_end* end, int end_column) {
  accord_hmm_top top[ACCORD_TILE];
  ACCORD_UNROLL
  for (int c = 0; c < ACCORD_TILE; ++c) {
    top[c].m = state[c * ACCORD_CARRIED];
    top[c].s = state[c * ACCORD_CARRIED + 1];
    top[c].x0 = state[c * ACCORD_CARRIED + 2];
    top[c].x1 = state[c * ACCORD_CARRIED + 3];
  }
  const accord_vi above = state_scale[0];
  accord_vi input =
      accord_max_int(accord_hmm_top_exponent(top, above),
                     accord_input_exponent(carry->hmm_corner, carry->hmm_corner_scale));
  if (edge) {
    input = accord_max_int(input, accord_hmm_injected(sweep, place->tile_row, place->tile_column));
  }
  const accord_vi scale = accord_tile_exponent(input, carry->hmm_scale);
  const accord_vf corner =
      accord_rescale(carry->hmm_corner, accord_pow2(carry->hmm_corner_scale - scale));
  carry->hmm_corner = top[ACCORD_TILE - 1].s;
  carry->hmm_corner_scale = above;
  accord_hmm_rescale_top(top, accord_pow2(above - scale));
  const accord_vf from_left = accord_pow2(carry->hmm_scale - scale);
  for (int r = 0; r < ACCORD_TILE; ++r) accord_hmm_rescale_left(&carry->hmm[r], from_left);
  accord_border border;
  border.row = sweep->border_row;
  border.column = sweep->border_column;
  border.one = accord_rescale(accord_set(1.0f), accord_pow2(-scale));
  accord_hmm_tile(top, carry->hmm, corner, table, sweep, place, edge, border, want_s, out, end,
                  end_column);
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

// The same for the partition function.
ACCORD_FUNCTION void accord_pf_step(ACCORD_GLOBAL accord_vf* state,
                                    ACCORD_GLOBAL accord_vi* state_scale, accord_carry* carry,
                                    ACCORD_GLOBAL const accord_vf* table, const accord_sweep* sweep,
                                    const accord_tile_place* place, int edge, int want_s,
                                    ACCORD_GLOBAL accord_vf* out) {
  accord_pf_top top[ACCORD_TILE];
  ACCORD_UNROLL
  for (int c = 0; c < ACCORD_TILE; ++c) {
    top[c].m = state[c * ACCORD_CARRIED + 4];
    top[c].s = state[c * ACCORD_CARRIED + 5];
    top[c].x = state[c * ACCORD_CARRIED + 6];
  }
  const accord_vi above = state_scale[1];
  accord_vi input = accord_max_int(accord_pf_top_exponent(top, above),
                                   accord_input_exponent(carry->pf_corner, carry->pf_corner_scale));
  if (edge) {
    input = accord_max_int(input, accord_pf_injected(sweep, place->tile_row, place->tile_column));
  }
  const accord_vi scale = accord_tile_exponent(input, carry->pf_scale);
  const accord_vf corner =
      accord_rescale(carry->pf_corner, accord_pow2(carry->pf_corner_scale - scale));
  carry->pf_corner = top[ACCORD_TILE - 1].s;
  carry->pf_corner_scale = above;
  accord_pf_rescale_top(top, accord_pow2(above - scale));
  const accord_vf from_left = accord_pow2(carry->pf_scale - scale);
  for (int r = 0; r < ACCORD_TILE; ++r) accord_pf_rescale_left(&carry->pf[r], from_left);
  accord_border border;
  border.row = sweep->border_row;
  border.column = sweep->border_column;
  border.one = accord_rescale(accord_set(1.0f), accord_pow2(-scale));
  accord_pf_tile(top, carry->pf, corner, table, sweep, place, edge, border, want_s, out);
  ACCORD_UNROLL
  for (int c = 0; c < ACCORD_TILE; ++c) {
    state[c * ACCORD_CARRIED + 4] = top[c].m;
    state[c * ACCORD_CARRIED + 5] = top[c].s;
    state[c * ACCORD_CARRIED + 6] = top[c].x;
  }
  state_scale[1] = scale;
  carry->pf_scale = scale;
}

// One tile of both models. `edge` is decided here, so that the tiles away from the borders, nearly
// all, run without a trace of it.
ACCORD_FUNCTION void accord_lanes_tile(ACCORD_GLOBAL accord_vf* state,
                                       ACCORD_GLOBAL accord_vi* state_scale, accord_carry* carry,
                                       ACCORD_GLOBAL const accord_vf* table,
                                       const accord_sweep* sweep, const accord_tile_place* place,
                                       int want_s, ACCORD_GLOBAL accord_vf* hmm_out,
                                       ACCORD_GLOBAL accord_vf* pf_out, accord_hmm_end* end,
                                       int end_column) {
  if (place->edge) {
    accord_hmm_step(state, state_scale, carry, table, sweep, place, 1, want_s, hmm_out, end,
                    end_column);
    accord_pf_step(state, state_scale, carry, table, sweep, place, 1, want_s, pf_out);
  } else {
    accord_hmm_step(state, state_scale, carry, table, sweep, place, 0, want_s, hmm_out, end,
                    end_column);
    accord_pf_step(state, state_scale, carry, table, sweep, place, 0, want_s, pf_out);
  }
}

#endif
