// SPDX-License-Identifier: Apache-2.0
// Posteriors for GPUs: a team of ACCORD_TEAM work-items computes one pair. A work-group is several
// teams, which are independent but run in step.
//
// Each item owns a strip, one tile column of 8, in registers. In a step, each item computes a whole
// tile, one tile row behind the item on its left, so that all items choose exponents at the same
// time. The right borders of the tiles go from item to item through local memory. A team computes
// the strips of a band in passes; an item begins its next strip as soon as it has ended one.
// Borders between passes and between bands go through global memory. A border overwrites the one
// that was read, which is safe: a row is read before it is written, since a pass takes more steps
// than a team has items.
//
//            item 0        item 1        item 2
//   step 0   tile (0, 0)
//   step 1   tile (1, 0)   tile (0, 1)
//   step 2   tile (2, 0)   tile (1, 1)   tile (0, 2)
//   step 3   tile (0, 3)   tile (2, 1)   tile (1, 2)      second pass
//
// Limits, by a profiler (H100, pairs of 300 residues, teams of 8): registers allow a scheduler two
// warps. Each warp issues an instruction every 5.1 cycles. Of these, 1 is the instruction, 1
// waits for arithmetic, 1.2 for local memory (the weights of random residues are in the same banks)
// and 0.8 for device memory. A cell takes 81 instructions per sweep, 23 of them its arithmetic:
// about 45 in the rows, 15 for work per tile, and in the backward sweep 20 for kept cells, since an
// item that keeps some holds up the 31 others.
//
// Therefore data in device memory are requested a step ahead, and are in local memory or registers
// when rows are computed: a load takes longer than a row. M of the forward sweep is read only if
// the largest M of its tile allows a kept cell, and then also for the next row of the tile. A
// border travels along its row of tiles in one column of local memory, so that a step has one
// barrier.
//
// Tried: 168 registers (three warps) with 68 more spilled take 1.6 times as long, since local
// memory leaves the cache no room for them. If M is read only when needed and all else is
// recomputed, nothing is spilled, but three warps issue as many instructions per cycle as two,
// since each waits longer for both kinds of memory. One item per model of a strip: a third more
// instructions. Two rows of a tile in one piece of code, and borders read a row ahead: no gain.
//
// Both models are computed even if one has no share, which changes no bit (combine.h): a row of
// both is one piece of code without branches, in which one model computes while the other waits.
//
// Host sets: ACCORD_LANES=1, ACCORD_TEAM (2 or more) and ACCORD_GROUP, a multiple of it.
#if !defined(ACCORD_GROUP) || !defined(ACCORD_TEAM) || ACCORD_GROUP % ACCORD_TEAM != 0
#error build with -DACCORD_TEAM=t -DACCORD_GROUP=n, n a multiple of t
#endif

#include "posteriors/group_tile.h"
#include "posteriors/group_totals.h"

