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
// Host sets: ACCORD_LANES=1, ACCORD_TEAM (2 or more) and ACCORD_GROUP, a multiple of it.
#if !defined(ACCORD_GROUP) || !defined(ACCORD_TEAM) || ACCORD_GROUP % ACCORD_TEAM != 0
#error build with -DACCORD_TEAM=t -DACCORD_GROUP=n, n a multiple of t
#endif

#include "shared/group_match.h"
#include "shared/group_totals.h"

// Where an item is in the walk over a band.
typedef struct accord_place {
  int pass, tile_row;
  int strip;  // in the order of the sweep, from the first of the band
  int works;  // the item has a tile in this step
} accord_place;

ACCORD_FUNCTION accord_place accord_place_of(__local const accord_group_team* team, int step,
                                             int item) {
  accord_place place;
  const int own_step = step - item;
  place.pass = own_step / team->pass_steps;  // of integers
  place.tile_row = own_step - place.pass * team->pass_steps;
  place.strip = place.pass * ACCORD_TEAM + item;
  place.works =
      own_step >= 0 && place.strip < team->tiles && place.tile_row < (int)team->w.row_tiles;
  return place;
}

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
    team->passes = (team->tiles + ACCORD_TEAM - 1) / ACCORD_TEAM;
    team->pass_steps = max((int)w.row_tiles, ACCORD_TEAM + 1);
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

// What the last item of a pass has finished in the step before goes to global memory.
ACCORD_FUNCTION void accord_leave_borders(__local const accord_group_local* local_,
                                          __local const accord_group_team* team, int step) {
  if (team->tiles == 0) return;
  const int team_first = accord_team_number() * ACCORD_TEAM;
  const int last_strip = (team->tiles - 1) % ACCORD_TEAM;
  for (int last_pass = 0; last_pass < 2; ++last_pass) {
    const int of = last_pass ? last_strip : ACCORD_TEAM - 1;
    const accord_place ended = accord_place_of(team, step - 1, of);
    if (ended.works && (ended.pass == team->passes - 1) == last_pass) {
      accord_leave_border(local_, team, team_first + of, team->band.write_slot, ended.tile_row);
    }
  }
}

// What an item needs from global memory for its tile in a step. It is asked for a step ahead, so
// that it has come when it is needed.
typedef struct accord_ahead {
  accord_place place;
  ulong codes;                // of x, 8 bits each
  int hmm_scale, pf_scale;    // backward: of M of the forward sweep
  accord_border_part border;  // what the first item of the team needs
} accord_ahead;

// The forward strip of a place, counted in the band, and its tile row.
ACCORD_FUNCTION int accord_forward_strip(__local const accord_group_team* team,
                                         accord_place place) {
  return team->sweep.backward ? team->tiles - 1 - place.strip : place.strip;
}
ACCORD_FUNCTION int accord_forward_tile_row(__local const accord_group_team* team,
                                            accord_place place) {
  return team->sweep.backward ? (int)team->w.row_tiles - 1 - place.tile_row : place.tile_row;
}

ACCORD_FUNCTION accord_ahead accord_look_ahead(__local const accord_group_team* team, int step) {
  accord_ahead ahead;
  ahead.place = accord_place_of(team, step, accord_team_item());
  ahead.codes = 0;
  ahead.hmm_scale = ahead.pf_scale = 0;
  const accord_place begins = accord_place_of(team, step, 0);
  const int nothing = !begins.works || (begins.pass == 0 && team->band.first_of_sweep);
  ahead.border = accord_fetch_border(
      team, nothing, begins.pass == 0 ? team->band.read_slot : team->band.write_slot,
      nothing ? 0 : begins.tile_row);
  if (!ahead.place.works) return ahead;
  ahead.codes = accord_codes_at(team->x, team->m, team->sweep.rows,
                                ahead.place.tile_row * ACCORD_TILE, team->sweep.backward);
  if (team->sweep.backward) {
    __global const int* scale = accord_match_scale(team, accord_forward_strip(team, ahead.place),
                                                   accord_forward_tile_row(team, ahead.place));
    if (team->combination.uses[ACCORD_HMM]) ahead.hmm_scale = scale[0];
    if (team->combination.uses[ACCORD_PARTITION]) ahead.pf_scale = scale[accord_band_tiles(team)];
  }
  return ahead;
}

