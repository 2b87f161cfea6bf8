// SPDX-License-Identifier: Apache-2.0
// Local alignment of pairs in integers, one pair per vector lane: y against up to ACCORD_LANES x's.
//
// With residues i of x (rows, from 1) and j of y, and s a score of two letters,
//   P(i, j) = s(x_i, y_j) + max(0, P(i-1, j-1), C - open, R - open, J - jump)
//   C = max over k < i-1 of P(k, j-1) - extend (i-1-k)      a gap of residues of x
//   R = max over k < j-1 of P(i-1, k) - extend (j-1-k)      a gap of residues of y
//   J = max over k < i-1, l < j-1 of P(k, l)                both at once: generalised affine gaps
// (Gotoh 1982; Altschul 1998, Proteins 32:88). The best local alignment ends in the largest P; of
// several the first by i, then j. 0 before a match before the gaps in this order decides ties, and
// of two gaps the shorter one.
//
// A byte per cell says where P, C, R and J come from. For long sequences these bytes are kept of
// one block of rows at a time: the rows before each block are kept, and the blocks are computed
// again, last to first, while the path is walked back.
//
// The including file has defined the vectors (shared/vector.h, host/simd.hpp).
#ifndef ACCORD_SHARED_LOCAL_TASK_H
#define ACCORD_SHARED_LOCAL_TASK_H
#include "shared/local_layout.h"

#define ACCORD_LOCAL_START 0
#define ACCORD_LOCAL_MATCH 1
#define ACCORD_LOCAL_GAP_X 2
#define ACCORD_LOCAL_GAP_Y 3
#define ACCORD_LOCAL_JUMP 4
#define ACCORD_LOCAL_CHOICE 7   // these bits are one of the above
#define ACCORD_LOCAL_ENDS_X 8   // C comes from P(i-2, j-1), else from the row above
#define ACCORD_LOCAL_ENDS_Y 16  // R comes from P(i-1, j-2), else from the column before
#define ACCORD_LOCAL_UP 32      // J comes from the row above,
#define ACCORD_LOCAL_LEFT 64    // or from the column before, else from P(i-2, j-2)

typedef struct accord_local_input {
  ACCORD_GLOBAL const accord_u8* x[ACCORD_LANES];
  ACCORD_GLOBAL const accord_u8* y;
  accord_i32 m[ACCORD_LANES];  // lengths of the x's; 0 for a lane without a pair
  accord_i32 m_longest, n;
  ACCORD_GLOBAL const accord_local_scores* scores;
} accord_local_input;

// What one lane has found: the best end, then the place of the walk back (i = 0: it has arrived).
typedef struct accord_local_found {
  accord_i32 best;
  accord_i32 i, j;
  accord_i32 inside;  // a gap that is being walked through: one of the choices, or 0
  ACCORD_GLOBAL accord_local_segment* segments;
  accord_u32 count;  // segments, last to first
} accord_local_found;

// Parts of the memory of a task.
typedef struct accord_local_memory {
  ACCORD_GLOBAL accord_vi* rows;     // ACCORD_LOCAL_ROWS rows of n + 1
  ACCORD_GLOBAL accord_vi* kept;     // the same for each block, before its first row
  ACCORD_GLOBAL accord_vi* profile;  // scores of the letters of the x's in a row
  ACCORD_GLOBAL accord_u8* trace;    // a byte a lane and cell of a block
} accord_local_memory;

ACCORD_FUNCTION accord_local_memory accord_local_parts(ACCORD_GLOBAL accord_vi* memory,
                                                       accord_local_plan plan, accord_i32 n) {
  accord_local_memory parts;
  const accord_u64 row = (accord_u64)n + 1;
  parts.rows = memory;
  parts.kept = parts.rows + ACCORD_LOCAL_ROWS * row;
  parts.profile = parts.kept + ACCORD_LOCAL_ROWS * row * plan.kept;
  parts.trace = (ACCORD_GLOBAL accord_u8*)(parts.profile + ACCORD_SYMBOLS);
  return parts;
}

