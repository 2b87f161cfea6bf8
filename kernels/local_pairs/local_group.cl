// SPDX-License-Identifier: Apache-2.0
// Local alignments for GPUs: a work-group computes one pair (local_pairs/cell.h). Each work-item
// has ACCORD_LOCAL_STRIP columns in registers. Item k is one row behind item k - 1, so that once
// per row only the right border of a strip crosses items, through local memory. Longer sequences
// take several passes over the rows, with the border between them in global memory.
//
// Host sets: ACCORD_LANES=1.
#include "shared/vector.h"
// The included text uses the vectors.
#include "local_pairs/cell.h"

typedef struct accord_local_group {
  int score[ACCORD_SYMBOLS * ACCORD_SYMBOLS];
  // For two steps, the right border of each strip in its row: (P of the last column, P of the
  // column before it, R, J).
  int4 border[2][ACCORD_LOCAL_GROUP];
  int value[ACCORD_LOCAL_GROUP], i[ACCORD_LOCAL_GROUP], j[ACCORD_LOCAL_GROUP];  // best of an item
  int row;  // row of the walk back
} accord_local_group;

// The pair of a group.
typedef struct accord_local_pair {
  __global const uchar* x;
  __global const uchar* y;
  int m, n;
  accord_local_plan plan;
  accord_local_group_parts parts;
  __global ulong* memory;
} accord_local_pair;

// The best end that an item has seen; ties go to the smaller i, then j.
typedef struct accord_local_end_at {
  int value, i, j;
} accord_local_end_at;

// The kept rows before a block, for one column (counted from 0): (P, P of the row before, C, J).
// All values are 0 before the first block, and before the first column.
ACCORD_FUNCTION int4 accord_local_kept(const accord_local_pair* pair, int block, int column) {
  if (block == 0 || column < 0 || column >= pair->n) return (int4)(0);
  return vload4((size_t)column,
                (__global const int*)(pair->memory + (ulong)block * pair->parts.kept_size));
}

// The last columns of a pass: for each row of a block, (P of the last column, of the one before, R,
// J).
ACCORD_FUNCTION __global int* accord_local_border(const accord_local_pair* pair, int pass) {
  return (__global int*)(pair->memory + pair->parts.border +
                         (ulong)(pass & 1) * pair->parts.border_size);
}

// Where an item stores the bytes of its row in a step.
ACCORD_FUNCTION ulong accord_local_trace_at(const accord_local_pair* pair, int pass, int step,
                                            int item) {
  return pair->parts.trace + (ulong)pass * pair->parts.pass_size +
         (ulong)step * ACCORD_LOCAL_GROUP + (ulong)item;
}

