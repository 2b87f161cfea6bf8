// SPDX-License-Identifier: Apache-2.0
// Local alignments of pairs in integers: the recursion of a cell, and the steps of the walk back
// through the stored bytes of the cells.
//
// With residues i of x (rows, from 1) and j of y, and s a score of two letters,
//   P(i, j) = s(x_i, y_j) + max(0, P(i-1, j-1), C - open, R - open, J - jump)
//   C = max over k < i-1 of P(k, j-1) - extend (i-1-k)      a gap of residues of x
//   R = max over k < j-1 of P(i-1, k) - extend (j-1-k)      a gap of residues of y
//   J = max over k < i-1, l < j-1 of P(k, l)                both at once: generalised affine gaps
// (Gotoh 1982; Altschul 1998, Proteins 32:88). The best local alignment ends in the largest P;
// ties go to the smaller i, then j. Ties within a cell go to the first in the order 0, match, gap
// of x, gap of y, jump; of two gaps, to the shorter one.
//
// A byte per cell tells where P, C, R and J come from. For long sequences, bytes are stored for one
// block of rows at a time. The rows before each block are kept, and during the walk back the blocks
// are computed again, from the last to the first.
//
// The including file defines the vectors (shared/vector.h, engine/host/simd.hpp).
#ifndef ACCORD_KERNELS_LOCAL_PAIRS_CELL_H
#define ACCORD_KERNELS_LOCAL_PAIRS_CELL_H
#include "local_pairs/local_layout.h"

// The byte of a cell. Its choice, the first five values, is the source of P. Each other bit tells
// the source of C, R or J.
#define ACCORD_LOCAL_START 0
#define ACCORD_LOCAL_MATCH 1
#define ACCORD_LOCAL_GAP_X 2
#define ACCORD_LOCAL_GAP_Y 3
#define ACCORD_LOCAL_JUMP 4
#define ACCORD_LOCAL_CHOICE 7   // mask for the choices above
#define ACCORD_LOCAL_ENDS_X 8   // C comes from P(i-2, j-1), else from the row above
#define ACCORD_LOCAL_ENDS_Y 16  // R comes from P(i-1, j-2), else from the column before
#define ACCORD_LOCAL_UP 32      // J comes from J of the row above
#define ACCORD_LOCAL_LEFT 64    // J comes from J of the column before; neither: from P(i-2, j-2)

// The costs of gaps, in every lane.
typedef struct accord_local_costs {
  accord_vi open, extend, jump;
} accord_local_costs;

// The gap costs of `scores`, in every lane.
ACCORD_FUNCTION accord_local_costs
accord_local_costs_of(ACCORD_GLOBAL const accord_local_scores* scores) {
  accord_local_costs costs;
  costs.open = accord_set_int(scores->open);
  costs.extend = accord_set_int(scores->extend);
  costs.jump = accord_set_int(scores->jump);
  return costs;
}

// The inputs of a cell (i, j) from the columns before it. p11 is p(1, 1), and so on, where p(a, b)
// is P(i-a, j-b): the cell a rows above and b columns to the left.
typedef struct accord_local_left {
  accord_vi p11, p12, p21, p22;
  accord_vi gap_y, jump;  // R, J of column j-1
} accord_local_left;

// Returns P of a cell. `gap_x` and `up` are C and J of the row above, and become those of the cell,
// as do R and J in `left`. The J's are used only with `jumps`. `code` becomes the byte of the cell.
ACCORD_FUNCTION accord_vi accord_local_cell(const accord_local_costs* costs, int jumps,
                                            accord_vi score, accord_local_left* left,
                                            accord_vi* gap_x, accord_vi* up, accord_vi* code) {
  const accord_vi zero = accord_set_int(0);
  const accord_vi old_x = *gap_x, old_y = left->gap_y;
  accord_vi bits =
      accord_choose_gt_int(old_x, left->p21, zero, accord_set_int(ACCORD_LOCAL_ENDS_X));
  bits |= accord_choose_gt_int(old_y, left->p12, zero, accord_set_int(ACCORD_LOCAL_ENDS_Y));
  *gap_x = accord_max_int(old_x, left->p21) - costs->extend;
  left->gap_y = accord_max_int(old_y, left->p12) - costs->extend;
  accord_vi from = accord_max_int(left->p11, zero);
  accord_vi choice =
      accord_choose_gt_int(left->p11, zero, accord_set_int(ACCORD_LOCAL_MATCH), zero);
  accord_vi other = *gap_x - costs->open;
  choice = accord_choose_gt_int(other, from, accord_set_int(ACCORD_LOCAL_GAP_X), choice);
  from = accord_max_int(from, other);
  other = left->gap_y - costs->open;
  choice = accord_choose_gt_int(other, from, accord_set_int(ACCORD_LOCAL_GAP_Y), choice);
  from = accord_max_int(from, other);
  if (jumps) {
    const accord_vi jump_above = accord_max_int(left->p22, *up);
    accord_vi source = accord_choose_gt_int(*up, left->p22, accord_set_int(ACCORD_LOCAL_UP), zero);
    source =
        accord_choose_gt_int(left->jump, jump_above, accord_set_int(ACCORD_LOCAL_LEFT), source);
    bits |= source;
    left->jump = *up = accord_max_int(jump_above, left->jump);
    other = *up - costs->jump;
    choice = accord_choose_gt_int(other, from, accord_set_int(ACCORD_LOCAL_JUMP), choice);
    from = accord_max_int(from, other);
  }
  *code = bits | choice;
  return from + score;
}

