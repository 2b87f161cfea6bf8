// SPDX-License-Identifier: Apache-2.0
// Local alignments of pairs, one pair per vector lane: y with up to ACCORD_LANES x's. cell.h
// defines P and the other values of a cell.
//
// The including file defines the vectors (shared/vector.h, engine/host/simd.hpp).
#ifndef ACCORD_KERNELS_LOCAL_PAIRS_TASK_H
#define ACCORD_KERNELS_LOCAL_PAIRS_TASK_H
#include "local_pairs/cell.h"

// The sequences and scores of a task. x, y: residue codes; [0] is residue 1.
typedef struct accord_local_input {
  ACCORD_GLOBAL const accord_u8* x[ACCORD_LANES];
  ACCORD_GLOBAL const accord_u8* y;
  accord_i32 m[ACCORD_LANES];  // lengths of the x's; 0 for a lane without a pair
  accord_i32 m_longest, n;     // length of the longest x; length of y
  ACCORD_GLOBAL const accord_local_scores* scores;
} accord_local_input;

// The parts of the memory of a task.
typedef struct accord_local_memory {
  ACCORD_GLOBAL accord_vi* rows;     // ACCORD_LOCAL_ROWS rows of n + 1: two of P, then C, J
  ACCORD_GLOBAL accord_vi* kept;     // for each block of rows, a copy of `rows` before the block
  ACCORD_GLOBAL accord_vi* profile;  // see accord_local_profile
  ACCORD_GLOBAL accord_u8* trace;    // a byte per lane and cell of one block of rows
} accord_local_memory;

// Divides the memory of a task into its parts.
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

// Sets profile[b] to the scores of residue i, from 1, of each x with letter b, for all letters.
// Behind the end of an x, nothing matches.
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

// The largest P of each lane, and its cell.
typedef struct accord_local_best {
  accord_vi value, i, j;
} accord_local_best;

// Computes row i. `above` is P of row i - 1. `row` is P of row i - 2, and becomes P of row i.
// `gap_x` and `jump` are C and J of row i - 1, and become those of row i; `jump` is used only with
// `jumps`. `trace` gets the bytes of the cells, and `best` is updated.
ACCORD_FUNCTION void accord_local_row(const accord_local_input* in, accord_i32 i, int jumps,
                                      ACCORD_GLOBAL const accord_vi* profile,
                                      ACCORD_GLOBAL const accord_vi* above,
                                      ACCORD_GLOBAL accord_vi* row, ACCORD_GLOBAL accord_vi* gap_x,
                                      ACCORD_GLOBAL accord_vi* jump, ACCORD_GLOBAL accord_u8* trace,
                                      accord_local_best* best) {
  const accord_local_costs costs = accord_local_costs_of(in->scores);
  accord_local_left left;
  left.p12 = left.p22 = left.gap_y = left.jump = accord_set_int(0);
  left.p11 = above[0];
  left.p21 = row[0];
  for (accord_i32 j = 1; j <= in->n; ++j) {
    accord_vi of_x = gap_x[j - 1], up = accord_set_int(0), code;
    if (jumps) up = jump[j];
    const accord_vi value = accord_local_cell(&costs, jumps, profile[ACCORD_LETTER(in->y[j - 1])],
                                              &left, &of_x, &up, &code);
    accord_store_bytes(trace + (accord_u64)(j - 1) * ACCORD_LANES, code);
    const accord_vi old = best->value;
    best->i = accord_choose_gt_int(value, old, accord_set_int(i), best->i);
    best->j = accord_choose_gt_int(value, old, accord_set_int(j), best->j);
    best->value = accord_max_int(old, value);
    gap_x[j - 1] = of_x;
    if (jumps) jump[j] = up;
    accord_local_go_right(&left, above[j], row[j]);
    row[j] = value;
  }
}

// Computes rows first ... last, and updates `best`. Row i of P goes into row i % 2 of parts.rows.
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

// Copies `count` vectors.
ACCORD_FUNCTION void accord_local_copy(ACCORD_GLOBAL const accord_vi* from,
                                       ACCORD_GLOBAL accord_vi* to, accord_u64 count) {
  for (accord_u64 k = 0; k < count; ++k) to[k] = from[k];
}

// Computes the local alignments of a task, and writes the alignment of each lane to found[lane].
// Before the call, the caller sets found[lane].segments to memory for in->n segments; it may be
// null for a lane without a pair. `memory` has accord_local_bytes() bytes for ACCORD_LANES lanes.
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
    found[lane] =
        accord_local_begin(accord_lane_int(best.value, lane), accord_lane_int(best.i, lane),
                           accord_lane_int(best.j, lane), found[lane].segments);
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
