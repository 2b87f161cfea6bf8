// SPDX-License-Identifier: Apache-2.0
// The geometry of a posterior task, the same for every layout. recursion.h defines M and S.
//
// Rows are residues of x, and columns are residues of y; row 0 and column 0 are the border. A sweep
// walks over the bands of columns, and in a band over rows of tiles, from left to right. The
// backward sweep is the same walk on the reversed sequences. Its tiles mirror the forward tiles:
// its row r and column c are forward row R-1-r and column C-1-c, where R and C are the padded
// sizes. So the border of a lane with m residues is at row R-1-m.
//
//   forward                                      backward (band 2 first)
//   +------+------+---+                          +---+------+------+
//   |band 0|band 1| 2 |   M of a band is kept    | 2 |  1   |  0   |  S times the mirrored M is
//   +------+------+---+   for the backward sweep +---+------+------+  the posterior
//
// If there are several bands, the first pass stores the left borders of all bands, and M of only
// the last band. The forward sweep of every other band is repeated just before its backward sweep.
#ifndef ACCORD_KERNELS_POSTERIORS_SWEEP_H
#define ACCORD_KERNELS_POSTERIORS_SWEEP_H
#include "posteriors/combine.h"
#include "posteriors/recursion.h"
#include "posteriors/workspace.h"

// The constants of the recursion of one model in one direction. The border of the matrix injects
// start values into cells: it adds them to the sums of the cells.
typedef struct accord_model_sweep {
  accord_gaps gaps;
  accord_start start;
  accord_vi inject_exponent;  // exponent of the largest injected value
} accord_model_sweep;

// One direction of a task: the constants of its recursions and the place of its border.
typedef struct accord_sweep {
  int backward;
  int rows, cols;        // numbers of rows and columns with padding, multiples of 8
  accord_vi border_row;  // of each lane
  int border_column;     // the same for all lanes
  int last_edge_row;     // last tile row with the border row of a lane, or the row behind it
  int last_edge_column;  // last tile column with the border column, or the column behind it
  int first_end_row;     // first tile row that may have the last row of a lane, forward
  accord_model_sweep of[ACCORD_MODELS];
} accord_sweep;

// Makes the constants of the recursion of one model; `backward` is 0 or 1.
ACCORD_FUNCTION accord_model_sweep
accord_make_model_sweep(ACCORD_CONSTANT const accord_recursion* recursion, int backward) {
  accord_model_sweep sweep;
  sweep.start.s = backward ? recursion->backward_start : recursion->forward_start;
  accord_vf largest = accord_set(sweep.start.s);
  for (int k = 0; k < ACCORD_GAP_CLASSES; ++k) {
    sweep.gaps.a[k] = accord_set(recursion->gap_scale[k]);
    sweep.gaps.e[k] = accord_set(recursion->gap_extend[k]);
    sweep.start.gap[k] = backward ? recursion->backward_gap[k] : recursion->forward_gap[k];
    largest = accord_max(largest, accord_set(sweep.start.gap[k]));
  }
  sweep.inject_exponent = accord_exponent(largest);
  return sweep;
}

// Makes a sweep of a task. Each lane has an x of `m` residues; the shortest x has `m_shortest`, and
// y has `n`.
ACCORD_FUNCTION accord_sweep accord_make_sweep(const accord_workspace* w,
                                               ACCORD_CONSTANT const accord_model* model,
                                               accord_vi m, int m_shortest, int n, int backward) {
  accord_sweep sweep;
  sweep.backward = backward;
  sweep.rows = (int)w->row_tiles * ACCORD_TILE;
  sweep.cols = (int)w->col_tiles * ACCORD_TILE;
  sweep.border_row = backward ? accord_set_int(sweep.rows - 1) - m : accord_set_int(0);
  sweep.border_column = backward ? sweep.cols - 1 - n : 0;
  sweep.last_edge_row = backward ? (sweep.rows - m_shortest) / ACCORD_TILE : 0;
  sweep.last_edge_column = (sweep.border_column + 1) / ACCORD_TILE;
  sweep.first_end_row = m_shortest / ACCORD_TILE;
  sweep.of[ACCORD_HMM] = accord_make_model_sweep(&model->hmm, backward);
  sweep.of[ACCORD_PARTITION] = accord_make_model_sweep(&model->partition, backward);
  return sweep;
}

