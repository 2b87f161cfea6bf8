// SPDX-License-Identifier: Apache-2.0
// Data of the local alignments of pairs that the host and the kernels share
// (local_pairs/task.h, local_pairs/local_group.cl).
#ifndef ACCORD_KERNELS_LOCAL_PAIRS_LOCAL_LAYOUT_H
#define ACCORD_KERNELS_LOCAL_PAIRS_LOCAL_LAYOUT_H
#include "shared/layout.h"

// The cost of a jump, a gap in both sequences, that no alignment can pay: it switches jumps off.
#define ACCORD_LOCAL_NO_JUMP (1 << 29)
// The score of a residue with the border symbol behind the end of a sequence.
#define ACCORD_LOCAL_NO_MATCH (-(1 << 29))
// The score of every alignment, and the cost of extending a gap over a whole sequence, must be
// below this.
#define ACCORD_LOCAL_MOST_SCORE (1 << 28)
// The rows of numbers that a task keeps (local_pairs/cell.h). P is the best score of an alignment
// that ends in a cell: one row for this row of cells, one for the row above. C is the best score
// behind a gap of x, without the cost of opening the gap. J is the best score behind a jump,
// without the cost of the jump.
#define ACCORD_LOCAL_ROWS 4

// Scores and gap costs of a local alignment. score[a * ACCORD_SYMBOLS + b] is that of the letters a
// and b.
typedef struct accord_local_scores {
  accord_i32 score[ACCORD_SYMBOLS * ACCORD_SYMBOLS];  // of two letters, symmetric
  accord_i32 open, extend;                            // a gap of L residues costs open + L extend
  accord_i32 jump;  // cost of a gap in both sequences, of any length
} accord_local_scores;

// An aligned segment without gaps: residues x, x + 1, ... of x with residues y, y + 1, ... of y,
// from 0.
typedef struct accord_local_segment {
  accord_u32 x, y, length;
} accord_local_segment;

// The division of a task into blocks of rows. block_rows: the rows of a block. kept: the number of
// blocks, or 0 if there is one block. For each of these, the task keeps the rows before the block.
typedef struct accord_local_plan {
  accord_u32 block_rows, kept;
} accord_local_plan;

// The memory in bytes of a task of `lanes` pairs; its y has n residues.
ACCORD_FUNCTION accord_u64 accord_local_bytes(accord_local_plan plan, accord_u32 n,
                                              accord_u32 lanes) {
  const accord_u64 row = (accord_u64)n + 1;
  return lanes * (4 * (ACCORD_LOCAL_ROWS * row * (1 + (accord_u64)plan.kept) + ACCORD_SYMBOLS) +
                  plan.block_rows * (accord_u64)n);
}

// Plans blocks of about the size that needs the least memory, for an x of m residues. With n
// residues of y, a row of a block takes n bytes per lane, and the kept rows of a block take 16 n
// bytes, so that the best size does not depend on n.
ACCORD_FUNCTION accord_local_plan accord_local_blocks(accord_u32 m) {
  accord_local_plan plan = {16, 0};
  while (plan.block_rows * plan.block_rows < 16 * m) plan.block_rows += 16;
  plan.kept = (m + plan.block_rows - 1) / plan.block_rows;  // integer division
  if (plan.kept < 2) {
    plan.block_rows = m;
    plan.kept = 0;
  }
  return plan;
}

// One block if it takes at most `most` bytes, else accord_local_blocks().
ACCORD_FUNCTION accord_local_plan accord_plan_local(accord_u32 m, accord_u32 n, accord_u32 lanes,
                                                    accord_u64 most) {
  const accord_local_plan plan = {m, 0};
  return accord_local_bytes(plan, n, lanes) <= most ? plan : accord_local_blocks(m);
}

// The group layout (local_pairs/local_group.cl): one pair per group. Each work-item of the group
// has ACCORD_LOCAL_STRIP columns; longer sequences take several passes.
#define ACCORD_LOCAL_GROUP 32
#define ACCORD_LOCAL_STRIP 8
#define ACCORD_LOCAL_PASS (ACCORD_LOCAL_GROUP * ACCORD_LOCAL_STRIP)

// The parts of a task's memory, with offsets and sizes in units of 8 bytes. The kept rows of all
// blocks come first, two units per column. The last columns of two passes follow (the border), two
// units per row. The trace is last, a byte per cell, in the order in which the items write it.
typedef struct accord_local_group_parts {
  accord_u64 kept_size;            // of the kept rows of one block
  accord_u64 border, border_size;  // offset of the border; size of the last column of one pass
  accord_u64 trace, pass_size;     // offset of the trace; its size for one pass
  accord_u64 end;                  // size of all parts together
} accord_local_group_parts;

// The number of passes over the columns of a y with n residues.
ACCORD_FUNCTION accord_u32 accord_local_passes(accord_u32 n) {
  return (n + ACCORD_LOCAL_PASS - 1) / ACCORD_LOCAL_PASS;  // integer division
}

// The parts of the memory of a task in the group layout.
ACCORD_FUNCTION accord_local_group_parts accord_plan_local_parts(accord_local_plan plan,
                                                                 accord_u32 n) {
  accord_local_group_parts parts;
  const accord_u64 steps = (accord_u64)plan.block_rows + ACCORD_LOCAL_GROUP - 1;
  parts.kept_size = 2 * (accord_u64)n;
  parts.border = parts.kept_size * plan.kept;
  parts.border_size = 2 * (accord_u64)plan.block_rows;
  parts.trace = parts.border + (accord_local_passes(n) > 1 ? 2 * parts.border_size : 0);
  parts.pass_size = steps * ACCORD_LOCAL_GROUP;
  parts.end = parts.trace + parts.pass_size * accord_local_passes(n);
  return parts;
}

// The memory in bytes of a task in the group layout.
ACCORD_FUNCTION accord_u64 accord_local_group_bytes(accord_local_plan plan, accord_u32 n) {
  return 8 * accord_plan_local_parts(plan, n).end;
}

// One block if it takes at most `most` bytes, else accord_local_blocks().
ACCORD_FUNCTION accord_local_plan accord_plan_local_group(accord_u32 m, accord_u32 n,
                                                          accord_u64 most) {
  const accord_local_plan plan = {m, 0};
  return accord_local_group_bytes(plan, n) <= most ? plan : accord_local_blocks(m);
}

// A task on a device: y with `count` x's. Offsets are in elements of the named buffers; the residue
// codes of the family lie one sequence after another.
typedef struct accord_local_job {
  accord_u64 memory;                      // offset of its workspace, in units of 8 bytes
  accord_u64 segments;                    // offset of the segments; length_y entries for each x
  accord_u64 first_y;                     // first code of y
  accord_u64 first_x[ACCORD_MAX_LANES];   // first code of each x
  accord_u32 length_x[ACCORD_MAX_LANES];  // their lengths, longest first
  accord_u32 length_y;
  accord_u32 count;  // 1 in the group layout
  accord_local_plan plan;
  accord_u32 result;  // index of the results of its x's
  accord_u32 unused;  // keeps the size a multiple of 8
} accord_local_job;

// The result of a pair.
typedef struct accord_local_result {
  accord_i32 score;
  accord_u32 segments;  // number of segments, stored last to first
} accord_local_result;

#endif
