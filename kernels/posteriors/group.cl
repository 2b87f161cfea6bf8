// SPDX-License-Identifier: Apache-2.0
// Posteriors for GPUs: a team of ACCORD_TEAM work-items walks one pair; a work-group is several
// teams, which need nothing of each other but walk in step.
//
// Each item owns a strip, one tile column of 8, in registers. In a step item s computes a whole
// tile, one tile row behind the item on its left, so that all items choose exponents at the same
// time; the right borders of the tiles go from item to item through local memory. A team takes
// the strips of a band in passes, and an item begins its next strip as soon as it has ended one;
// from pass to pass and from band to band borders go through global memory. A border is written
// over the one that was read, which is safe: a row is read before it is written, since a pass
// takes more steps than a team has items.
//
//            item 0        item 1        item 2
//   step 0   tile (0, 0)
//   step 1   tile (1, 0)   tile (0, 1)
//   step 2   tile (2, 0)   tile (1, 1)   tile (0, 2)
//   step 3   tile (0, 3)   tile (2, 1)   tile (1, 2)      second pass
//
// What limits it, by a profiler (H100, pairs of 300 residues, teams of 8, of which 32 are resident
// on a multiprocessor for want of registers; rates of the kernel alone): 32 items take about 5100
// instructions for their tiles, 79 a cell, for which the arithmetic of the cells needs 23. A third
// of them are the cells, a fifth the weights of their residues and what comes from the left, a
// seventh the emission, a fifth what is done once a tile. A scheduler issues 0.38 a cycle: its two
// warps wait for results of arithmetic (19 % of the time), local memory (23 %: the weights of
// random residues fall into the same banks), and global memory (17 %). Device memory is at 37 % of
// its bandwidth (16 bytes a cell, M stored and read), the pipe of local memory at half of its own.
// Without storing M and emitting 1.1e11 cells a second in place of 6.9e10 (H200).
//
// Tried: with 168 registers for 255 spilled values take twice the time. An item for each model of a
// strip, half of the state and the borders of the matrix added after each row: 4.1e10 to 4.6e10
// for 4.8e10 to 5.7e10 cells a second at 300 residues, since a third more instructions are done in
// all (whatever is done for a tile is done twice) and 224 registers were taken again; 168 gained a
// tenth, 128 spilled. Bringing M of the next step near changed nothing.
//
// Both models are computed even if one has no share, which changes no bit (combine.h): what both do
// in a row is one piece of code without branches, in which one computes while the other waits.
//
// Host sets: ACCORD_LANES=1, ACCORD_TEAM (2 or more) and ACCORD_GROUP, a multiple of it.
#if !defined(ACCORD_GROUP) || !defined(ACCORD_TEAM) || ACCORD_GROUP % ACCORD_TEAM != 0
#error build with -DACCORD_TEAM=t -DACCORD_GROUP=n, n a multiple of t
#endif

#include "posteriors/group_totals.h"
#include "posteriors/group_walk.h"

