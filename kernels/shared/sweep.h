// SPDX-License-Identifier: Apache-2.0
// The geometry of a posterior task, the same for every shape.
//
// Rows are residues of x, columns residues of y, both with a border row or column 0. The matrix
// is walked by bands of columns, in a band by rows of tiles, from left to right. The backward
// sweep is the same walk on the reversed sequences; its tiles are the mirrored forward tiles: in
// its own coordinates row r and column c are forward row R-1-r and column C-1-c, where R and C are
// the padded sizes, so the border of a lane with m residues is at row R-1-m.
//
//   forward                                      backward (band 2 first)
//   +------+------+---+                          +---+------+------+
//   |band 0|band 1| 2 |   M of a band is kept    | 2 |  1   |  0   |  S times the mirrored M is
//   +------+------+---+   for the backward sweep +---+------+------+  the posterior
//
// If there is more than one band, only the left borders of all bands are kept at first, and the
// forward sweep of a band is done again just before its backward sweep.
#ifndef ACCORD_SHARED_SWEEP_H
#define ACCORD_SHARED_SWEEP_H
#include "shared/combine.h"
#include "shared/recursion.h"
#include "shared/workspace.h"

// One direction of a task: the constants of its recursions and where its border lies.
typedef struct accord_sweep {
  int backward;
  int rows, cols;  // padded, multiples of 8
  accord_vi border_row;
  int border_column;
  int last_edge_row;     // no tile row after this one, and no tile column after the next number,
  int last_edge_column;  // touches the border of a lane
  int first_end_row;     // first tile row that holds the last row of a lane (forward)
  accord_hmm_gaps hmm_gaps;
  accord_pf_gaps pf_gaps;
  float start, gap0, gap1;    // injections of the pair-HMM
  accord_vi inject_exponent;  // of the largest of them
} accord_sweep;

// The sweep of a task whose x's have m residues (the shortest m_shortest) and whose y has n.
ACCORD_FUNCTION accord_sweep accord_make_sweep(const accord_workspace* w,
                                               ACCORD_CONSTANT const accord_model* model,
                                               accord_vi m, int m_shortest, int n, int backward) {
  accord_sweep sweep;
  ACCORD_CONSTANT const accord_recursion* hmm = &model->hmm;
  sweep.backward = backward;
  sweep.rows = (int)w->row_tiles * ACCORD_TILE;
  sweep.cols = (int)w->col_tiles * ACCORD_TILE;
  sweep.border_row = backward ? accord_set_int(sweep.rows - 1) - m : accord_set_int(0);
  sweep.border_column = backward ? sweep.cols - 1 - n : 0;
  sweep.last_edge_row = backward ? (sweep.rows - m_shortest) / ACCORD_TILE : 0;
  sweep.last_edge_column = (sweep.border_column + 1) / ACCORD_TILE;
  sweep.first_end_row = m_shortest / ACCORD_TILE;
  sweep.hmm_gaps.a0 = accord_set(hmm->gap_scale[0]);
  sweep.hmm_gaps.a1 = accord_set(hmm->gap_scale[1]);
  sweep.hmm_gaps.e0 = accord_set(hmm->gap_extend[0]);
  sweep.hmm_gaps.e1 = accord_set(hmm->gap_extend[1]);
  sweep.pf_gaps.a = accord_set(model->partition.gap_scale[0]);
  sweep.pf_gaps.e = accord_set(model->partition.gap_extend[0]);
  sweep.start = backward ? hmm->backward_start : hmm->forward_start;
  sweep.gap0 = backward ? hmm->backward_gap[0] : hmm->forward_gap[0];
  sweep.gap1 = backward ? hmm->backward_gap[1] : hmm->forward_gap[1];
  sweep.inject_exponent = accord_exponent(accord_max(
      accord_set(sweep.start), accord_max(accord_set(sweep.gap0), accord_set(sweep.gap1))));
  return sweep;
}

// Code of the residue that position `at` of a sweep consumes; padding and border never match.
ACCORD_FUNCTION int accord_code_at(ACCORD_GLOBAL const accord_u8* codes, int length, int padded,
                                   int at, int backward) {
  const int residue = backward ? padded - 1 - at : at - 1;  // 0-based
  return residue >= 0 && residue < length ? (int)codes[residue] : ACCORD_BORDER_SYMBOL;
}