// Computes one pass over a block of rows. All items of the group call it.
ACCORD_FUNCTION void accord_local_pass(__local accord_local_group* local_,
                                       const accord_local_pair* pair,
                                       const accord_local_costs* costs, int jumps, int block,
                                       int pass, accord_local_end_at* best) {
  const int item = (int)get_local_id(0);
  const int first = block * (int)pair->plan.block_rows;
  const int rows = min((int)pair->plan.block_rows, pair->m - first);
  const int column = pass * ACCORD_LOCAL_PASS + item * ACCORD_LOCAL_STRIP;
  // For each column: P of the row before and of the row before that; C and J of the row before.
  int p10[ACCORD_LOCAL_STRIP], p20[ACCORD_LOCAL_STRIP];
  int gap_x[ACCORD_LOCAL_STRIP], jump[ACCORD_LOCAL_STRIP];
  int letter[ACCORD_LOCAL_STRIP];
  ACCORD_UNROLL
  for (int k = 0; k < ACCORD_LOCAL_STRIP; ++k) {
    const int4 kept = accord_local_kept(pair, block, column + k);
    p10[k] = kept.x;
    p20[k] = kept.y;
    gap_x[k] = kept.z;
    jump[k] = kept.w;
    letter[k] = column + k < pair->n ? ACCORD_LETTER(pair->y[column + k]) : ACCORD_BORDER_SYMBOL;
  }
  // p(a, b) of the first cell of the strip, as in accord_local_left: P of the two rows before, in
  // the two columns on the left of the strip.
  const int4 column_1 = accord_local_kept(pair, block, column - 1);
  const int4 column_2 = accord_local_kept(pair, block, column - 2);
  int p11 = column_1.x, p12 = column_2.x, p21 = column_1.y, p22 = column_2.y;

  for (int step = 0; step < rows + ACCORD_LOCAL_GROUP - 1; ++step) {
    const int row = step - item;
    const int works = row >= 0 && row < rows;
    int4 border = (int4)(0);
    if (works) {
      if (item > 0) {
        border = local_->border[(step - 1) & 1][item - 1];
      } else if (pass > 0) {
        border = vload4((size_t)row, accord_local_border(pair, pass - 1));
      }
      __local const int* score =
          local_->score + ACCORD_SYMBOLS * ACCORD_LETTER(pair->x[first + row]);
      accord_local_left left = {p11, p12, p21, p22, border.z, border.w};
      ulong trace = 0;
      ACCORD_UNROLL
      for (int k = 0; k < ACCORD_LOCAL_STRIP; ++k) {
        int code;
        const int value =
            accord_local_cell(costs, jumps, score[letter[k]], &left, &gap_x[k], &jump[k], &code);
        trace |= (ulong)code << (8 * k);
        if (value > best->value || (value == best->value && first + row + 1 < best->i)) {
          best->value = value;
          best->i = first + row + 1;
          best->j = column + k + 1;
        }
        accord_local_go_right(&left, p10[k], p20[k]);
        p20[k] = p10[k];
        p10[k] = value;
      }
      pair->memory[accord_local_trace_at(pair, pass, step, item)] = trace;
      p21 = p11;
      p22 = p12;
      p11 = border.x;
      p12 = border.y;
      border =
          (int4)(p10[ACCORD_LOCAL_STRIP - 1], p10[ACCORD_LOCAL_STRIP - 2], left.gap_y, left.jump);
      if (item < ACCORD_LOCAL_GROUP - 1) {
        local_->border[step & 1][item] = border;
      } else if (column + ACCORD_LOCAL_STRIP < pair->n) {
        vstore4(border, (size_t)row, accord_local_border(pair, pass));
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (first + rows < pair->m) {
    __global int* const to =
        (__global int*)(pair->memory + (ulong)(block + 1) * pair->parts.kept_size);
    ACCORD_UNROLL
    for (int k = 0; k < ACCORD_LOCAL_STRIP; ++k) {
      if (column + k < pair->n) {
        vstore4((int4)(p10[k], p20[k], gap_x[k], jump[k]), (size_t)(column + k), to);
      }
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
}

// Computes all rows of a block. All items of the group call it.
ACCORD_FUNCTION void accord_local_block(__local accord_local_group* local_,
                                        const accord_local_pair* pair,
                                        const accord_local_costs* costs, int block,
                                        accord_local_end_at* best) {
  const int passes = (int)accord_local_passes((uint)pair->n);
  for (int pass = 0; pass < passes; ++pass) {
    if (costs->jump < ACCORD_LOCAL_NO_JUMP) {
      accord_local_pass(local_, pair, costs, 1, block, pass, best);
    } else {
      accord_local_pass(local_, pair, costs, 0, block, pass, best);
    }
  }
}

// The best of the ends of all items: the largest value, ties by i, then j. Only item 0 gets it.
ACCORD_FUNCTION accord_local_end_at accord_local_best_end(__local accord_local_group* local_,
                                                          accord_local_end_at best) {
  const int item = (int)get_local_id(0);
  local_->value[item] = best.value;
  local_->i[item] = best.i;
  local_->j[item] = best.j;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (item == 0) {
    for (int k = 1; k < ACCORD_LOCAL_GROUP; ++k) {
      const int value = local_->value[k], i = local_->i[k], j = local_->j[k];
      if (value > best.value ||
          (value == best.value && (i < best.i || (i == best.i && j < best.j)))) {
        best.value = value;
        best.i = i;
        best.j = j;
      }
    }
    local_->row = best.i;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  return best;
}

// Walks back through the rows of a block, whose bytes are stored.
ACCORD_FUNCTION void accord_local_walk(const accord_local_pair* pair, int block,
                                       accord_local_found* found) {
  const int first = block * (int)pair->plan.block_rows + 1;
  while (found->i >= first) {
    const int column = found->j - 1, in_pass = column % ACCORD_LOCAL_PASS;
    const int item = in_pass / ACCORD_LOCAL_STRIP;
    const ulong trace = pair->memory[accord_local_trace_at(pair, column / ACCORD_LOCAL_PASS,
                                                           found->i - first + item, item)];
    accord_local_step(found, (uint)(trace >> (8 * (in_pass % ACCORD_LOCAL_STRIP))) & 0xffu);
  }
}

__kernel __attribute__((reqd_work_group_size(ACCORD_LOCAL_GROUP, 1, 1))) void local_group(
    __global const accord_local_scores* scores, __global const uchar* codes,
    __global const accord_local_job* jobs, uint job_count, __global ulong* memory,
    __global accord_local_segment* segments, __global accord_local_result* results) {
  __local accord_local_group local_;
  const int item = (int)get_local_id(0);
  __global const accord_local_job* job = jobs + min((uint)get_group_id(0), job_count - 1);
  for (int k = item; k < ACCORD_SYMBOLS * ACCORD_SYMBOLS; k += ACCORD_LOCAL_GROUP) {
    local_.score[k] = scores->score[k];
  }
  accord_local_pair pair;
  pair.x = codes + job->first_x[0];
  pair.y = codes + job->first_y;
  pair.m = (int)job->length_x[0];
  pair.n = (int)job->length_y;
  pair.plan = job->plan;
  pair.parts = accord_plan_local_parts(job->plan, job->length_y);
  pair.memory = memory + job->memory;
  const accord_local_costs costs = accord_local_costs_of(scores);
  barrier(CLK_LOCAL_MEM_FENCE);

  const int blocks = (int)max(1u, job->plan.kept);
  accord_local_end_at best = {0, 0, 0};
  accord_local_found found;
  // Down through the blocks, then back up from the last one; blocks behind the best end are
  // skipped.
  for (int visit = 0; visit < 2 * blocks; ++visit) {
    const int is_down = visit < blocks;
    const int block = is_down ? visit : 2 * blocks - 1 - visit;
    if (visit == blocks) {
      const accord_local_end_at end = accord_local_best_end(&local_, best);
      found = accord_local_begin(end.value, end.i, end.j, segments + job->segments);
    }
    const int wanted = is_down || local_.row > block * (int)pair.plan.block_rows;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (is_down || (wanted && block < blocks - 1)) {
      accord_local_end_at again = best;
      accord_local_block(&local_, &pair, &costs, block, &again);
      if (is_down) best = again;
    }
    if (is_down) continue;
    if (wanted && item == 0) {
      accord_local_walk(&pair, block, &found);
      local_.row = found.i;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (item == 0) {
    results[job->result].score = found.best;
    results[job->result].segments = found.count;
  }
}
