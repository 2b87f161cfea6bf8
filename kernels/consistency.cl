// SPDX-License-Identifier: Apache-2.0
// One round of the weighted consistency transform (shared/consistency.h) on tiles of 8 x 8 cells.
//
// A tile list holds, for 8 residues of a sequence x, the posterior cells against all z as dense
// tiles (z, K) of 8 residues of x and 8 of z, in increasing order. The tile of x's residues I and
// y's residues J becomes the sum over the tiles (z, K) that both lists have of the products
// X[i][k] Y[j][k], added in the order of (z, K, k). Absent cells are 0 and adding them is exact.
// Dense tiles do several times the multiplications that a sparse product needs, but without
// looking for anything: each cell is read once for 8 uses, by neighbours from the same line.
//
// ACCORD_ROWS rows of a tile are one work-item's: 1, 2, 4 or 8.
#include "shared/consistency.h"

#define ACCORD_ITEMS (ACCORD_TILE / ACCORD_ROWS)  // work-items of a tile

// Row `row` of a tile as fractions.
ACCORD_FUNCTION void accord_read_row(__global const ushort *tile, uint row, float *value) {
  const uint4 packed = ((__global const uint4 *)tile)[row];
  value[0] = accord_fraction(packed.x & 0xffffu);
  value[1] = accord_fraction(packed.x >> 16);
  value[2] = accord_fraction(packed.y & 0xffffu);
  value[3] = accord_fraction(packed.y >> 16);
  value[4] = accord_fraction(packed.z & 0xffffu);
  value[5] = accord_fraction(packed.z >> 16);
  value[6] = accord_fraction(packed.w & 0xffffu);
  value[7] = accord_fraction(packed.w >> 16);
}

// Adds the product of two tiles of the same (z, K).
ACCORD_FUNCTION void accord_add_tile(float sum[ACCORD_TILE][ACCORD_ROWS],
                                     __global const ushort *x_tile, __global const ushort *y_tile,
                                     uint first_row, float weight) {
  float x[ACCORD_TILE][ACCORD_ROWS];
  ACCORD_UNROLL
  for (int r = 0; r < ACCORD_ROWS; ++r) {
    float row[ACCORD_TILE];
    accord_read_row(x_tile, first_row + r, row);
    ACCORD_UNROLL
    for (int k = 0; k < ACCORD_TILE; ++k) x[k][r] = accord_relax_weighted(weight, row[k]);
  }
  ACCORD_UNROLL
  for (int j = 0; j < ACCORD_TILE; ++j) {
    float y[ACCORD_TILE];
    accord_read_row(y_tile, j, y);
    ACCORD_UNROLL
    for (int k = 0; k < ACCORD_TILE; ++k) {
      ACCORD_UNROLL
      for (int r = 0; r < ACCORD_ROWS; ++r) sum[j][r] = accord_relax_add(sum[j][r], x[k][r], y[k]);
    }
  }
}

// The place of `wanted` in [first, last) of an increasing list that has it.
ACCORD_FUNCTION uint accord_find_tile(__global const uint *list_tile, uint first, uint last,
                                      uint wanted) {
  while (last - first > 1) {
    const uint middle = first + (last - first) / 2;
    if (list_tile[middle] <= wanted) {
      first = middle;
    } else {
      last = middle;
    }
  }
  return first;
}

__kernel void relax_tiles(__global const accord_relax_tile *tasks, uint task_count,
                          __global const float *self, __global const float *inverse_total,
                          __global const uint *list_begin, __global const uint *list_tile,
                          __global const ushort *list_units, __global const float *tile_weight,
                          float cutoff, __global ushort *relaxed) {
  const uint task_number = (uint)get_global_id(0) / ACCORD_ITEMS;
  if (task_number >= task_count) return;
  const accord_relax_tile task = tasks[task_number];
  const uint first_row = (uint)get_global_id(0) % ACCORD_ITEMS * ACCORD_ROWS;
  uint a = list_begin[task.list_x], b = list_begin[task.list_y];
  const uint a_end = list_begin[task.list_x + 1], b_end = list_begin[task.list_y + 1];

  __global const ushort *own =
      list_units +
      (ulong)accord_find_tile(list_tile, a, a_end, task.tile) * (ACCORD_TILE * ACCORD_TILE);
  float sum[ACCORD_TILE][ACCORD_ROWS];
  ACCORD_UNROLL
  for (int r = 0; r < ACCORD_ROWS; ++r) {
    ACCORD_UNROLL
    for (int j = 0; j < ACCORD_TILE; ++j) {
      sum[j][r] = accord_relax_start(self[task.pair], own[(first_row + r) * ACCORD_TILE + j]);
    }
  }

  for (;;) {
    // On to the next tile that both lists have. The products are outside this loop so that
    // work-items of other tiles, which find theirs sooner, wait to multiply together.
    uint tile_a = 0, tile_b = 1;
    while (a < a_end && b < b_end) {
      tile_a = list_tile[a];
      tile_b = list_tile[b];
      if (tile_a == tile_b) break;
      a += tile_a < tile_b;
      b += tile_b < tile_a;
    }
    if (tile_a != tile_b) break;
    accord_add_tile(sum, list_units + (ulong)a * (ACCORD_TILE * ACCORD_TILE),
                    list_units + (ulong)b * (ACCORD_TILE * ACCORD_TILE), first_row,
                    tile_weight[tile_a]);
    ++a;
    ++b;
  }

  __global ushort *out = relaxed + (ulong)task_number * (ACCORD_TILE * ACCORD_TILE);
  ACCORD_UNROLL
  for (int r = 0; r < ACCORD_ROWS; ++r) {
    ACCORD_UNROLL
    for (int j = 0; j < ACCORD_TILE; ++j) {
      const uint place = (first_row + r) * ACCORD_TILE + j;
      out[place] =
          (ushort)(own[place] == 0
                       ? 0u
                       : accord_relax_finish(sum[j][r], inverse_total[task.pair], cutoff));
    }
  }
}
