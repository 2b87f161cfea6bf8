// SPDX-License-Identifier: Apache-2.0
// The group layout's walk: where an item is, what it leaves for others, and what it asks for a step
// ahead. OpenCL C only.
#ifndef ACCORD_SHARED_GROUP_WALK_H
#define ACCORD_SHARED_GROUP_WALK_H
#include "posteriors/group_match.h"

// Where an item is in the walk over a band.
typedef struct accord_place {
  int tile_row;  // of the pass; below 0 before the item begins
  int strip;     // in the order of the sweep, from the first of the band
} accord_place;

ACCORD_FUNCTION accord_place accord_first_place(int item) {
  accord_place place;
  place.tile_row = -item;
  place.strip = item;
  return place;
}

ACCORD_FUNCTION accord_place accord_next_place(__local const accord_group_team* team,
                                               accord_place place) {
  place.tile_row += 1;
  if (place.tile_row == team->pass_steps) {
    place.tile_row = 0;
    place.strip += ACCORD_TEAM;
  }
  return place;
}

// Whether the item has a tile there.
ACCORD_FUNCTION int accord_works(__local const accord_group_team* team, accord_place place) {
  return place.tile_row >= 0 && place.tile_row < (int)team->w.row_tiles &&
         place.strip < team->tiles;
}

// Says which borders others need from global memory: what the last item has finished, and what is
// right of the last strip.
ACCORD_FUNCTION void accord_note_ended(__local accord_group_team* team, accord_place place,
                                       int works) {
  const int item = accord_team_item(), is_last = place.strip == team->tiles - 1;
  if (item == ACCORD_TEAM - 1) team->ended[0] = works ? place.tile_row : -1;
  if (item < ACCORD_TEAM - 1 && item == (team->tiles - 1) % ACCORD_TEAM) {
    team->ended[1] = works && is_last ? place.tile_row : -1;
  }
}

// They go there in the step after.
ACCORD_FUNCTION void accord_leave_borders(__local const accord_group_local* local_,
                                          __local const accord_group_team* team) {
  const int first = accord_team_number() * ACCORD_TEAM;
  ACCORD_UNROLL
  for (int k = 0; k < 2; ++k) {
    const int tile_row = team->ended[k];
    const int of = k == 0 ? ACCORD_TEAM - 1 : (team->tiles - 1) % ACCORD_TEAM;
    if (tile_row >= 0) {
      accord_leave_border(local_, team, first + of, team->band.write_slot, tile_row);
    }
  }
}

// What an item needs from global memory for its tile in a step. It is asked for a step ahead, so
// that it has come when it is needed.
typedef struct accord_ahead {
  accord_place place;
  int works;
  ulong codes;                // of x, 8 bits each
  float4 opening[2];          // behind the rows, forward
  accord_columns columns;     // if a strip begins
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

// The tile column of a place, in the sweep.
ACCORD_FUNCTION int accord_tile_column(__local const accord_group_team* team, accord_place place) {
  const int forward = team->band.first_tile + accord_forward_strip(team, place);
  return team->sweep.backward ? (int)team->w.col_tiles - 1 - forward : forward;
}

// Of the places of an item and of its team's first.
ACCORD_FUNCTION accord_ahead accord_look_ahead(__local const accord_group_team* team,
                                               accord_place place, accord_place of_first) {
  accord_ahead ahead;
  ahead.place = place;
  ahead.works = accord_works(team, place);
  ahead.codes = 0;
  ahead.hmm_scale = ahead.pf_scale = 0;
  const int is_first_pass = of_first.strip == 0;
  const int nothing = !accord_works(team, of_first) || (is_first_pass && team->band.first_of_sweep);
  ahead.border = accord_fetch_border(team, nothing,
                                     is_first_pass ? team->band.read_slot : team->band.write_slot,
                                     nothing ? 0 : of_first.tile_row);
  if (!ahead.works) return ahead;
  const int backward = team->sweep.backward, forward_row = accord_forward_tile_row(team, place);
  ahead.codes =
      accord_tile_codes(team, team->w.row_codes, team->w.row_tiles, backward)[place.tile_row];
  __global const float4* opening =
      (__global const float4*)(team->memory + team->w.row_opening) + 2 * forward_row;
  ahead.opening[0] = opening[0];
  ahead.opening[1] = opening[1];
  if (place.tile_row == 0) {
    ahead.columns = accord_fetch_columns(team, accord_tile_column(team, place));
  }
  if (backward) {
    __global const int* scale =
        accord_match_scale(team, accord_forward_strip(team, place), forward_row);
    ahead.hmm_scale = scale[0];
    ahead.pf_scale = scale[accord_band_tiles(team)];
  }
  return ahead;
}

// Whether the border of the matrix goes through an item's tile.
ACCORD_FUNCTION int accord_touches_border(__local const accord_group_team* team,
                                          const accord_ahead* ahead) {
  return ahead->works &&
         (ahead->place.tile_row == team->sweep.border_row / ACCORD_TILE ||
          accord_tile_column(team, ahead->place) == team->sweep.border_column / ACCORD_TILE);
}

// An item puts the openings of its tile's rows into local memory.
ACCORD_FUNCTION void accord_put_openings(__local accord_group_local* local_,
                                         const float4* opening) {
  float of_row[ACCORD_TILE];
  vstore4(opening[0], 0, of_row);
  vstore4(opening[1], 1, of_row);
  ACCORD_UNROLL
  for (int r = 0; r < ACCORD_TILE; ++r) local_->row_opening[r][get_local_id(0)] = of_row[r];
}

#endif