// Prepares the team for a step of its task; the first item does it, and all items call it.
ACCORD_FUNCTION void accord_begin_band(__local accord_group_team* team,
                                       __global const accord_model* model, int step, int exists) {
  barrier(CLK_LOCAL_MEM_FENCE);
  if (accord_team_item() == 0) {
    const accord_workspace w =
        accord_plan_workspace((uint)team->m, (uint)team->n, team->band_columns);
    const accord_band band = accord_band_of_step(&w, step);
    team->band = band;
    team->sweep = accord_make_sweep(&w, model, team->m, team->m, team->n, band.backward);
    team->tiles = exists ? band.last_tile - band.first_tile : 0;
    team->pass_steps = (int)accord_pass_steps(w.row_tiles, ACCORD_TEAM);
    team->ends[0] = ACCORD_TEAM - 1;
    team->ends[1] = (team->tiles + ACCORD_TEAM - 1) % ACCORD_TEAM;
    accord_find_borders(team, &w);
    if (accord_totals_are_known(&w, step)) {
      accord_partition_sums sums;
      sums.row = accord_take_total(&team->row);
      sums.column = accord_take_total(&team->column);
      team->inverse[ACCORD_HMM] = accord_invert(accord_hmm_total(team, model));
      team->inverse[ACCORD_PARTITION] = accord_invert(accord_partition_total(sums));
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
}

// Sweeps the bands of the teams. Forward: stores M; the item that reaches the last cell leaves it
// for the pair-HMM's total. Backward: emits cells. All items call it.
ACCORD_FUNCTION void accord_sweep_band(__local accord_group_local* local_,
                                       __local accord_group_team* team) {
  const int item = (int)get_local_id(0);
  accord_strip strip;
  strip.of[ACCORD_HMM].scale = strip.of[ACCORD_PARTITION].scale = ACCORD_NO_EXPONENT;
  strip.of[ACCORD_HMM].most = strip.of[ACCORD_PARTITION].most = 0.0f;
  const accord_gaps gaps[ACCORD_MODELS] = {team->sweep.of[ACCORD_HMM].gaps,
                                           team->sweep.of[ACCORD_PARTITION].gaps};
  if (item < 3) local_->edge[item] = 0;
  const int steps = (int)accord_most(
      local_, accord_team_steps((uint)team->row_tiles, (uint)team->tiles, ACCORD_TEAM));
  accord_place place = accord_first_place(accord_team_item()), of_first = accord_first_place(0);
  accord_ahead ahead = accord_look_ahead(team, place, of_first);
  int first_column = accord_first_column(0);
  accord_put_border(local_, first_column, &ahead.border);
  uint borders = accord_borders(team, &ahead);
  if (borders) atomic_or(&local_->edge[0], borders);
  int is_kept = 0;  // see accord_do_tile
  for (int step = 0; step < steps; ++step) {
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint edge = local_->edge[step % 3];
    accord_leave_borders(local_, team, of_first, first_column);
    // Requested before the tile is entered, which takes as long as the memory access. A pass takes
    // more steps than a team has items, so that the borders of the pass before that the next step
    // needs are written by this step at the latest.
    place = accord_next_place(team, place);
    of_first = accord_next_place(team, of_first);
    const accord_ahead now = ahead;
    ahead = accord_look_ahead(team, place, of_first);
    borders = accord_borders(team, &ahead);
    if (borders) atomic_or(&local_->edge[(step + 1) % 3], borders);
    if (item == 0) local_->edge[(step + 2) % 3] = 0;
    const int column = accord_column_behind(first_column, accord_team_item());
    accord_tile_work tile = accord_enter_tile(&strip, local_, team, &now, column);
    strip.of[ACCORD_HMM].corner_scale = local_->tile_border_scale[ACCORD_HMM][column];
    strip.of[ACCORD_PARTITION].corner_scale = local_->tile_border_scale[ACCORD_PARTITION][column];
    if (tile.works) {
      accord_do_tile(&strip, &tile, local_, team, &now, gaps, column, edge, &is_kept);
    }
    if (now.works) {
      ACCORD_UNROLL
      for (int k = 0; k < ACCORD_MODELS; ++k) {
        local_->tile_border_scale[k][column] = strip.of[k].scale;
        local_->tile_border_most[k][column] = strip.of[k].most;
      }
    }
    first_column = accord_column_behind(first_column, ACCORD_TEAM);
    accord_put_border(local_, first_column, &ahead.border);
  }
  // Other items read the borders of this band in global memory next.
  barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);
}

// Prepares the teams for the tasks from `first` on, one per team. A team keeps the workspace of its
// first task: no later task needs more.
ACCORD_FUNCTION void accord_begin_tasks(__local accord_group_team* team,
                                        __global const accord_model* model,
                                        __global const uchar* codes,
                                        __global const accord_sequence* sequences,
                                        __global const accord_pair_task* tasks, uint task_count,
                                        uint first, __global float* memory,
                                        __global accord_found_cell* cells) {
  const uint number = first + (uint)accord_team_number();
  const uint slot = (uint)get_group_id(0) * ACCORD_TEAMS + (uint)accord_team_number();
  __global const accord_pair_task* task = tasks + min(number, task_count - 1);
  const accord_sequence x = sequences[task->x], y = sequences[task->y];
  if (accord_team_item() == 0) {
    const accord_workspace w = accord_plan_workspace(x.length, y.length, task->band_columns);
    team->m = (int)x.length;
    team->n = (int)y.length;
    team->row_tiles = (int)w.row_tiles;
    team->col_tiles = (int)w.col_tiles;
    team->band_columns = task->band_columns;
    team->memory = memory + tasks[min(slot, task_count - 1)].memory;
    team->row_opening = team->memory + w.row_opening;
    team->column_opening = team->memory + w.column_opening;
    team->row_codes[0] = (__global uchar*)(team->memory + w.row_codes);
    team->row_codes[1] = team->row_codes[0] + ACCORD_TILE * w.row_tiles;
    team->column_codes[0] = (__global uchar*)(team->memory + w.column_codes);
    team->column_codes[1] = team->column_codes[0] + ACCORD_TILE * w.col_tiles;
    team->match = (__global float4*)(team->memory + w.match);
    team->match_scale = (__global int*)team->memory + w.match_scale;
    team->cells = cells + task->cells;
    team->capacity = task->capacity;
    team->combination = accord_combination_of(model);
    team->found = 0;
    team->end.m = 0.0f;
    for (int k = 0; k < ACCORD_GAP_CLASSES; ++k) team->end.x[k] = team->end.y[k] = 0.0f;
    team->end_scale = 0;
    accord_clear_total(&team->row);
    accord_clear_total(&team->column);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (number < task_count) {
    accord_fill_sequence(model, codes + x.first, team->m, team->row_tiles, team->row_opening,
                         team->row_codes);
    accord_fill_sequence(model, codes + y.first, team->n, team->col_tiles, team->column_opening,
                         team->column_codes);
  }
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
}

// Computes the tasks of the teams.
ACCORD_FUNCTION void accord_do_tasks(__local accord_group_local* local_,
                                     __local accord_group_team* team,
                                     __global const accord_model* model, int has_task) {
  const accord_workspace w =
      accord_plan_workspace((uint)team->m, (uint)team->n, team->band_columns);
  const int task_steps = has_task ? accord_step_count(&w) : 0;
  const int steps = (int)accord_most(local_, (uint)task_steps);
  for (int step = 0; step < steps; ++step) {
    accord_begin_band(team, model, step, step < task_steps);
    accord_sweep_band(local_, team);
    accord_add_pf_totals(local_, team, step < task_steps && team->band.first_pass);
  }
}

// Each group begins with the tasks of its number, and then takes the next tasks that no group has.
// `next` starts with the number of tasks with which all groups begin.
__kernel __attribute__((reqd_work_group_size(ACCORD_GROUP, 1, 1))) void posterior_group(
    __global const accord_model* model, __global const uchar* codes,
    __global const accord_sequence* sequences, __global const accord_pair_task* tasks,
    uint task_count, __global float* memory, __global accord_found_cell* cells,
    __global uint* found, volatile __global uint* next) {
  __local accord_group_local local_;
  const int item = (int)get_local_id(0);
  __local accord_group_team* team = &local_.team[accord_team_number()];
  for (int k = item; k < ACCORD_GROUP_LETTERS * ACCORD_GROUP_LETTERS; k += ACCORD_GROUP) {
    const int letter = k / ACCORD_GROUP_LETTERS, other = k % ACCORD_GROUP_LETTERS;
    const int last = ACCORD_GROUP_LETTERS - 1;
    const int entry = (letter == last ? ACCORD_BORDER_SYMBOL : letter) * ACCORD_SYMBOLS +
                      (other == last ? ACCORD_BORDER_SYMBOL : other);
    // (Oclgrind splits a vector that is stored as a whole, and then reports it as unwritten.)
    vstore2((float2)(model->hmm.weight[entry], model->partition.weight[entry]), (size_t)k,
            (__local float*)local_.weight);
  }
  for (int k = item; k < ACCORD_CONTEXTS * ACCORD_CONTEXTS; k += ACCORD_GROUP) {
    const int entry = k / ACCORD_CONTEXTS * ACCORD_SYMBOLS + k % ACCORD_CONTEXTS;
    vstore2((float2)(model->hmm.context[entry], model->partition.context[entry]), (size_t)k,
            (__local float*)local_.context);
  }
  uint first = (uint)get_group_id(0) * ACCORD_TEAMS;
  while (first < task_count) {
    const uint number = first + (uint)accord_team_number();
    accord_begin_tasks(team, model, codes, sequences, tasks, task_count, first, memory, cells);
    accord_do_tasks(&local_, team, model, number < task_count);
    if (number < task_count && accord_team_item() == 0) found[tasks[number].found] = team->found;
    if (item == 0) local_.next = atomic_add(next, (uint)ACCORD_TEAMS);
    barrier(CLK_LOCAL_MEM_FENCE);
    first = local_.next;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}