// Scores of the letters of row i against each letter; behind the end of an x nothing matches.
ACCORD_FUNCTION void accord_local_profile(const accord_local_input* in, accord_i32 i,
                                          ACCORD_GLOBAL accord_vi* profile) {
  accord_vi letters = accord_set_int(ACCORD_BORDER_SYMBOL);
  for (int lane = 0; lane < ACCORD_LANES; ++lane) {
    if (i <= in->m[lane]) accord_lane_int(letters, lane) = ACCORD_LETTER(in->x[lane][i - 1]);
  }
  for (int b = 0; b < ACCORD_SYMBOLS; ++b) {
    profile[b] = accord_lookup_int(in->scores->score + b * ACCORD_SYMBOLS, letters);
  }
}

// Where the largest P of each lane is.
typedef struct accord_local_best {
  accord_vi value, i, j;
} accord_local_best;

// Row i. `above` is P of the row above; `row` is that of the row before it, and becomes that of
// row i.
ACCORD_FUNCTION void accord_local_row(const accord_local_input* in, accord_i32 i, int jumps,
                                      ACCORD_GLOBAL const accord_vi* profile,
                                      ACCORD_GLOBAL const accord_vi* above,
                                      ACCORD_GLOBAL accord_vi* row, ACCORD_GLOBAL accord_vi* gap_x,
                                      ACCORD_GLOBAL accord_vi* jump, ACCORD_GLOBAL accord_u8* trace,
                                      accord_local_best* best) {
  const accord_vi zero = accord_set_int(0);
  const accord_vi open = accord_set_int(in->scores->open);
  const accord_vi extend = accord_set_int(in->scores->extend);
  const accord_vi open_jump = accord_set_int(in->scores->jump);
  accord_vi match = above[0], before = zero;  // P(i-1, j-1), P(i-1, j-2)
  accord_vi corner = row[0], far = zero;      // P(i-2, j-1), P(i-2, j-2)
  accord_vi gap_y = zero, left = zero;        // R, J of column j-1
  for (accord_i32 j = 1; j <= in->n; ++j) {
    const accord_vi old_x = gap_x[j - 1];
    const accord_vi now_x = accord_max_int(old_x, corner) - extend;
    accord_vi code = accord_choose_gt_int(old_x, corner, zero, accord_set_int(ACCORD_LOCAL_ENDS_X));
    code |= accord_choose_gt_int(gap_y, before, zero, accord_set_int(ACCORD_LOCAL_ENDS_Y));
    gap_y = accord_max_int(gap_y, before) - extend;
    accord_vi from = accord_max_int(match, zero);
    accord_vi choice = accord_choose_gt_int(match, zero, accord_set_int(ACCORD_LOCAL_MATCH), zero);
    accord_vi other = now_x - open;
    choice = accord_choose_gt_int(other, from, accord_set_int(ACCORD_LOCAL_GAP_X), choice);
    from = accord_max_int(from, other);
    other = gap_y - open;
    choice = accord_choose_gt_int(other, from, accord_set_int(ACCORD_LOCAL_GAP_Y), choice);
    from = accord_max_int(from, other);
    if (jumps) {
      const accord_vi up = jump[j], near = accord_max_int(far, up);
      accord_vi source = accord_choose_gt_int(up, far, accord_set_int(ACCORD_LOCAL_UP), zero);
      source = accord_choose_gt_int(left, near, accord_set_int(ACCORD_LOCAL_LEFT), source);
      left = accord_max_int(near, left);
      jump[j] = left;
      code |= source;
      other = left - open_jump;
      choice = accord_choose_gt_int(other, from, accord_set_int(ACCORD_LOCAL_JUMP), choice);
      from = accord_max_int(from, other);
    }
    const accord_vi value = from + profile[ACCORD_LETTER(in->y[j - 1])];
    accord_store_bytes(trace + (accord_u64)(j - 1) * ACCORD_LANES, code | choice);
    const accord_vi old = best->value;
    best->i = accord_choose_gt_int(value, old, accord_set_int(i), best->i);
    best->j = accord_choose_gt_int(value, old, accord_set_int(j), best->j);
    best->value = accord_max_int(old, value);
    gap_x[j - 1] = now_x;
    before = match;
    far = corner;
    match = above[j];
    corner = row[j];
    row[j] = value;
  }
}

