// SPDX-License-Identifier: Apache-2.0
// The walk of the group layout: the place of an item, the borders that the item leaves for other
// items, and the data that it requests a step ahead. OpenCL C only.
#ifndef ACCORD_KERNELS_POSTERIORS_GROUP_WALK_H
#define ACCORD_KERNELS_POSTERIORS_GROUP_WALK_H
#include "posteriors/group_border.h"
#include "posteriors/group_match.h"

// The place of an item in the walk over a band. In a pass, each item of a team walks down one
// strip, a tile row in each step, one step behind the item on its left.
typedef struct accord_place {
  int tile_row;  // in the pass; negative before the item begins
  int strip;     // in the order of the sweep, from the band's first strip
} accord_place;

// The place of an item in the first step.
ACCORD_FUNCTION accord_place accord_first_place(int item) {
  accord_place place;
  place.tile_row = -item;
  place.strip = item;
  return place;
}

// The place of an item in the step after `place`.
ACCORD_FUNCTION accord_place accord_next_place(__local const accord_group_team* team,
                                               accord_place place) {
  place.tile_row += 1;
  if (place.tile_row == team->pass_steps) {
    place.tile_row = 0;
    place.strip += ACCORD_TEAM;
  }
  return place;
}

// Whether the item has a tile at a place.
ACCORD_FUNCTION int accord_works(__local const accord_group_team* team, accord_place place) {
  return place.tile_row >= 0 && place.tile_row < team->row_tiles && place.strip < team->tiles;
}

// The column of `tile_border` (accord_group_local) that belongs to the first item of the team in a
// step. A team has ACCORD_TEAM + 1 successive columns. In each step all items move one column back,
// cyclically, so that an item finds in its column the border that the item on its left wrote in the
// step before.
ACCORD_FUNCTION int accord_first_column(int step) {
  const uint columns = ACCORD_TEAM + 1;
  return accord_team_number() * (ACCORD_TEAM + 1) +
         (int)((columns - (uint)step % columns) % columns);
}

// The column `items` behind another column of the team, cyclically.
ACCORD_FUNCTION int accord_column_behind(int column, int items) {
  const int end = (accord_team_number() + 1) * (ACCORD_TEAM + 1);
  const int behind = column + items;
  return behind < end ? behind : behind - (ACCORD_TEAM + 1);
}

// Writes to global memory the right borders that the team computed in the step before: the border
// of the last item, and the border of the band's last strip. `of_first` and `first_column` are the
// place and the column of the first item in this step.
ACCORD_FUNCTION void accord_leave_borders(__local const accord_group_local* local_,
                                          __local const accord_group_team* team,
                                          accord_place of_first, int first_column) {
  ACCORD_UNROLL
  for (int k = 0; k < 2; ++k) {
    const int of = team->ends[k];
    int tile_row = of_first.tile_row - 1 - of, strip = of_first.strip + of;
    if (tile_row < 0) {
      tile_row += team->pass_steps;
      strip -= ACCORD_TEAM;
    }
    const int ended = strip >= 0 && tile_row < team->row_tiles &&
                      (k == 0 ? strip < team->tiles : strip == team->tiles - 1);
    if (ended && (k == 0 || of < ACCORD_TEAM - 1)) {
      accord_leave_border(local_, team, accord_column_behind(first_column, of + 1), tile_row);
    }
  }
}

// The data in global memory that an item needs for its tile in a step. They are requested a step
// ahead, so that they have arrived when needed.
typedef struct accord_ahead {
  accord_place place;
  int works;                  // whether the item has a tile at this place
  ulong codes;                // of the tile's residues of x, 8 bits each
  float4 opening[2];          // factors of opening a gap behind the 8 rows, forward
  accord_match_tile match;    // place of M of the forward sweep
  int hmm_packed, pf_packed;  // backward: see accord_pack_scale
  accord_border_part border;  // this item's share of the left border of the first item's tile
} accord_ahead;

// The strip and the tile row of a place in the forward order; strips count from the band's first.
ACCORD_FUNCTION int accord_forward_strip(__local const accord_group_team* team,
                                         accord_place place) {
  return team->sweep.backward ? team->tiles - 1 - place.strip : place.strip;
}
ACCORD_FUNCTION int accord_forward_tile_row(__local const accord_group_team* team,
                                            accord_place place) {
  return team->sweep.backward ? team->row_tiles - 1 - place.tile_row : place.tile_row;
}

// The tile column of a place, counted over the whole matrix in the order of the sweep.
ACCORD_FUNCTION int accord_tile_column(__local const accord_group_team* team, accord_place place) {
  const int forward = team->band.first_tile + accord_forward_strip(team, place);
  return team->sweep.backward ? team->col_tiles - 1 - forward : forward;
}

// Requests the data for the place of an item; `of_first` is the place of its team's first item.
ACCORD_FUNCTION accord_ahead accord_look_ahead(__local const accord_group_team* team,
                                               accord_place place, accord_place of_first) {
  accord_ahead ahead;
  ahead.place = place;
  ahead.works = accord_works(team, place);
  ahead.hmm_packed = ahead.pf_packed = 0;
  const int is_first_pass = of_first.strip == 0;
  const int nothing = !accord_works(team, of_first) || (is_first_pass && team->band.first_of_sweep);
  ahead.border = accord_fetch_border(team, nothing, is_first_pass ? 0 : 1, of_first.tile_row);
  if (!ahead.works) return ahead;
  const int backward = team->sweep.backward, forward_row = accord_forward_tile_row(team, place);
  ahead.codes = ((__global const ulong*)team->row_codes[backward])[place.tile_row];
  __global const float4* opening = (__global const float4*)team->row_opening + 2 * forward_row;
  ahead.opening[0] = opening[0];
  ahead.opening[1] = opening[1];
  ahead.match = accord_match_tile_at(team, accord_forward_strip(team, place), forward_row);
  if (backward) {
    __global const int* scale = accord_match_scale(team, ahead.match);
    ahead.hmm_packed = scale[0];
    ahead.pf_packed = scale[ahead.match.width];
  }
  return ahead;
}

// The bits of the matrix borders that are in an item's tile: ACCORD_BORDER_ROW for the border row,
// ACCORD_BORDER_COLUMN for the border column; 0 if the item has no tile.
#define ACCORD_BORDER_ROW 1u
#define ACCORD_BORDER_COLUMN 2u
ACCORD_FUNCTION uint accord_borders(__local const accord_group_team* team,
                                    const accord_ahead* ahead) {
  if (!ahead->works) return 0;
  const int row = team->sweep.border_row / ACCORD_TILE;
  const int column = team->sweep.border_column / ACCORD_TILE;
  return (ahead->place.tile_row == row ? ACCORD_BORDER_ROW : 0u) |
         (accord_tile_column(team, ahead->place) == column ? ACCORD_BORDER_COLUMN : 0u);
}

// Stores in local memory the factors of opening a gap behind the 8 rows of an item's tile.
ACCORD_FUNCTION void accord_put_openings(__local accord_group_local* local_,
                                         const float4* opening) {
  float of_row[ACCORD_TILE];
  vstore4(opening[0], 0, of_row);
  vstore4(opening[1], 1, of_row);
  ACCORD_UNROLL
  for (int r = 0; r < ACCORD_TILE; ++r) local_->row_opening[r][get_local_id(0)] = of_row[r];
}

#endif