// Exponent of what the border injects into tile (I, J), or none. Written for whole tiles so that
// every shape finds the same: the pair-HMM's start may reach into the next tiles by one cell; the
// partition function injects along both borders.
ACCORD_FUNCTION accord_vi accord_hmm_injected(const accord_sweep* sweep, int tile_row,
                                              int tile_column) {
  const accord_vi none = accord_set_int(ACCORD_NO_EXPONENT);
  const accord_vi here = accord_set_int(tile_row);
  const int first = sweep->border_column / ACCORD_TILE;
  if (tile_column < first || tile_column > sweep->last_edge_column) return none;
  return accord_choose_eq_int(
      ACCORD_SHIFT_RIGHT(sweep->border_row, 3), here, sweep->inject_exponent,
      accord_choose_eq_int(ACCORD_SHIFT_RIGHT(sweep->border_row + accord_set_int(1), 3), here,
                           sweep->inject_exponent, none));
}

ACCORD_FUNCTION accord_vi accord_pf_injected(const accord_sweep* sweep, int tile_row,
                                             int tile_column) {
  const accord_vi none = accord_set_int(ACCORD_NO_EXPONENT);
  const accord_vi zero = accord_set_int(0);
  const accord_vi border_tile = ACCORD_SHIFT_RIGHT(sweep->border_row, 3);
  const accord_vi here = accord_set_int(tile_row);
  const int first = sweep->border_column / ACCORD_TILE;
  if (tile_column < first) return none;
  if (tile_column == first) return accord_choose_gt_int(border_tile, here, none, zero);
  return accord_choose_eq_int(border_tile, here, zero, none);
}

// The pair-HMM cell in the last column, for each row of a tile.
typedef struct accord_hmm_end {
  accord_vf m, x0, x1, y0, y1;
} accord_hmm_end;

// Adds the pair-HMM's total of the lanes whose last row is `row`: the weights of all paths to the
// last cell, each times the weight of ending there.
ACCORD_FUNCTION void accord_add_hmm_end(accord_total* total,
                                        ACCORD_CONSTANT const accord_recursion* hmm,
                                        accord_hmm_end end, accord_vi m, accord_vi row,
                                        accord_vi scale) {
  accord_total_add_product(total, accord_where_eq_int(m, row, end.m), hmm->end_match, scale);
  accord_total_add_product(total, accord_where_eq_int(m, row, end.x0), hmm->end_gap[0], scale);
  accord_total_add_product(total, accord_where_eq_int(m, row, end.y0), hmm->end_gap[0], scale);
  accord_total_add_product(total, accord_where_eq_int(m, row, end.x1), hmm->end_gap[1], scale);
  accord_total_add_product(total, accord_where_eq_int(m, row, end.y1), hmm->end_gap[1], scale);
}

// One step of a task: a band in one direction, and the border slots that it reads and writes.
typedef struct accord_band {
  int first_tile, last_tile;  // forward tile columns, the second one past the end
  int backward;
  int first_pass;      // forward, for the totals
  int first_of_sweep;  // nothing lies before this band in the order of its sweep
  accord_u32 read_slot, write_slot;
} accord_band;

// A task goes forward through all bands; then, from the last band to the first, forward again to
// have M of the band in memory (the last band's is still there) and backward.
ACCORD_FUNCTION int accord_step_count(const accord_workspace* w) { return 3 * (int)w->bands - 1; }

// True in the first step after the first pass.
ACCORD_FUNCTION int accord_totals_are_known(const accord_workspace* w, int step) {
  return step == (int)w->bands;
}

ACCORD_FUNCTION accord_band accord_band_of_step(const accord_workspace* w, int step) {
  const int bands = (int)w->bands;
  const int after = step - bands;  // steps after the first pass: backward, forward, backward, ...
  const int b = after < 0 ? step : bands - 1 - (after + 1) / 2;
  accord_band band;
  band.first_pass = after < 0;
  band.backward = after >= 0 && after % 2 == 0;
  band.first_tile = b * (int)w->band_tiles;
  band.last_tile = b + 1 < bands ? band.first_tile + (int)w->band_tiles : (int)w->col_tiles;
  band.first_of_sweep = band.backward ? b == bands - 1 : b == 0;
  band.read_slot = band.backward ? w->bands : (accord_u32)b;
  band.write_slot = band.backward ? w->bands : (accord_u32)b + 1;
  return band;
}

#endif