// The first item of a team prepares the team for a step of the task; all items call it.
ACCORD_FUNCTION void accord_begin_band(__local accord_group_team* team,
                                       __global const accord_model* model, int step, int exists) {
  barrier(CLK_LOCAL_MEM_FENCE);
  if (accord_team_item() == 0) {
    const accord_workspace w = team->w;
    const accord_band band = accord_band_of_step(&w, step);
    team->band = band;
    team->sweep = accord_make_sweep(&w, model, team->m, team->m, team->n, band.backward);
    team->tiles = exists ? band.last_tile - band.first_tile : 0;
    team->pass_steps = (int)accord_pass_steps(w.row_tiles, ACCORD_TEAM);
    team->ended[0] = team->ended[1] = -1;
    if (accord_totals_are_known(&w, step)) {
      accord_partition_sums sums;
      sums.row = accord_take_total(&team->row);
      sums.column = accord_take_total(&team->column);
      team->inverse[ACCORD_HMM] = accord_invert(accord_take_total(&team->hmm));
      team->inverse[ACCORD_PARTITION] = accord_invert(accord_partition_total(sums));
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
}

// What an item needs to know of its tile while it computes the rows.
typedef struct accord_tile_work {
  int works;                        // has a tile, and something enters it
  int row, column;                  // its first cell, in the sweep
  int forward_row, forward_column;  // and that cell's row, and its first column, forward
  int end_row;                      // the row that holds the pair-HMM's end; -1 if none does
  int backward;
  ulong codes;                        // of x, 8 bits each
  accord_match_row match;             // of the first row
  float hmm_posterior, pf_posterior;  // factors; 0 if no cell can be worth keeping
} accord_tile_work;

// Begins the tile of an item: chooses its scales and looks up what its rows need.
ACCORD_FUNCTION accord_tile_work accord_enter_tile(accord_strip* strip,
                                                   __local accord_group_local* local_,
                                                   __local const accord_group_team* team,
                                                   const accord_ahead* ahead, int left) {
  const accord_place place = ahead->place;
  accord_tile_work tile;
  tile.works = ahead->works;
  tile.hmm_posterior = tile.pf_posterior = 0.0f;
  tile.backward = team->sweep.backward;
  tile.end_row = -1;
  tile.codes = ahead->codes;
  if (!tile.works) return tile;
  const int stored = accord_forward_strip(team, place);
  const int forward_tile = team->band.first_tile + stored;
  const int tile_column = accord_tile_column(team, place);
  tile.row = place.tile_row * ACCORD_TILE;
  tile.column = tile_column * ACCORD_TILE;
  tile.forward_row = tile.backward ? team->sweep.rows - 1 - tile.row : tile.row;
  tile.forward_column = forward_tile * ACCORD_TILE;
  if (!tile.backward && forward_tile == (int)team->w.col_tiles - 1) tile.end_row = team->m;

  if (place.tile_row == 0) {
    accord_begin_strip(strip, local_, team, tile_column, &ahead->columns);
  }
  accord_put_openings(local_, ahead->opening);
  accord_begin_tile(&strip->of[ACCORD_HMM], accord_hmm_kind(), local_, team, place.tile_row,
                    tile_column, left);
  accord_begin_tile(&strip->of[ACCORD_PARTITION], accord_partition_kind(), local_, team,
                    place.tile_row, tile_column, left);

  tile.match = accord_match_place(team, stored, tile.forward_row);
  const int hmm_scale = strip->of[ACCORD_HMM].scale, pf_scale = strip->of[ACCORD_PARTITION].scale;
  if (tile.backward) {
    tile.works = max(hmm_scale, pf_scale) > ACCORD_NO_EXPONENT;
    local_->least[ACCORD_HMM][get_local_id(0)] =
        accord_least_handed_on(ahead->hmm_scale, team->inverse[ACCORD_HMM]);
    local_->least[ACCORD_PARTITION][get_local_id(0)] =
        accord_least_handed_on(ahead->pf_scale, team->inverse[ACCORD_PARTITION]);
    tile.hmm_posterior =
        accord_posterior_factor(ahead->hmm_scale, hmm_scale, team->inverse[ACCORD_HMM]);
    tile.pf_posterior =
        accord_posterior_factor(ahead->pf_scale, pf_scale, team->inverse[ACCORD_PARTITION]);
  } else {
    __global int* scale = accord_match_scale(team, stored, place.tile_row);
    scale[0] = hmm_scale;
    scale[accord_band_tiles(team)] = pf_scale;
  }
  return tile;
}

// True if cells of the tile may be worth keeping, so that M of the forward sweep is needed.
ACCORD_FUNCTION int accord_emits(const accord_tile_work* tile) {
  return tile->works && tile->backward && (tile->hmm_posterior > 0.0f || tile->pf_posterior > 0.0f);
}

// Where M of row r of a tile lies.
ACCORD_FUNCTION accord_match_row accord_match_at(const accord_tile_work* tile, int r) {
  const int down = tile->backward ? -r : r;
  accord_match_row match = tile->match;
  match.hmm += down * 2 * (int)match.apart;
  match.pf += down * 2 * (int)match.apart;
  return match;
}

// What a row needs of the residues and of the row above.
typedef struct accord_row_work {
  float hmm_weight[ACCORD_TILE], pf_weight[ACCORD_TILE];
  float opening;              // factor of opening a gap behind the row
  accord_handoff hand;        // comes from the left and goes to the right
  accord_match_values match;  // M of the forward sweep, if the tile emits
} accord_row_work;

ACCORD_FUNCTION accord_row_work accord_begin_row(const accord_strip* strip,
                                                 const accord_tile_work* tile,
                                                 __local const accord_group_local* local_, int r,
                                                 int left) {
  accord_row_work work;
  if (accord_emits(tile)) work.match = accord_load_row(accord_match_at(tile, r));
  work.hand = accord_read_hand(local_, r, left);
  work.opening = local_->row_opening[tile->backward ? ACCORD_TILE - 1 - r : r][get_local_id(0)];
  accord_row_weights(local_, (int)(tile->codes >> (8 * r)) & 0xff, strip->codes, work.hmm_weight,
                     work.pf_weight);
  return work;
}

// The cells of a row away from the border, of both models.
ACCORD_FUNCTION void accord_inner_row(accord_strip* strip, __local const float* columns,
                                      const accord_gaps* gaps, accord_row_work* work) {
  accord_strip_row(&strip->of[ACCORD_HMM], &work->hand.of[ACCORD_HMM], work->hmm_weight, columns,
                   work->opening, gaps + ACCORD_HMM, accord_hmm_kind());
  accord_strip_row(&strip->of[ACCORD_PARTITION], &work->hand.of[ACCORD_PARTITION], work->pf_weight,
                   columns, work->opening, gaps + ACCORD_PARTITION, accord_partition_kind());
}

// Those of a row of a step in which the border injects into a tile of the group, or of the row
// that holds the pair-HMM's end.
ACCORD_FUNCTION void accord_outer_row(accord_strip* strip, const accord_tile_work* tile,
                                      __local accord_group_team* team,
                                      __global const accord_model* model,
                                      __local const float* columns, const accord_gaps* gaps,
                                      int row, int is_edge, accord_row_work* work) {
  const int at_start = is_edge && tile->column <= team->sweep.last_edge_column * ACCORD_TILE &&
                       row <= team->sweep.border_row + 1;
  const int at_end = row == tile->end_row;
  accord_strip_part* part = &strip->of[ACCORD_HMM];
  accord_side* left = &work->hand.of[ACCORD_HMM];
  if (at_start || at_end) {
    const accord_end end = accord_edge_row(part, left, work->hmm_weight, columns, work->opening,
                                           gaps + ACCORD_HMM, accord_hmm_kind(), team, row,
                                           tile->column, at_end ? team->n % ACCORD_TILE : -1);
    if (at_end) accord_leave_hmm_total(team, model, &end, row, part->scale);
  } else {
    accord_strip_row(part, left, work->hmm_weight, columns, work->opening, gaps + ACCORD_HMM,
                     accord_hmm_kind());
  }
  accord_edge_row(&strip->of[ACCORD_PARTITION], &work->hand.of[ACCORD_PARTITION], work->pf_weight,
                  columns, work->opening, gaps + ACCORD_PARTITION, accord_partition_kind(), team,
                  row, tile->column, -1);
}

// Row r of an item's tile.
ACCORD_FUNCTION void accord_tile_row(accord_strip* strip, const accord_tile_work* tile,
                                     __local accord_group_local* local_,
                                     __local accord_group_team* team,
                                     __global const accord_model* model, const accord_gaps* gaps,
                                     int r, int is_edge, accord_row_work* work) {
  const accord_kind hmm = accord_hmm_kind(), partition = accord_partition_kind();
  accord_side *hmm_left = &work->hand.of[ACCORD_HMM], *pf_left = &work->hand.of[ACCORD_PARTITION];
  accord_strip_part *of_hmm = &strip->of[ACCORD_HMM], *of_pf = &strip->of[ACCORD_PARTITION];
  const int row = tile->row + r;
  __local const float* columns = &local_->column_opening[0][get_local_id(0)];
  of_hmm->corner = hmm_left->s;  // of the tile below, in the end
  accord_rescale_side(hmm_left, hmm, of_hmm->from_left);
  of_pf->corner = pf_left->s;
  accord_rescale_side(pf_left, partition, of_pf->from_left);
  if (is_edge || row == tile->end_row) {
    accord_outer_row(strip, tile, team, model, columns, gaps, row, is_edge, work);
  } else {
    accord_inner_row(strip, columns, gaps, work);
  }
  accord_raise_most(of_hmm, hmm_left, hmm);
  accord_raise_most(of_pf, pf_left, partition);
  if (!tile->backward) {
    accord_store_row(strip, accord_match_at(tile, r));
  } else if (accord_emits(tile)) {
    accord_emit_row(strip, team, &work->match, tile->hmm_posterior, tile->pf_posterior,
                    tile->forward_row - r, tile->forward_column);
  }
}

// The band that the teams are prepared for. Forward: M is stored, and the item that reaches the
// last cell leaves the pair-HMM's total. Backward: cells are emitted. All items call it.
ACCORD_FUNCTION void accord_sweep_band(__local accord_group_local* local_,
                                       __local accord_group_team* team,
                                       __global const accord_model* model) {
  const int item = (int)get_local_id(0);
  const int left = accord_team_item() == 0 ? ACCORD_GROUP + accord_team_number() : item - 1;
  accord_strip strip;
  strip.of[ACCORD_HMM].scale = strip.of[ACCORD_PARTITION].scale = ACCORD_NO_EXPONENT;
  strip.of[ACCORD_HMM].most = strip.of[ACCORD_PARTITION].most = 0.0f;
  const accord_gaps gaps[ACCORD_MODELS] = {team->sweep.of[ACCORD_HMM].gaps,
                                           team->sweep.of[ACCORD_PARTITION].gaps};
  if (item < 3) local_->edge[item] = 0;
  const int steps = (int)accord_most(
      local_, accord_team_steps(team->w.row_tiles, (uint)team->tiles, ACCORD_TEAM));
  accord_place place = accord_first_place(accord_team_item()), of_first = accord_first_place(0);
  accord_ahead ahead = accord_look_ahead(team, place, of_first);
  if (accord_touches_border(team, &ahead)) atomic_or(&local_->edge[0], 1u);
  for (int step = 0; step < steps; ++step) {
    accord_leave_borders(local_, team);
    accord_put_border(local_, &ahead.border);
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    const int is_edge = (int)local_->edge[step % 3];
    // Asked for before the tile is entered, which takes as long as memory does. A pass takes more
    // steps than a team has items, so that what the next step needs of the pass before was left in
    // this step at the latest.
    place = accord_next_place(team, place);
    of_first = accord_next_place(team, of_first);
    const accord_ahead now = ahead;
    ahead = accord_look_ahead(team, place, of_first);
    if (accord_touches_border(team, &ahead)) atomic_or(&local_->edge[(step + 1) % 3], 1u);
    if (item == 0) local_->edge[(step + 2) % 3] = 0;
    const accord_tile_work tile = accord_enter_tile(&strip, local_, team, &now, left);
    ACCORD_NO_UNROLL
    for (int r = 0; r < ACCORD_TILE; ++r) {
      accord_row_work work;
      if (tile.works) work = accord_begin_row(&strip, &tile, local_, r, left);
      barrier(CLK_LOCAL_MEM_FENCE);
      if (tile.works) {
        accord_tile_row(&strip, &tile, local_, team, model, gaps, r, is_edge, &work);
        accord_write_hand(local_, r, item, &work.hand);
      }
    }
    strip.of[ACCORD_HMM].corner_scale = local_->hand_scale[ACCORD_HMM][left];
    strip.of[ACCORD_PARTITION].corner_scale = local_->hand_scale[ACCORD_PARTITION][left];
    if (tile.works) {
      accord_end_tile(&strip.of[ACCORD_HMM], accord_hmm_kind(), local_, tile.backward);
      accord_end_tile(&strip.of[ACCORD_PARTITION], accord_partition_kind(), local_, tile.backward);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    accord_note_ended(team, now.place, now.works);
    ACCORD_UNROLL
    for (int k = 0; k < ACCORD_MODELS; ++k) {
      local_->hand_scale[k][item] = strip.of[k].scale;
      local_->hand_most[k][item] = strip.of[k].most;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  // What this band left in global memory is read by other items next.
  barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);
}

// Prepares the teams for the tasks from `first` on, one each. A team's workspace is that of the
// task that it began with: no later task needs more.
ACCORD_FUNCTION void accord_begin_tasks(__local accord_group_team* team,
                                        __global const accord_model* model,
                                        __global const uchar* codes,
                                        __global const accord_sequence* sequences,
                                        __global const accord_pair_task* tasks, uint task_count,
                                        uint first, __global float* memory,
                                        __global accord_found_cell* cells) {
  const uint number = first + (uint)accord_team_number();
  if (accord_team_item() == 0) {
    const uint slot = (uint)get_group_id(0) * ACCORD_TEAMS + (uint)accord_team_number();
    __global const accord_pair_task* task = tasks + min(number, task_count - 1);
    const accord_sequence x = sequences[task->x], y = sequences[task->y];
    team->x = codes + x.first;
    team->y = codes + y.first;
    team->m = (int)x.length;
    team->n = (int)y.length;
    team->w = accord_plan_workspace(x.length, y.length, task->band_columns);
    team->memory = memory + tasks[min(slot, task_count - 1)].memory;
    team->cells = cells + task->cells;
    team->capacity = task->capacity;
    team->combination = accord_combination_of(model);
    team->found = 0;
    accord_clear_total(&team->hmm);
    accord_clear_total(&team->row);
    accord_clear_total(&team->column);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (number < task_count) {
    accord_fill_sequence(team, model, team->x, team->m, team->w.row_tiles, team->w.row_opening,
                         team->w.row_codes);
    accord_fill_sequence(team, model, team->y, team->n, team->w.col_tiles, team->w.column_opening,
                         team->w.column_codes);
  }
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
}

// The tasks that the teams are prepared for.
ACCORD_FUNCTION void accord_do_tasks(__local accord_group_local* local_,
                                     __local accord_group_team* team,
                                     __global const accord_model* model, int has_task) {
  const accord_workspace w = team->w;
  const int own_steps = has_task ? accord_step_count(&w) : 0;
  const int steps = (int)accord_most(local_, (uint)own_steps);
  for (int step = 0; step < steps; ++step) {
    accord_begin_band(team, model, step, step < own_steps);
    accord_sweep_band(local_, team, model);
    accord_add_pf_totals(local_, team, step < own_steps && team->band.first_pass);
  }
}

// A group begins with the tasks of its number, and then takes the next that no group has: `next`,
// at first the number of those that all groups begin with.
__kernel __attribute__((reqd_work_group_size(ACCORD_GROUP, 1, 1))) void posterior_group(
    __global const accord_model* model, __global const uchar* codes,
    __global const accord_sequence* sequences, __global const accord_pair_task* tasks,
    uint task_count, __global float* memory, __global accord_found_cell* cells,
    __global uint* found, volatile __global uint* next) {
  __local accord_group_local local_;
  const int item = (int)get_local_id(0);
  __local accord_group_team* team = &local_.team[accord_team_number()];
  for (int k = item; k < ACCORD_SYMBOLS * ACCORD_SYMBOLS; k += ACCORD_GROUP) {
    // (Oclgrind takes a vector that is stored as a whole apart, and then calls it unwritten.)
    vstore2((float2)(model->hmm.weight[k], model->partition.weight[k]), (size_t)k,
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
