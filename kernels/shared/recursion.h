// SPDX-License-Identifier: Apache-2.0
// The recursions of both models in odds form: one text for forward and backward (backward is the
// same recursion on the reversed sequences), for every device and for the host.
//
//   X_k(i,j) = M(i-1,j) + e_k X_k(i-1,j)        gap in y of class k
//   Y_k(i,j) = M(i,j-1) + e_k Y_k(i,j-1)        gap in x of class k
//   M(i,j)   = w(x_i,y_j) S(i-1,j-1)
//   S(i,j)   = M(i,j) + sum_k a_k (X_k(i,j) + Y_k(i,j))
//
// Pair-HMM: two gap classes (Do et al. 2005, with emissions divided by the background so that
// gaps weigh 1 a residue). Partition function: one class, S = 1 on the border, i.e. free end gaps
// (Miyazawa 1995; Roshan & Livesay 2006).
#ifndef ACCORD_SHARED_RECURSION_H
#define ACCORD_SHARED_RECURSION_H
#include "shared/layout.h"
#include "shared/scaling.h"

// What a cell hands to the cell below it, and to the cell on its right.
typedef struct accord_hmm_top {
  accord_vf m, s, x0, x1;
} accord_hmm_top;
typedef struct accord_hmm_left {
  accord_vf m, s, y0, y1;
} accord_hmm_left;
typedef struct accord_pf_top {
  accord_vf m, s, x;
} accord_pf_top;
typedef struct accord_pf_left {
  accord_vf m, s, y;
} accord_pf_left;

// Weights of a recursion, the same in all lanes.
typedef struct accord_hmm_gaps {
  accord_vf a0, a1, e0, e1;
} accord_hmm_gaps;
typedef struct accord_pf_gaps {
  accord_vf a, e;
} accord_pf_gaps;

// Where the border of the matrix lies in the sweep's own coordinates, and 1 in the scale of the
// tile. Cells of the border hold only what is injected here: their weight is 0, and so are the
// cells before them, hence adding is exact.
typedef struct accord_border {
  accord_vi row;  // row of residue count 0, for each lane
  int column;     // column of residue count 0
  accord_vf one;
} accord_border;

// Injections into one cell of the pair-HMM.
typedef struct accord_hmm_inject {
  accord_vf s, x0, x1, y0, y1;
} accord_hmm_inject;

ACCORD_FUNCTION accord_hmm_inject accord_hmm_border_cell(accord_border border, accord_vi row,
                                                         int column, float start, float gap0,
                                                         float gap1) {
  accord_hmm_inject inject;
  const accord_vf zero = accord_set(0.0f);
  const accord_vf here = accord_where_eq_int(row, border.row, border.one);
  const accord_vf below = accord_where_eq_int(row, border.row + accord_set_int(1), border.one);
  const int first = column == border.column;
  const int second = column == border.column + 1;
  inject.s = first ? accord_set(start) * here : zero;
  inject.x0 = first ? accord_set(gap0) * below : zero;
  inject.x1 = first ? accord_set(gap1) * below : zero;
  inject.y0 = second ? accord_set(gap0) * here : zero;
  inject.y1 = second ? accord_set(gap1) * here : zero;
  return inject;
}

ACCORD_FUNCTION accord_hmm_inject accord_hmm_no_inject(void) {
  accord_hmm_inject inject;
  inject.s = inject.x0 = inject.x1 = inject.y0 = inject.y1 = accord_set(0.0f);
  return inject;
}

// Injection into S of one cell of the partition function: 1 all along both borders.
ACCORD_FUNCTION accord_vf accord_pf_border_cell(accord_border border, accord_vi row, int column) {
  accord_vf inject = accord_set(0.0f);
  if (column >= border.column) inject = accord_where_eq_int(row, border.row, border.one);
  if (column == border.column) inject = inject + accord_where_gt_int(row, border.row, border.one);
  return inject;
}