// What an item needs to know of its tile while it computes the rows.
typedef struct accord_tile_work {
  int works;
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
  tile.works = place.works;
  tile.hmm_posterior = tile.pf_posterior = 0.0f;
  tile.backward = team->sweep.backward;
  tile.end_row = -1;
  tile.codes = ahead->codes;
  if (!place.works) return tile;
  const int col_tiles = (int)team->w.col_tiles;
  const int stored = accord_forward_strip(team, place);
  const int forward_tile = team->band.first_tile + stored;
  const int tile_column = tile.backward ? col_tiles - 1 - forward_tile : forward_tile;
  tile.row = place.tile_row * ACCORD_TILE;
  tile.column = tile_column * ACCORD_TILE;
  tile.forward_row = tile.backward ? team->sweep.rows - 1 - tile.row : tile.row;
  tile.forward_column = forward_tile * ACCORD_TILE;
  if (!tile.backward && forward_tile == col_tiles - 1) tile.end_row = team->m;

  if (place.tile_row == 0) accord_begin_strip(strip, local_, team, tile_column);
  __local const int* uses = team->combination.uses;
  if (uses[ACCORD_HMM]) {
    accord_begin_tile(&strip->of[ACCORD_HMM], accord_hmm_kind(), local_, team, place.tile_row,
                      tile_column, left);
  }
  if (uses[ACCORD_PARTITION]) {
    accord_begin_tile(&strip->of[ACCORD_PARTITION], accord_partition_kind(), local_, team,
                      place.tile_row, tile_column, left);
  }
  if (place.tile_row == team->sweep.border_row / ACCORD_TILE ||
      tile_column == team->sweep.border_column / ACCORD_TILE) {
    atomic_or(&local_->edge, 1u);
  }

  tile.match = accord_match_place(team, stored, tile.forward_row);
  if (uses[ACCORD_HMM]) {
    const int own = strip->of[ACCORD_HMM].scale;
    if (tile.backward) {
      tile.hmm_posterior =
          accord_posterior_factor(ahead->hmm_scale, own, team->inverse[ACCORD_HMM]);
    } else {
      accord_match_scale(team, stored, place.tile_row)[0] = own;
    }
  }
  if (uses[ACCORD_PARTITION]) {
    const int own = strip->of[ACCORD_PARTITION].scale;
    if (tile.backward) {
      tile.pf_posterior =
          accord_posterior_factor(ahead->pf_scale, own, team->inverse[ACCORD_PARTITION]);
    } else {
      accord_match_scale(team, stored, place.tile_row)[accord_band_tiles(team)] = own;
    }
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

// Factor of opening a gap behind row r of a tile.
ACCORD_FUNCTION float accord_row_opening(__local const accord_group_team* team,
                                         const accord_tile_work* tile, int r) {
  return team->memory[team->w.row_opening +
                      (ulong)accord_residues_at(team->sweep.rows, tile->row + r, tile->backward)];
}

// Row r of an item's tile. `hand` comes from the left and goes to the right; `match` is M of the
// forward sweep if the tile emits.
ACCORD_FUNCTION void accord_tile_row(accord_strip* strip, const accord_tile_work* tile,
                                     __local accord_group_local* local_,
                                     __local accord_group_team* team,
                                     __global const accord_model* model,
                                     const accord_gaps* hmm_gaps, const accord_gaps* pf_gaps, int r,
                                     accord_handoff* hand, const accord_match_values* match) {
  const accord_kind hmm = accord_hmm_kind(), partition = accord_partition_kind();
  accord_side *hmm_left = &hand->of[ACCORD_HMM], *pf_left = &hand->of[ACCORD_PARTITION];
  const int row = tile->row + r;
  const float opening = accord_row_opening(team, tile, r);
  float hmm_weight[ACCORD_TILE], pf_weight[ACCORD_TILE];
  accord_row_weights(local_, (int)(tile->codes >> (8 * r)) & 0xff, strip->codes, hmm_weight,
                     pf_weight);
  const int at_start = local_->edge != 0 &&
                       tile->column <= team->sweep.last_edge_column * ACCORD_TILE &&
                       row <= team->sweep.border_row + 1;
  const int at_end = row == tile->end_row;
  __local const int* uses = team->combination.uses;
  __local const float* columns = &local_->column_opening[0][get_local_id(0)];
  accord_end end;
  end.m = 0.0f;
  ACCORD_UNROLL
  for (int k = 0; k < ACCORD_GAP_CLASSES; ++k) end.x[k] = end.y[k] = 0.0f;
  if (uses[ACCORD_HMM]) {
    accord_rescale_side(hmm_left, hmm, strip->of[ACCORD_HMM].from_left);
    accord_strip_row(&strip->of[ACCORD_HMM], hmm_left, hmm_weight, columns, opening, hmm_gaps, hmm,
                     team, row, tile->column, at_start || at_end, &end,
                     at_end ? team->n % ACCORD_TILE : -1);
  }
  if (uses[ACCORD_PARTITION]) {
    accord_rescale_side(pf_left, partition, strip->of[ACCORD_PARTITION].from_left);
    accord_strip_row(&strip->of[ACCORD_PARTITION], pf_left, pf_weight, columns, opening, pf_gaps,
                     partition, team, row, tile->column, local_->edge != 0, 0, -1);
  }
  if (!tile->backward) {
    accord_store_row(strip, uses, accord_match_at(tile, r));
  } else if (accord_emits(tile)) {
    accord_emit_row(strip, team, match, tile->hmm_posterior, tile->pf_posterior,
                    tile->forward_row - r, tile->forward_column);
  }
  if (at_end && uses[ACCORD_HMM]) {
    accord_total total = accord_total_zero();
    accord_add_hmm_end(&total, &model->hmm, &end, team->m, row, strip->of[ACCORD_HMM].scale);
    team->hmm.high = total.high;
    team->hmm.low = total.low;
    team->hmm.scale = total.scale;
  }
}

// The band that the teams are prepared for. Forward: M is stored, and the item that reaches the
// last cell leaves the pair-HMM's total. Backward: cells are emitted. All items call it.
ACCORD_FUNCTION void accord_sweep_band(__local accord_group_local* local_,
                                       __local accord_group_team* team,
                                       __global const accord_model* model) {
  const int item = (int)get_local_id(0);
  const int left = accord_team_item() == 0 ? ACCORD_GROUP + accord_team_number() : item - 1;
  __local const int* uses = team->combination.uses;
  accord_strip strip;
  strip.of[ACCORD_HMM].scale = strip.of[ACCORD_PARTITION].scale = ACCORD_NO_EXPONENT;
  const accord_gaps hmm_gaps = team->sweep.of[ACCORD_HMM].gaps;
  const accord_gaps pf_gaps = team->sweep.of[ACCORD_PARTITION].gaps;
  const int steps = (int)accord_most(
      local_, team->tiles == 0 ? 0u : (uint)(team->passes * team->pass_steps + ACCORD_TEAM));
  accord_ahead ahead = accord_look_ahead(team, 0);
  for (int step = 0; step < steps; ++step) {
    accord_leave_borders(local_, team, step);
    accord_put_border(local_, &ahead.border);
    if (item == 0) local_->edge = 0;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    const accord_tile_work tile = accord_enter_tile(&strip, local_, team, &ahead, left);
    // A pass takes more steps than a team has items, so that what the next step needs of the pass
    // before was left in this step at the latest.
    ahead = accord_look_ahead(team, step + 1);
    float hmm_corner = 0.0f, pf_corner = 0.0f;
    ACCORD_NO_UNROLL
    for (int r = 0; r < ACCORD_TILE; ++r) {
      accord_match_values match;  // loaded now, so that it has come when the row is computed
      if (accord_emits(&tile)) match = accord_load_row(uses, accord_match_at(&tile, r));
      accord_handoff hand;
      if (tile.works) hand = accord_read_hand(local_, uses, r, left);
      barrier(CLK_LOCAL_MEM_FENCE);
      if (tile.works) {
        hmm_corner = hand.of[ACCORD_HMM].s;
        pf_corner = hand.of[ACCORD_PARTITION].s;
        accord_tile_row(&strip, &tile, local_, team, model, &hmm_gaps, &pf_gaps, r, &hand, &match);
        accord_write_hand(local_, uses, r, item, &hand);
      }
    }
    strip.of[ACCORD_HMM].corner = hmm_corner;
    strip.of[ACCORD_PARTITION].corner = pf_corner;
    strip.of[ACCORD_HMM].corner_scale = local_->hand_scale[ACCORD_HMM][left];
    strip.of[ACCORD_PARTITION].corner_scale = local_->hand_scale[ACCORD_PARTITION][left];
    barrier(CLK_LOCAL_MEM_FENCE);
    local_->hand_scale[ACCORD_HMM][item] = strip.of[ACCORD_HMM].scale;
    local_->hand_scale[ACCORD_PARTITION][item] = strip.of[ACCORD_PARTITION].scale;
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
                                        __global const accord_pair_task* tasks, uint task_count,
                                        uint first, __global float* memory,
                                        __global accord_found_cell* cells) {
  const uint number = first + (uint)accord_team_number();
  if (accord_team_item() == 0) {
    const uint slot = (uint)get_group_id(0) * ACCORD_TEAMS + (uint)accord_team_number();
    __global const accord_pair_task* task = tasks + min(number, task_count - 1);
    team->x = codes + task->first_x[0];
    team->y = codes + task->first_y;
    team->m = (int)task->length_x[0];
    team->n = (int)task->length_y;
    team->w = accord_plan_workspace(task->length_x[0], task->length_y, task->band_columns);
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
  if (number < task_count) accord_fill_openings(team, model);
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
    accord_add_pf_totals(
        local_, team,
        step < own_steps && team->band.first_pass && team->combination.uses[ACCORD_PARTITION]);
  }
}

// A group begins with the tasks of its number, and then takes the next that no group has: `next`,
// at first the number of those that all groups begin with.
__kernel __attribute__((reqd_work_group_size(ACCORD_GROUP, 1, 1))) void posterior_group(
    __global const accord_model* model, __global const uchar* codes,
    __global const accord_pair_task* tasks, uint task_count, __global float* memory,
    __global accord_found_cell* cells, __global uint* found, volatile __global uint* next) {
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
    accord_begin_tasks(team, model, codes, tasks, task_count, first, memory, cells);
    accord_do_tasks(&local_, team, model, number < task_count);
    if (number < task_count && accord_team_item() == 0) found[tasks[number].found] = team->found;
    if (item == 0) local_.next = atomic_add(next, (uint)ACCORD_TEAMS);
    barrier(CLK_LOCAL_MEM_FENCE);
    first = local_.next;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}