// Changes the inputs `left` of a cell (i, j) to those of cell (i, j+1). `p10` is P(i-1, j), `p20`
// is P(i-2, j).
ACCORD_FUNCTION void accord_local_go_right(accord_local_left* left, accord_vi p10, accord_vi p20) {
  left->p12 = left->p11;
  left->p22 = left->p21;
  left->p11 = p10;
  left->p21 = p20;
}

// The result of one lane, and the state of its walk back. i, j: at first the cell of the best end,
// then the cell of the walk; i = 0: the walk has ended.
typedef struct accord_local_found {
  accord_i32 best;  // the largest P, the score of the alignment
  accord_i32 i, j;
  accord_i32 inside;          // the gap that is being walked through, as a choice, or 0
  accord_local_segment last;  // the current segment, not yet in `segments`
  ACCORD_GLOBAL accord_local_segment* segments;
  accord_u32 count;  // number of segments, stored last to first
} accord_local_found;

// Begins the walk back at the best end, the cell (i, j), counted from 1; i = 0 if there is no
// alignment. `segments` is memory for the segments, at most one for each residue of y.
ACCORD_FUNCTION accord_local_found accord_local_begin(
    accord_i32 best, accord_i32 i, accord_i32 j, ACCORD_GLOBAL accord_local_segment* segments) {
  accord_local_found found;
  found.best = best;
  found.i = i;
  found.j = j;
  found.inside = 0;
  found.last.x = found.last.y = found.last.length = 0;
  found.segments = segments;
  found.count = 0;
  return found;
}

// Ends the current segment: appends it to found->segments, if it has residues.
ACCORD_FUNCTION void accord_local_end(accord_local_found* found) {
  if (found->last.length == 0) return;
  found->segments[found->count++] = found->last;
  found->last.length = 0;
}

// Adds the aligned residues of cell (i, j) in front of those added before.
ACCORD_FUNCTION void accord_local_add(accord_local_found* found) {
  const accord_u32 i = (accord_u32)found->i - 1, j = (accord_u32)found->j - 1;
  if (found->last.x != i + 1 || found->last.y != j + 1) accord_local_end(found);
  found->last.x = i;
  found->last.y = j;
  ++found->last.length;
}

// Walks one step back from the cell (found->i, found->j); `code` is the byte of the cell. The
// caller repeats this while found->i is above 0.
ACCORD_FUNCTION void accord_local_step(accord_local_found* found, accord_u32 code) {
  if (found->inside == 0) {
    accord_local_add(found);
    found->inside = (accord_i32)(code & ACCORD_LOCAL_CHOICE);
  }
  if (found->inside == ACCORD_LOCAL_GAP_X) {
    found->i -= (code & ACCORD_LOCAL_ENDS_X) ? 2 : 1;
    if ((code & ACCORD_LOCAL_ENDS_X) == 0) return;
    found->j -= 1;
  } else if (found->inside == ACCORD_LOCAL_GAP_Y) {
    found->j -= (code & ACCORD_LOCAL_ENDS_Y) ? 2 : 1;
    if ((code & ACCORD_LOCAL_ENDS_Y) == 0) return;
    found->i -= 1;
  } else if (found->inside == ACCORD_LOCAL_JUMP) {
    if ((code & (ACCORD_LOCAL_UP | ACCORD_LOCAL_LEFT)) != 0) {
      if ((code & ACCORD_LOCAL_LEFT) != 0) found->j -= 1;
      if ((code & ACCORD_LOCAL_LEFT) == 0) found->i -= 1;
      return;
    }
    found->i -= 2;
    found->j -= 2;
  } else if (found->inside == ACCORD_LOCAL_MATCH) {
    found->i -= 1;
    found->j -= 1;
  } else {
    accord_local_end(found);
    found->i = 0;
  }
  found->inside = 0;
}

#endif
