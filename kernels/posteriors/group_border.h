// SPDX-License-Identifier: Apache-2.0
// Borders in the group layout: the last item of a team leaves them in global memory, and the first
// item reads them in the next pass or band. OpenCL C only.
#ifndef ACCORD_KERNELS_POSTERIORS_GROUP_BORDER_H
#define ACCORD_KERNELS_POSTERIORS_GROUP_BORDER_H
#include "posteriors/group_strip.h"

// The part of the right border of a tile that one item of the team moves: ACCORD_ROWS_EACH rows or
// fewer. An item with a number below ACCORD_MODELS also moves the exponent (`scale`) and the
// largest value (`most`) of the border of one model.
#define ACCORD_ROWS_EACH ((ACCORD_TILE + ACCORD_TEAM - 1) / ACCORD_TEAM)
typedef struct accord_border_part {
  float4 value[ACCORD_ROWS_EACH][ACCORD_CARRIED / 4];
  int scale;
  float most;
} accord_border_part;

// Sets the addresses of the border slots of the band in `team`. Slot border[0] is read in the first
// pass of the band; border[1] is written in every pass, and read in the next one.
ACCORD_FUNCTION void accord_find_borders(__local accord_group_team* team,
                                         const accord_workspace* w) {
  const ulong tiles = w->row_tiles;
  ACCORD_UNROLL
  for (int k = 0; k < 2; ++k) {
    const ulong slot = k == 0 ? team->band.read_slot : team->band.write_slot;
    team->border[k] = (__global float4*)(team->memory + w->border) +
                      slot * tiles * (ACCORD_TILE * ACCORD_CARRIED / 4);
    team->border_scale[k] =
        (__global int*)team->memory + w->border_scale + ACCORD_MODELS * slot * tiles;
  }
  team->border_most = (int)(w->border_most - w->border_scale);
}

// Reads the right border of a tile in `tile_row` from border slot 0 or 1. All items of a team call
// it; each returns its part. If `nothing` lies to the left, the values of the part are 0, and its
// exponent is ACCORD_NO_EXPONENT.
ACCORD_FUNCTION accord_border_part accord_fetch_border(__local const accord_group_team* team,
                                                       int nothing, int slot, int tile_row) {
  const int item = accord_team_item();
  accord_border_part part;
  ACCORD_UNROLL
  for (int k = 0; k < ACCORD_ROWS_EACH; ++k) {
    ACCORD_UNROLL
    for (int v = 0; v < ACCORD_CARRIED / 4; ++v) part.value[k][v] = (float4)(0.0f);
  }
  part.scale = ACCORD_NO_EXPONENT;
  part.most = 0.0f;
  if (nothing) return part;
  __global const float4* rows = team->border[slot] + tile_row * (ACCORD_TILE * ACCORD_CARRIED / 4);
  ACCORD_UNROLL
  for (int k = 0; k < ACCORD_ROWS_EACH; ++k) {
    const int row = k * ACCORD_TEAM + item;
    if (row >= ACCORD_TILE) continue;
    ACCORD_UNROLL
    for (int v = 0; v < ACCORD_CARRIED / 4; ++v) {
      part.value[k][v] = rows[row * (ACCORD_CARRIED / 4) + v];
    }
  }
  if (item < ACCORD_MODELS) {
    __global const int* scale = team->border_scale[slot] + ACCORD_MODELS * tile_row + item;
    part.scale = scale[0];
    part.most = as_float(scale[team->border_most]);
  }
  return part;
}

// Writes the border to a column of local memory. All items of a team call it with their parts.
ACCORD_FUNCTION void accord_put_border(__local accord_group_local* local_, int column,
                                       const accord_border_part* part) {
  const int item = accord_team_item();
  ACCORD_UNROLL
  for (int k = 0; k < ACCORD_ROWS_EACH; ++k) {
    const int row = k * ACCORD_TEAM + item;
    if (row >= ACCORD_TILE) continue;
    ACCORD_UNROLL
    for (int v = 0; v < ACCORD_CARRIED / 4; ++v) {
      const float4 value = part->value[k][v];
      __local float* to = &local_->tile_border[row][4 * v][column];
      to[0] = value.x;
      to[ACCORD_TILE_BORDERS] = value.y;
      to[2 * ACCORD_TILE_BORDERS] = value.z;
      to[3 * ACCORD_TILE_BORDERS] = value.w;
    }
  }
  if (item < ACCORD_MODELS) {
    local_->tile_border_scale[item][column] = part->scale;
    local_->tile_border_most[item][column] = part->most;
  }
}

// Copies the border in a column of local memory to the slot for writing. All items of a team call
// it. Each item writes the rows that it fetches, so that it reads only values that it wrote itself.
ACCORD_FUNCTION void accord_leave_border(__local const accord_group_local* local_,
                                         __local const accord_group_team* team, int column,
                                         int tile_row) {
  const int item = accord_team_item();
  __global float4* rows = team->border[1] + tile_row * (ACCORD_TILE * ACCORD_CARRIED / 4);
  for (int row = item; row < ACCORD_TILE; row += ACCORD_TEAM) {
    ACCORD_UNROLL
    for (int v = 0; v < ACCORD_CARRIED / 4; ++v) {
      __local const float* from = &local_->tile_border[row][4 * v][column];
      rows[row * (ACCORD_CARRIED / 4) + v] =
          (float4)(from[0], from[ACCORD_TILE_BORDERS], from[2 * ACCORD_TILE_BORDERS],
                   from[3 * ACCORD_TILE_BORDERS]);
    }
  }
  if (item < ACCORD_MODELS) {
    __global int* scale = team->border_scale[1] + ACCORD_MODELS * tile_row + item;
    scale[0] = local_->tile_border_scale[item][column];
    scale[team->border_most] = as_int(local_->tile_border_most[item][column]);
  }
}

#endif