// One cell. `top` is the cell above and becomes this cell, `left` likewise; `diagonal` is S of the
// cell above on the left and becomes S of the cell above. `inject` is added where `edge` is set.
ACCORD_FUNCTION void accord_hmm_cell(accord_hmm_top* top, accord_hmm_left* left,
                                     accord_vf* diagonal, accord_vf weight, accord_hmm_gaps g,
                                     int edge, accord_hmm_inject inject) {
  const accord_vf m = weight * *diagonal;
  accord_vf x0 = accord_fma(g.e0, top->x0, top->m);
  accord_vf x1 = accord_fma(g.e1, top->x1, top->m);
  accord_vf y0 = accord_fma(g.e0, left->y0, left->m);
  accord_vf y1 = accord_fma(g.e1, left->y1, left->m);
  if (edge) {
    x0 = x0 + inject.x0;
    x1 = x1 + inject.x1;
    y0 = y0 + inject.y0;
    y1 = y1 + inject.y1;
  }
  accord_vf s = accord_fma(g.a1, x1 + y1, accord_fma(g.a0, x0 + y0, m));
  if (edge) s = s + inject.s;
  *diagonal = top->s;
  top->m = m;
  top->s = s;
  top->x0 = x0;
  top->x1 = x1;
  left->m = m;
  left->s = s;
  left->y0 = y0;
  left->y1 = y1;
}

ACCORD_FUNCTION void accord_pf_cell(accord_pf_top* top, accord_pf_left* left, accord_vf* diagonal,
                                    accord_vf weight, accord_pf_gaps g, int edge,
                                    accord_vf inject) {
  const accord_vf m = weight * *diagonal;
  const accord_vf x = accord_fma(g.e, top->x, top->m);
  const accord_vf y = accord_fma(g.e, left->y, left->m);
  accord_vf s = accord_fma(g.a, x + y, m);
  if (edge) s = s + inject;
  *diagonal = top->s;
  top->m = m;
  top->s = s;
  top->x = x;
  left->m = m;
  left->s = s;
  left->y = y;
}

// Inputs of a tile from above: the largest exponent among them, and the same values rescaled.
ACCORD_FUNCTION accord_vi accord_hmm_top_exponent(const accord_hmm_top* top, accord_vi scale) {
  accord_vf largest = accord_max(accord_max(top[0].m, top[0].s), accord_max(top[0].x0, top[0].x1));
  for (int c = 1; c < ACCORD_TILE; ++c) {
    largest = accord_max(
        largest, accord_max(accord_max(top[c].m, top[c].s), accord_max(top[c].x0, top[c].x1)));
  }
  return accord_input_exponent(largest, scale);
}

ACCORD_FUNCTION accord_vi accord_pf_top_exponent(const accord_pf_top* top, accord_vi scale) {
  accord_vf largest = accord_max(accord_max(top[0].m, top[0].s), top[0].x);
  for (int c = 1; c < ACCORD_TILE; ++c) {
    largest = accord_max(largest, accord_max(accord_max(top[c].m, top[c].s), top[c].x));
  }
  return accord_input_exponent(largest, scale);
}

ACCORD_FUNCTION void accord_hmm_rescale_top(accord_hmm_top* top, accord_vf factor) {
  for (int c = 0; c < ACCORD_TILE; ++c) {
    top[c].m = accord_rescale(top[c].m, factor);
    top[c].s = accord_rescale(top[c].s, factor);
    top[c].x0 = accord_rescale(top[c].x0, factor);
    top[c].x1 = accord_rescale(top[c].x1, factor);
  }
}

ACCORD_FUNCTION void accord_pf_rescale_top(accord_pf_top* top, accord_vf factor) {
  for (int c = 0; c < ACCORD_TILE; ++c) {
    top[c].m = accord_rescale(top[c].m, factor);
    top[c].s = accord_rescale(top[c].s, factor);
    top[c].x = accord_rescale(top[c].x, factor);
  }
}

ACCORD_FUNCTION void accord_hmm_rescale_left(accord_hmm_left* left, accord_vf factor) {
  left->m = accord_rescale(left->m, factor);
  left->s = accord_rescale(left->s, factor);
  left->y0 = accord_rescale(left->y0, factor);
  left->y1 = accord_rescale(left->y1, factor);
}

ACCORD_FUNCTION void accord_pf_rescale_left(accord_pf_left* left, accord_vf factor) {
  left->m = accord_rescale(left->m, factor);
  left->s = accord_rescale(left->s, factor);
  left->y = accord_rescale(left->y, factor);
}

#endif
