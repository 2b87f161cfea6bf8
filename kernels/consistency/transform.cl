// SPDX-License-Identifier: Apache-2.0
// One round of the weighted consistency transform (consistency/transform.h). One work-item computes
// a row of a pair, or several items take turns with the tiles of the row: an unsure row has cells
// in dozens of tiles, and if there are few rows, a launch waits for the longest one.
//
// A tile list (consistency/tile_lists.cl) holds, for 8 residues of a sequence x, the posterior
// cells with the intermediates, as dense tiles (z, K) of 8 residues of x and 8 of z, in increasing
// order. For the cells of row i of a pair in 8 columns J, the kernel adds up the products X[i][k]
// Y[j][k] over the tiles (z, K) in the lists of both x and y, in the order of (z, K, k). Absent
// cells are 0, and adding them is exact. Dense tiles need several times the multiplications of a
// sparse product, but no search; neighbouring work-items have rows of the same tile and read the
// same lines.
#include "consistency/parts.h"
#include "consistency/transform.h"

// Reads row `row` of a tile as fractions.
ACCORD_FUNCTION void accord_read_row(__global const ushort* tile, uint row, float* value) {
  const uint4 packed = ((__global const uint4*)tile)[row];
  value[0] = accord_fraction(packed.x & 0xffffu);
  value[1] = accord_fraction(packed.x >> 16);
  value[2] = accord_fraction(packed.y & 0xffffu);
  value[3] = accord_fraction(packed.y >> 16);
  value[4] = accord_fraction(packed.z & 0xffffu);
  value[5] = accord_fraction(packed.z >> 16);
  value[6] = accord_fraction(packed.w & 0xffffu);
  value[7] = accord_fraction(packed.w >> 16);
}

// Adds the product of row `row` of x's tile and all of y's tile, both for the same (z, K).
ACCORD_FUNCTION void accord_add_tile(float sum[ACCORD_TILE], __global const ushort* x_tile,
                                     uint row, __global const ushort* y_tile, float weight) {
  float x[ACCORD_TILE];
  accord_read_row(x_tile, row, x);
  ACCORD_UNROLL
  for (int k = 0; k < ACCORD_TILE; ++k) x[k] = accord_consistency_weighted(weight, x[k]);
  ACCORD_UNROLL
  for (int j = 0; j < ACCORD_TILE; ++j) {
    float y[ACCORD_TILE];
    accord_read_row(y_tile, (uint)j, y);
    ACCORD_UNROLL
    for (int k = 0; k < ACCORD_TILE; ++k) sum[j] = accord_consistency_add(sum[j], x[k], y[k]);
  }
}

// packed: for each row of all pairs, the offset of its packed cells, and at the end their number;
// then the packed cells. transformed: the new units of each packed cell, 0 for a filler.
__kernel void consistency_rows(__global const accord_consistency_pair* pairs, uint pair_count,
                               __global const uint* packed, uint row_count,
                               __global const uint* list_begin, __global const uint* list_tile,
                               __global const ushort* list_units, __global const float* tile_weight,
                               float cutoff, __global ushort* transformed) {
  const uint row = (uint)get_global_id(0);
  const uint part = (uint)get_global_id(1), parts = (uint)get_global_size(1);
  if (row >= row_count) return;
  const accord_consistency_pair pair = pairs[accord_find_part(
      (__global const uint*)pairs, sizeof(accord_consistency_pair) / 4, pair_count, row)];
  const uint i = row - pair.first_row;
  const uint list_x = pair.list_x + i / ACCORD_TILE, row_of_x = i % ACCORD_TILE;
  const uint x_begin = list_begin[list_x], x_end = list_begin[list_x + 1];
  const uint end = packed[row + 1];
  __global const uint* const cells = packed + row_count + 1;

  uint column = 0;        // column of the last cell
  uint passes_by = part;  // tiles left before the next one for this item
  for (uint first = packed[row], last = first; first < end; first = last) {
    // Cells `first` to `last` - 1 are in the same tile.
    const uint before = column, tile = (before + ACCORD_CELL_STEP(cells[first])) / ACCORD_TILE;
    uint kept = 0;  // 0 if an earlier round dropped all of them
    float sum[ACCORD_TILE];
    ACCORD_UNROLL
    for (uint j = 0; j < ACCORD_TILE; ++j) sum[j] = 0.0f;
    for (; last < end; ++last) {
      const uint cell = cells[last], at = column + ACCORD_CELL_STEP(cell);
      if (at / ACCORD_TILE != tile) break;
      column = at;
      kept |= ACCORD_CELL_UNITS(cell);
      // Selected by comparison, since an indexed array would not stay in registers.
      const float start = accord_consistency_start(pair.self, ACCORD_CELL_UNITS(cell));
      ACCORD_UNROLL
      for (uint j = 0; j < ACCORD_TILE; ++j) {
        if (at % ACCORD_TILE == j) sum[j] = start;
      }
    }
    if (passes_by > 0) {
      --passes_by;
      continue;
    }
    passes_by = parts - 1;

    uint a = x_begin, b = list_begin[pair.list_y + tile];
    const uint b_end = kept == 0 ? b : list_begin[pair.list_y + tile + 1];
    for (;;) {
      // Finds the next tile that is in both lists. The product is outside this inner loop, so that
      // work-items that find their tiles at different times multiply together.
      uint tile_a = 0, tile_b = 1;
      while (a < x_end && b < b_end) {
        tile_a = list_tile[a];
        tile_b = list_tile[b];
        if (tile_a == tile_b) break;
        a += tile_a < tile_b;
        b += tile_b < tile_a;
      }
      if (tile_a != tile_b) break;
      accord_add_tile(sum, list_units + (ulong)a * (ACCORD_TILE * ACCORD_TILE), row_of_x,
                      list_units + (ulong)b * (ACCORD_TILE * ACCORD_TILE), tile_weight[tile_a]);
      ++a;
      ++b;
    }

    uint at = before;
    for (uint c = first; c < last; ++c) {
      const uint cell = cells[c];
      at += ACCORD_CELL_STEP(cell);
      float found = 0.0f;
      ACCORD_UNROLL
      for (uint j = 0; j < ACCORD_TILE; ++j) {
        if (at % ACCORD_TILE == j) found = sum[j];
      }
      transformed[c] = (ushort)(ACCORD_CELL_UNITS(cell) == 0
                                    ? 0u
                                    : accord_consistency_finish(found, pair.inverse_total, cutoff));
    }
  }
}

// Replaces the units of the `count` packed cells by their new units for the next round.
__kernel void take_units(__global uint* packed, uint row_count, uint count,
                         __global const ushort* transformed) {
  const uint c = (uint)get_global_id(0);
  if (c >= count) return;
  __global uint* const cell = packed + row_count + 1 + c;
  *cell = ACCORD_CELL(ACCORD_CELL_STEP(*cell), (uint)transformed[c]);
}
