// SPDX-License-Identifier: Apache-2.0
// The recursion of both models in odds form: one text for forward and backward (backward is the
// same recursion on the reversed sequences), for every device and for the host.
//
//   X_k(i,j) = o(j) M(i-1,j) + e_k X_k(i-1,j)   gap in y of class k
//   Y_k(i,j) = o(i) M(i,j-1) + e_k Y_k(i,j-1)   gap in x of class k
//   M(i,j)   = w(x_i,y_j) S(i-1,j-1)
//   S(i,j)   = M(i,j) + sum_k a_k (X_k(i,j) + Y_k(i,j))
//
// o(j) is the factor of opening a gap between residues j and j + 1, which depends on their letters
// and contexts (accord_opening in sweep.h); it is 1 at the ends.
//
// Pair-HMM: up to three gap classes (two: Do et al. 2005). Emissions are divided by the background,
// so that a residue in a gap has the weight 1. Partition function: one class, and S = 1 on the
// border, that is, free end gaps (Miyazawa 1995; Roshan & Livesay 2006).
#ifndef ACCORD_KERNELS_POSTERIORS_RECURSION_H
#define ACCORD_KERNELS_POSTERIORS_RECURSION_H
#include "posteriors/scaling.h"
#include "shared/layout.h"

// The kind of a model. Functions get it as a constant, so that the compiler removes the code that
// the model does not use.
typedef struct accord_kind {
  int number;     // ACCORD_HMM or ACCORD_PARTITION
  int classes;    // gap classes
  int free_ends;  // end gaps are free: S = 1 along the border, not only at the start
  int first;      // index of its M in the ACCORD_CARRIED values that a cell hands on
} accord_kind;

// The kinds of the pair-HMM and of the partition function.
ACCORD_FUNCTION accord_kind accord_hmm_kind(void) {
  const accord_kind kind = {ACCORD_HMM, ACCORD_GAP_CLASSES, 0, 0};
  return kind;
}
ACCORD_FUNCTION accord_kind accord_partition_kind(void) {
  const accord_kind kind = {ACCORD_PARTITION, 1, 1, 2 + ACCORD_GAP_CLASSES};
  return kind;
}

// The values that a cell hands to the cell below it (gap: X_k), or to the cell on its right (gap:
// Y_k).
typedef struct accord_side {
  accord_vf m, s, gap[ACCORD_GAP_CLASSES];
} accord_side;

// Read and write a side in memory, where its values are `stride` elements apart. Macros, since
// OpenCL C 1.2 has no functions for any address space.
#define ACCORD_GET_SIDE(side, kind, from, stride)                            \
  do {                                                                       \
    (side).m = (from)[(kind).first * (stride)];                              \
    (side).s = (from)[((kind).first + 1) * (stride)];                        \
    ACCORD_UNROLL                                                            \
    for (int class_ = 0; class_ < ACCORD_GAP_CLASSES; ++class_) {            \
      if (class_ < (kind).classes) {                                         \
        (side).gap[class_] = (from)[((kind).first + 2 + class_) * (stride)]; \
      }                                                                      \
    }                                                                        \
  } while (0)
#define ACCORD_PUT_SIDE(side, kind, to, stride)                            \
  do {                                                                     \
    (to)[(kind).first * (stride)] = (side).m;                              \
    (to)[((kind).first + 1) * (stride)] = (side).s;                        \
    ACCORD_UNROLL                                                          \
    for (int class_ = 0; class_ < ACCORD_GAP_CLASSES; ++class_) {          \
      if (class_ < (kind).classes) {                                       \
        (to)[((kind).first + 2 + class_) * (stride)] = (side).gap[class_]; \
      }                                                                    \
    }                                                                      \
  } while (0)

// Weights of gaps, the same in all lanes.
typedef struct accord_gaps {
  accord_vf a[ACCORD_GAP_CLASSES], e[ACCORD_GAP_CLASSES];
} accord_gaps;

// The start values of a recursion, in one direction.
typedef struct accord_start {
  float s, gap[ACCORD_GAP_CLASSES];  // S(0,0); X_k(1,0) = Y_k(0,1)
} accord_start;

// The place of the border of the matrix, for each lane, in rows and columns of the sweep. Border
// cells hold only injected values: their match weight is 0, and the cells before them are 0, so
// that adding is exact.
typedef struct accord_border {
  accord_vi row;     // row of residue count 0
  accord_vi column;  // column of residue count 0
  accord_vf one;     // the value 1 in the scale of the tile
} accord_border;

// The values that the border adds to S, to all X_k and to all Y_k of one cell.
typedef struct accord_inject {
  accord_vf s, x[ACCORD_GAP_CLASSES], y[ACCORD_GAP_CLASSES];
} accord_inject;

// Injects nothing.
ACCORD_FUNCTION accord_inject accord_no_inject(void) {
  accord_inject inject;
  inject.s = accord_set(0.0f);
  ACCORD_UNROLL
  for (int k = 0; k < ACCORD_GAP_CLASSES; ++k) inject.x[k] = inject.y[k] = accord_set(0.0f);
  return inject;
}

// The values that the border adds to the cell at (row, column).
ACCORD_FUNCTION accord_inject accord_border_cell(accord_border border, accord_kind kind,
                                                 accord_vi row, accord_vi column,
                                                 accord_start start) {
  accord_inject inject = accord_no_inject();
  const accord_vf here = accord_where_eq_int(row, border.row, border.one);
  if (kind.free_ends) {
    const accord_vf below = accord_where_gt_int(row, border.row, border.one);
    inject.s = accord_where_eq_int(column, border.column, here + below) +
               accord_where_gt_int(column, border.column, here);
    return inject;
  }
  const accord_vi one = accord_set_int(1);
  const accord_vf below = accord_where_eq_int(row, border.row + one, border.one);
  inject.s = accord_where_eq_int(column, border.column, accord_set(start.s) * here);
  ACCORD_UNROLL
  for (int k = 0; k < ACCORD_GAP_CLASSES; ++k) {
    const accord_vf gap = accord_set(start.gap[k]);
    inject.x[k] = accord_where_eq_int(column, border.column, gap * below);
    inject.y[k] = accord_where_eq_int(column, border.column + one, gap * here);
  }
  return inject;
}