// The rows first ... last. Two rows take turns, by whether i is odd.
ACCORD_FUNCTION void accord_local_rows(const accord_local_input* in, accord_local_memory parts,
                                       accord_i32 first, accord_i32 last, accord_local_best* best) {
  const accord_u64 width = (accord_u64)in->n + 1;
  ACCORD_GLOBAL accord_vi* const gap_x = parts.rows + 2 * width;
  ACCORD_GLOBAL accord_vi* const jump = parts.rows + 3 * width;
  for (accord_i32 i = first; i <= last; ++i) {
    ACCORD_GLOBAL accord_vi* const row = parts.rows + (i & 1) * width;
    ACCORD_GLOBAL accord_vi* const above = parts.rows + (1 - (i & 1)) * width;
    ACCORD_GLOBAL accord_u8* const trace =
        parts.trace + (accord_u64)(i - first) * (accord_u64)in->n * ACCORD_LANES;
    accord_local_profile(in, i, parts.profile);
    if (in->scores->jump < ACCORD_LOCAL_NO_JUMP) {
      accord_local_row(in, i, 1, parts.profile, above, row, gap_x, jump, trace, best);
    } else {
      accord_local_row(in, i, 0, parts.profile, above, row, gap_x, jump, trace, best);
    }
  }
}

ACCORD_FUNCTION void accord_local_copy(ACCORD_GLOBAL const accord_vi* from,
                                       ACCORD_GLOBAL accord_vi* to, accord_u64 count) {
  for (accord_u64 k = 0; k < count; ++k) to[k] = from[k];
}

// Residues i of x and j of y are aligned; they come before those that were added before.
ACCORD_FUNCTION void accord_local_add(accord_local_found* found) {
  const accord_u32 i = (accord_u32)found->i - 1, j = (accord_u32)found->j - 1;
  if (found->count > 0) {
    ACCORD_GLOBAL accord_local_segment* const last = found->segments + found->count - 1;
    if (last->x == i + 1 && last->y == j + 1) {
      last->x = i;
      last->y = j;
      ++last->length;
      return;
    }
  }
  const accord_local_segment segment = {i, j, 1};
  found->segments[found->count++] = segment;
}

// One step back from a cell; `code` is its byte.
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
    found->i = 0;
  }
  found->inside = 0;
}

// The local alignments of a task. memory: accord_local_bytes() of it.
ACCORD_FUNCTION void accord_local_task(const accord_local_input* in, accord_local_plan plan,
                                       ACCORD_GLOBAL accord_vi* memory, accord_local_found* found) {
  const accord_local_memory parts = accord_local_parts(memory, plan, in->n);
  const accord_u64 state = ACCORD_LOCAL_ROWS * ((accord_u64)in->n + 1);
  const accord_i32 rows = (accord_i32)plan.block_rows;
  const accord_i32 blocks = (in->m_longest + rows - 1) / rows;  // integer division
  for (accord_u64 k = 0; k < state; ++k) parts.rows[k] = accord_set_int(0);
  accord_local_best best;
  best.value = best.i = best.j = accord_set_int(0);
  for (accord_i32 b = 0; b < blocks; ++b) {
    const accord_i32 first = b * rows + 1;
    const accord_i32 last = first + rows - 1 < in->m_longest ? first + rows - 1 : in->m_longest;
    if (blocks > 1) accord_local_copy(parts.rows, parts.kept + state * (accord_u64)b, state);
    accord_local_rows(in, parts, first, last, &best);
  }
  for (int lane = 0; lane < ACCORD_LANES; ++lane) {
    found[lane].best = accord_lane_int(best.value, lane);
    found[lane].i = accord_lane_int(best.i, lane);
    found[lane].j = accord_lane_int(best.j, lane);
    found[lane].inside = 0;
    found[lane].count = 0;
  }
  for (accord_i32 b = blocks - 1; b >= 0; --b) {
    const accord_i32 first = b * rows + 1;
    const accord_i32 last = first + rows - 1 < in->m_longest ? first + rows - 1 : in->m_longest;
    if (b < blocks - 1) {
      accord_local_copy(parts.kept + state * (accord_u64)b, parts.rows, state);
      accord_local_best again = best;
      accord_local_rows(in, parts, first, last, &again);
    }
    for (int lane = 0; lane < ACCORD_LANES; ++lane) {
      while (found[lane].i >= first) {
        const accord_u64 cell = (accord_u64)(found[lane].i - first) * (accord_u64)in->n +
                                (accord_u64)(found[lane].j - 1);
        accord_local_step(&found[lane], parts.trace[cell * ACCORD_LANES + (accord_u64)lane]);
      }
    }
  }
}

#endif
