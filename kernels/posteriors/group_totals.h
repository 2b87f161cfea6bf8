// SPDX-License-Identifier: Apache-2.0
// Totals in the group layout, which the items of a group compute together. OpenCL C only.
#ifndef ACCORD_KERNELS_POSTERIORS_GROUP_TOTALS_H
#define ACCORD_KERNELS_POSTERIORS_GROUP_TOTALS_H
#include "posteriors/group_match.h"

// The largest `number` of all items of a group. All items of the group call it together.
ACCORD_FUNCTION uint accord_most(__local accord_group_local* local_, uint number) {
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) == 0) local_->most = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_max(&local_->most, number);
  barrier(CLK_LOCAL_MEM_FENCE);
  return local_->most;
}

// Reads a total from local memory.
ACCORD_FUNCTION accord_total accord_take_total(__local const accord_group_total* from) {
  accord_total total;
  total.high = from->high;
  total.low = from->low;
  total.scale = from->scale;
  return total;
}

// The sum of 8 values of M of the partition function, in tile `band_tile` of the row of tiles
// `tile_row` of the band. If `column` is 0, the values are in row m of the matrix. Else they
// are in its last column, and the values of row m and of the rows below count as 0.
ACCORD_FUNCTION accord_total accord_pf_part(__local const accord_group_team* team, int column,
                                            int band_tile, int tile_row) {
  const accord_match_tile tile = accord_match_tile_at(team, band_tile, tile_row);
  const int scale = accord_packed_scale(accord_match_scale(team, tile)[tile.width]);
  __global const float4* pf = accord_match_rows(team, tile) + 2 * tile.width;
  float m[ACCORD_TILE];
  ACCORD_UNROLL
  for (int k = 0; k < ACCORD_TILE; ++k) {
    const int row = column ? tile_row * ACCORD_TILE + k : team->m;
    const uint c = column ? (uint)team->n % ACCORD_TILE : (uint)k;
    __global const float* four =
        (__global const float*)(pf + ((uint)row % ACCORD_TILE * 4 + c / 4) * tile.width);
    m[k] = column && row >= team->m ? 0.0f : four[c % 4];
  }
  return accord_partition_part(m, scale);
}

// Adds the parts of the first `parts` items of a team to a total, in the order of the items. All
// items of the group call it together.
ACCORD_FUNCTION void accord_add_parts(__local accord_group_local* local_,
                                      __local accord_group_total* total, int parts) {
  const int item = (int)get_local_id(0);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (accord_team_item() == 0 && parts > 0) {
    accord_total sum = accord_take_total(total);
    for (int k = 0; k < parts; ++k) {
      accord_add_part(&sum, accord_take_total(&accord_parts(local_)[item + k]));
    }
    total->high = sum.high;
    total->low = sum.low;
    total->scale = sum.scale;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
}

// Adds the last row of a band to the sums of the partition function, and in the last band the last
// column above that row, in the order of accord_partition_sums (sweep.h). All items of the group
// call it together. `wanted` is 1 if the team has a band in its first pass, else 0.
ACCORD_FUNCTION void accord_add_pf_totals(__local accord_group_local* local_,
                                          __local accord_group_team* team, int wanted) {
  const int item = (int)get_local_id(0);
  for (int column = 0; column < 2; ++column) {
    const int has = wanted && (!column || team->band.last_tile == team->col_tiles);
    const int count = !has ? 0 : column ? team->row_tiles : team->tiles;
    const int most = (int)accord_most(local_, (uint)count);
    for (int first = 0; first < most; first += ACCORD_TEAM) {
      const int k = first + accord_team_item();
      if (k < count) {
        const accord_total part = column ? accord_pf_part(team, 1, team->tiles - 1, k)
                                         : accord_pf_part(team, 0, k, team->m / ACCORD_TILE);
        accord_parts(local_)[item].high = part.high;
        accord_parts(local_)[item].low = part.low;
        accord_parts(local_)[item].scale = part.scale;
      }
      accord_add_parts(local_, column ? &team->column : &team->row,
                       clamp(count - first, 0, ACCORD_TEAM));
    }
  }
}

// Sets a total in local memory to 0.
ACCORD_FUNCTION void accord_clear_total(__local accord_group_total* total) {
  total->high = 0.0f;
  total->low = 0.0f;
  total->scale = ACCORD_NO_EXPONENT;
}

#endif