// The factors of opening a gap in y behind the column of a cell, and in x behind its row.
typedef struct accord_opens {
  accord_vf column, row;
} accord_opens;

// Turns the X_k of a cell into those of the cell below.
ACCORD_FUNCTION void accord_cell_down(accord_side* top, accord_vf open_column,
                                      const accord_gaps* gaps, accord_kind kind) {
  const accord_vf opens_x = open_column * top->m;
  ACCORD_UNROLL
  for (int k = 0; k < ACCORD_GAP_CLASSES; ++k) {
    if (k < kind.classes) top->gap[k] = accord_fma(gaps->e[k], top->gap[k], opens_x);
  }
}

// Computes M, S and all Y_k of a cell; accord_cell_down() has set its X_k in `top`. For the
// parameters see accord_cell_step().
ACCORD_FUNCTION void accord_cell_across(accord_side* top, accord_side* left, accord_vf* diagonal,
                                        accord_vf weight, accord_vf open_row,
                                        const accord_gaps* gaps, accord_kind kind, int edge,
                                        const accord_inject* inject) {
  const accord_vf m = weight * *diagonal;
  const accord_vf opens_y = open_row * left->m;
  accord_vf s = m;
  ACCORD_UNROLL
  for (int k = 0; k < ACCORD_GAP_CLASSES; ++k) {
    if (k < kind.classes) {
      accord_vf x = top->gap[k];
      accord_vf y = accord_fma(gaps->e[k], left->gap[k], opens_y);
      if (edge && !kind.free_ends) {
        x = x + inject->x[k];
        y = y + inject->y[k];
      }
      s = accord_fma(gaps->a[k], x + y, s);
      top->gap[k] = x;
      left->gap[k] = y;
    }
  }
  if (edge) s = s + inject->s;
  *diagonal = top->s;
  top->m = m;
  top->s = s;
  left->m = m;
  left->s = s;
}

// Computes one cell. `top` is the cell above and becomes this cell, and so does `left`. `diagonal`
// is S of the cell above on the left and becomes S of the cell above. `inject` is added if `edge`
// is set.
ACCORD_FUNCTION void accord_cell_step(accord_side* top, accord_side* left, accord_vf* diagonal,
                                      accord_vf weight, accord_opens opens, const accord_gaps* gaps,
                                      accord_kind kind, int edge, const accord_inject* inject) {
  accord_cell_down(top, opens.column, gaps, kind);
  accord_cell_across(top, left, diagonal, weight, opens.row, gaps, kind, edge, inject);
}

// Copies the values of a side that a model uses.
ACCORD_FUNCTION void accord_copy_side(accord_side* to, const accord_side* from, accord_kind kind) {
  to->m = from->m;
  to->s = from->s;
  ACCORD_UNROLL
  for (int k = 0; k < ACCORD_GAP_CLASSES; ++k) {
    if (k < kind.classes) to->gap[k] = from->gap[k];
  }
}

// Multiplies the values of a side by a factor; see accord_rescale().
ACCORD_FUNCTION void accord_rescale_side(accord_side* side, accord_kind kind, accord_vf factor) {
  side->m = accord_rescale(side->m, factor);
  side->s = accord_rescale(side->s, factor);
  ACCORD_UNROLL
  for (int k = 0; k < ACCORD_GAP_CLASSES; ++k) {
    if (k < kind.classes) side->gap[k] = accord_rescale(side->gap[k], factor);
  }
}

// The largest value that a side hands on. S is at least M.
ACCORD_FUNCTION accord_vf accord_largest_of_side(const accord_side* side, accord_kind kind) {
  accord_vf largest = side->s;
  ACCORD_UNROLL
  for (int k = 0; k < ACCORD_GAP_CLASSES; ++k) {
    if (k < kind.classes) largest = accord_max(largest, side->gap[k]);
  }
  return largest;
}

// An input of a tile from a neighbour: its value, or the largest of several values, and its
// exponent.
typedef struct accord_input {
  accord_vf value;
  accord_vi scale;
} accord_input;

// The exponent of a tile, and the conversion of its inputs to this exponent.
typedef struct accord_entry {
  accord_vi scale;                  // the exponent
  accord_vf corner;                 // in this scale
  accord_vf from_above, from_left;  // factors for the values of these two neighbours
} accord_entry;

// Chooses the exponent of a tile from the largest values from above and from the left, the corner,
// and the exponent of injected values. Also rescales the corner and computes the factors for the
// other inputs.
ACCORD_FUNCTION accord_entry accord_choose_scale(accord_input above, accord_input corner,
                                                 accord_input left, accord_vi injected) {
  const accord_vi input =
      accord_max_int(accord_max_int(accord_input_exponent(above.value, above.scale),
                                    accord_input_exponent(corner.value, corner.scale)),
                     accord_max_int(accord_input_exponent(left.value, left.scale), injected));
  accord_entry entry;
  entry.scale = accord_tile_exponent(input);
  entry.corner = accord_rescale(corner.value, accord_pow2(corner.scale - entry.scale));
  entry.from_above = accord_pow2(above.scale - entry.scale);
  entry.from_left = accord_pow2(left.scale - entry.scale);
  return entry;
}

#endif
