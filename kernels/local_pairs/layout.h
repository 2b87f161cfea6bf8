// SPDX-License-Identifier: Apache-2.0
// What the host and the kernels share of the local alignments of pairs (local_task.h).
#ifndef ACCORD_SHARED_LOCAL_LAYOUT_H
#define ACCORD_SHARED_LOCAL_LAYOUT_H
#include "shared/layout.h"

// A gap in both sequences that is too expensive for every alignment: there is none.
#define ACCORD_LOCAL_NO_JUMP (1 << 29)
// The score of a residue with what is behind the end of a sequence.
#define ACCORD_LOCAL_NO_MATCH (-(1 << 29))
// No alignment may score as much.
#define ACCORD_LOCAL_MOST_SCORE (1 << 28)
// P of this row and of the row above, C and J.
#define ACCORD_LOCAL_ROWS 4

// Scores of a local alignment; gaps as what they cost.
typedef struct accord_local_scores {
  accord_i32 score[ACCORD_SYMBOLS * ACCORD_SYMBOLS];  // of two letters, symmetric
  accord_i32 open, extend;                            // a gap of L residues costs open + L extend
  accord_i32 jump;                                    // a gap in both sequences, however long
} accord_local_scores;

// Residues of x from number x on that are aligned with those of y from y on, without a gap.
typedef struct accord_local_segment {
  accord_u32 x, y, length;
} accord_local_segment;

// How a task is cut: `kept` is the number of blocks, 0 for a single one.
typedef struct accord_local_plan {
  accord_u32 block_rows, kept;
} accord_local_plan;

// Memory in bytes of a task of `lanes` pairs of at most m and exactly n residues.
ACCORD_FUNCTION accord_u64 accord_local_bytes(accord_local_plan plan, accord_u32 n,
                                              accord_u32 lanes) {
  const accord_u64 row = (accord_u64)n + 1;
  return lanes * (4 * (ACCORD_LOCAL_ROWS * row * (1 + (accord_u64)plan.kept) + ACCORD_SYMBOLS) +
                  plan.block_rows * (accord_u64)n);
}

// Blocks of about the size that takes least: a row of a block takes n bytes a lane, what is kept of
// a block 16 n.
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

// One block if that takes at most `most` bytes.
ACCORD_FUNCTION accord_local_plan accord_plan_local(accord_u32 m, accord_u32 n, accord_u32 lanes,
                                                    accord_u64 most) {
  const accord_local_plan plan = {m, 0};
  return accord_local_bytes(plan, n, lanes) <= most ? plan : accord_local_blocks(m);
}

// The group layout (local_pairs/group.cl): one pair, whose columns fill the work-items of a group,
// so many each; longer sequences take several passes.
#define ACCORD_LOCAL_GROUP 32
#define ACCORD_LOCAL_STRIP 8
#define ACCORD_LOCAL_PASS (ACCORD_LOCAL_GROUP * ACCORD_LOCAL_STRIP)

// Where the parts of a task's memory begin, in units of 8 bytes: what is kept of each block, two
// values a column and row; the last columns of two passes, two values a row; the trace, a byte a
// cell, as the items leave it step by step.
typedef struct accord_local_group_parts {
  accord_u64 kept_size;  // of a block
  accord_u64 border, border_size;
  accord_u64 trace, pass_size;
  accord_u64 end;
} accord_local_group_parts;

ACCORD_FUNCTION accord_u32 accord_local_passes(accord_u32 n) {
  return (n + ACCORD_LOCAL_PASS - 1) / ACCORD_LOCAL_PASS;  // integer division
}

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

// Memory in bytes of a task in the group layout.
ACCORD_FUNCTION accord_u64 accord_local_group_bytes(accord_local_plan plan, accord_u32 n) {
  return 8 * accord_plan_local_parts(plan, n).end;
}

// One block if that takes at most `most` bytes.
ACCORD_FUNCTION accord_local_plan accord_plan_local_group(accord_u32 m, accord_u32 n,
                                                          accord_u64 most) {
  const accord_local_plan plan = {m, 0};
  return accord_local_group_bytes(plan, n) <= most ? plan : accord_local_blocks(m);
}

// A task as a device gets it: y against `count` x's. Offsets are in elements of the buffers named;
// residue codes of the family lie one sequence after another.
typedef struct accord_local_job {
  accord_u64 memory;                      // of its workspace, in units of 8 bytes
  accord_u64 segments;                    // room for length_y of each x in turn
  accord_u64 first_y;                     // first code of y
  accord_u64 first_x[ACCORD_MAX_LANES];   // first code of each x
  accord_u32 length_x[ACCORD_MAX_LANES];  // their lengths, longest first
  accord_u32 length_y;
  accord_u32 count;  // 1 in the group layout
  accord_local_plan plan;
  accord_u32 result;  // where those of its x's go
  accord_u32 unused;  // keeps the size a multiple of 8
} accord_local_job;

// What a device found of a pair.
typedef struct accord_local_result {
  accord_i32 score;
  accord_u32 segments;  // their number; they lie last to first
} accord_local_result;

#endif