// The code of the residue at row or column `at` of a sweep, for a sequence of `length` residues.
// `padded` is the number of rows or columns with padding. The border and the padding have
// ACCORD_BORDER_SYMBOL, which matches nothing.
ACCORD_FUNCTION int accord_code_at(ACCORD_GLOBAL const accord_u8* codes, int length, int padded,
                                   int at, int backward) {
  const int residue = backward ? padded - 1 - at : at - 1;  // 0-based
  return residue >= 0 && residue < length ? (int)codes[residue] : ACCORD_BORDER_SYMBOL;
}

// The number of residues, in forward order, before a gap that opens behind row or column `at` of a
// sweep. `padded` is the number of rows or columns with padding.
ACCORD_FUNCTION int accord_residues_at(int padded, int at, int backward) {
  return backward ? padded - 1 - at : at;
}

// The factor of opening a gap behind the first `residues` residues of a sequence; 1 at its ends.
ACCORD_FUNCTION float accord_opening(ACCORD_CONSTANT const accord_model* model,
                                     ACCORD_GLOBAL const accord_u8* codes, int length,
                                     int residues) {
  if (residues <= 0 || residues >= length) return 1.0f;
  const int before = codes[residues - 1], behind = codes[residues];
  ACCORD_CONSTANT const float* left = model->opening[0];
  ACCORD_CONSTANT const float* right = model->opening[1];
  const float factor =
      left[ACCORD_LETTER(before)] * left[ACCORD_SYMBOLS + ACCORD_CONTEXT(before)] *
      (right[ACCORD_LETTER(behind)] * right[ACCORD_SYMBOLS + ACCORD_CONTEXT(behind)]);
  const float least = 1.0f / ACCORD_MOST_OPENING;
  return factor < least ? least : factor > ACCORD_MOST_OPENING ? ACCORD_MOST_OPENING : factor;
}

// The exponent of the values that the border of each lane injects into a tile; ACCORD_NO_EXPONENT
// if it injects none. The exponent depends on the tile alone, so that every layout gets the same.
// With free ends, the border injects all along its row and its column. Otherwise it injects only
// into its corner and the cells next to the corner; these cells may be in the next tiles.
ACCORD_FUNCTION accord_vi accord_injected(const accord_sweep* sweep, accord_kind kind,
                                          accord_vi tile_row, accord_vi tile_column) {
  const accord_vi none = accord_set_int(ACCORD_NO_EXPONENT);
  const accord_vi exponent = sweep->of[kind.number].inject_exponent;
  const accord_vi border_tile = ACCORD_SHIFT_RIGHT(sweep->border_row, 3);
  const accord_vi first = accord_set_int(sweep->border_column / ACCORD_TILE);
  const accord_vi in_row = accord_choose_eq_int(border_tile, tile_row, exponent, none);
  accord_vi injected;
  if (kind.free_ends) {
    const accord_vi in_column = accord_choose_gt_int(border_tile, tile_row, none, exponent);
    injected = accord_choose_gt_int(tile_column, first, in_row, in_column);
  } else {
    const accord_vi next_tile = ACCORD_SHIFT_RIGHT(sweep->border_row + accord_set_int(1), 3);
    const accord_vi last = accord_set_int(sweep->last_edge_column);
    injected = accord_choose_gt_int(tile_column, last, none,
                                    accord_choose_eq_int(next_tile, tile_row, exponent, in_row));
  }
  return accord_choose_gt_int(first, tile_column, none, injected);
}

