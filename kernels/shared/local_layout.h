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

// One block if that takes at most `most` bytes, else blocks of about the size that takes least:
// a row of a block takes n bytes a lane, what is kept of a block 16 n.
ACCORD_FUNCTION accord_local_plan accord_plan_local(accord_u32 m, accord_u32 n, accord_u32 lanes,
                                                    accord_u64 most) {
  accord_local_plan plan = {m, 0};
  if (accord_local_bytes(plan, n, lanes) <= most) return plan;
  plan.block_rows = 16;
  while (plan.block_rows * plan.block_rows < 16 * m) plan.block_rows += 16;
  plan.kept = (m + plan.block_rows - 1) / plan.block_rows;  // integer division
  if (plan.kept < 2) {
    plan.block_rows = m;
    plan.kept = 0;
  }
  return plan;
}

#endif