// The border at `row` and `column` of a sweep, for the cells of a tile with the exponent `scale`.
ACCORD_FUNCTION accord_border accord_make_border(accord_vi row, int column, accord_vi scale) {
  accord_border border;
  border.row = row;
  border.column = accord_set_int(column);
  border.one = accord_rescale(accord_set(1.0f), accord_pow2(-scale));
  return border;
}

// The values M, X_k and Y_k of a cell of the pair-HMM in the last column.
typedef struct accord_end {
  accord_vf m, x[ACCORD_GAP_CLASSES], y[ACCORD_GAP_CLASSES];
} accord_end;

// Adds to the pair-HMM's total of each lane whose last row is `row`. `m` has the last row of each
// lane; `end` is the cell of `row` in the last column, with the exponent `scale`. The total is the
// sum of the values of the last cell, each times the weight of ending in its state.
ACCORD_FUNCTION void accord_add_hmm_end(accord_total* total,
                                        ACCORD_CONSTANT const accord_recursion* hmm,
                                        const accord_end* end, accord_vi m, accord_vi row,
                                        accord_vi scale) {
  accord_total_add_product(total, accord_where_eq_int(m, row, end->m), hmm->end_match, scale);
  ACCORD_UNROLL
  for (int k = 0; k < ACCORD_GAP_CLASSES; ++k) {
    accord_total_add_product(total, accord_where_eq_int(m, row, end->x[k]), hmm->end_gap[k], scale);
    accord_total_add_product(total, accord_where_eq_int(m, row, end->y[k]), hmm->end_gap[k], scale);
  }
}

// The two sums of the partition function's total: M over the last row of a lane, and M over the
// last column above this row. The bits depend on the order of summation, which is the same in every
// layout. First the 8 values of a tile are added to a part, in order. Then the parts are added to
// the row or to the column, in order. At the end, the column is added to the row.
typedef struct accord_partition_sums {
  accord_total row, column;
} accord_partition_sums;

// A part: the sum of 8 values `m`, which are M of the last row of a lane, or of the last column, in
// one tile with the exponent `scale`.
ACCORD_FUNCTION accord_total accord_partition_part(const accord_vf* m, accord_vi scale) {
  accord_total part = accord_total_zero();
  ACCORD_UNROLL
  for (int k = 0; k < ACCORD_TILE; ++k) accord_total_add(&part, m[k], accord_set(0.0f), scale);
  return part;
}

// Adds a part to the sum of a row or a column.
ACCORD_FUNCTION void accord_add_part(accord_total* sum, accord_total part) {
  accord_total_add(sum, part.high, part.low, part.scale);
}

// The partition function's total: the sum of the row and the column.
ACCORD_FUNCTION accord_total accord_partition_total(accord_partition_sums sums) {
  accord_add_part(&sums.row, sums.column);
  return sums.row;
}

// One step of a task: the sweep over one band in one direction. It reads its left border from
// read_slot, and writes its right border to write_slot: forward to the next slot, backward to the
// same slot.
typedef struct accord_band {
  int first_tile, last_tile;  // forward tile columns [first_tile, last_tile)
  int backward;
  int first_pass;      // 1 in a forward step before the totals are known
  int first_of_sweep;  // no band comes before it in its sweep
  accord_u32 read_slot, write_slot;
} accord_band;

// The number of steps of a task. The first pass goes forward through all bands. Then the task
// visits the bands from the last to the first. In each band it goes forward again, so that M of the
// band is in memory, and then backward. The last band needs no second forward step, since its M is
// still in memory.
ACCORD_FUNCTION int accord_step_count(const accord_workspace* w) { return 3 * (int)w->bands - 1; }

// True in the first step after the first pass, in which the caller computes the totals.
ACCORD_FUNCTION int accord_totals_are_known(const accord_workspace* w, int step) {
  return step == (int)w->bands;
}

// True if M of the step's band is kept for the next step, or was kept from the step before.
ACCORD_FUNCTION int accord_keeps_match(const accord_workspace* w, int step) {
  return step >= (int)w->bands - 1;
}

// The band of a step of a task.
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
