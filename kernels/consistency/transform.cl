// SPDX-License-Identifier: Apache-2.0
// One round of the weighted consistency transform (consistency/transform.h). One work-item computes
// a row of a pair, or several items take turns with the windows of the row.
//
// For the cells of row i in a window of ACCORD_WINDOW columns, the kernel goes through the cells
// (i, k) of the cell rows of x with each intermediate z (consistency/cell_rows.cl), and through the
// cells (k, j) of row k of z with y, and adds each product to the sum of column j: a sparse product
// by rows (Gustavson 1978, ACM Trans Math Softw 4:250). So the terms of a cell are added in
// increasing order of (z, k). Neighbouring work-items read neighbouring rows.
#include "consistency/cell_rows.h"
#include "consistency/parts.h"
#include "consistency/transform.h"

// The columns of a window, whose sums a work-item has in local memory, and the items of a group.
#ifndef ACCORD_WINDOW
#define ACCORD_WINDOW 32
#endif
#define ACCORD_ROW_ITEMS 64

// The sums of the columns of a window for each item of a group; last, terms of other columns.
typedef float accord_sums[ACCORD_WINDOW + 1][ACCORD_ROW_ITEMS];

// Adds the terms of a cell row: weighted times its cells, from place `at` to `end`.
// start: the first column of the window.
ACCORD_FUNCTION void accord_add_row(__local accord_sums* sums, uint item, uint start,
                                    float weighted, __global const uint* cells, uint at, uint end) {
  uint column = 0 - start;  // of the last cell, in the window
  for (; at < end; at += ACCORD_CELL_BLOCK) {
    const uint4 cell = ((__global const uint4*)cells)[at / ACCORD_CELL_BLOCK];
    uint4 place;
    place.x = column + ACCORD_CELL_STEP(cell.x);
    place.y = place.x + ACCORD_CELL_STEP(cell.y);
    place.z = place.y + ACCORD_CELL_STEP(cell.z);
    place.w = place.z + ACCORD_CELL_STEP(cell.w);
    column = place.w;
    place = min(place, (uint4)(ACCORD_WINDOW));
    // All sums can be read before the first is written: cells of a row have different columns, but
    // for a cell of 0 units, which changes no sum, before one of the same column.
    const float4 sum = (float4)((*sums)[place.x][item], (*sums)[place.y][item],
                                (*sums)[place.z][item], (*sums)[place.w][item]);
    (*sums)[place.x][item] =
        accord_consistency_add(sum.x, weighted, accord_fraction(ACCORD_CELL_UNITS(cell.x)));
    (*sums)[place.y][item] =
        accord_consistency_add(sum.y, weighted, accord_fraction(ACCORD_CELL_UNITS(cell.y)));
    (*sums)[place.z][item] =
        accord_consistency_add(sum.z, weighted, accord_fraction(ACCORD_CELL_UNITS(cell.z)));
    (*sums)[place.w][item] =
        accord_consistency_add(sum.w, weighted, accord_fraction(ACCORD_CELL_UNITS(cell.w)));
  }
}

// Adds the terms of row i of x through one intermediate z. x_row, z_row: the cell rows of residue 0
// of x with z, and of residue 0 of z with y.
ACCORD_FUNCTION void accord_add_intermediate(__local accord_sums* sums, uint item, uint start,
                                             float weight, __global const uint* row_end,
                                             __global const uint* cells, uint x_row, uint z_row) {
  uint k = 0;
  for (uint at = accord_row_begin(row_end, x_row), end = row_end[x_row + 1]; at < end;
       at += ACCORD_CELL_BLOCK) {
    uint4 block = ((__global const uint4*)cells)[at / ACCORD_CELL_BLOCK];
    ACCORD_UNROLL
    for (uint c = 0; c < ACCORD_CELL_BLOCK; ++c) {
      const uint units = ACCORD_CELL_UNITS(block.x);
      k += ACCORD_CELL_STEP(block.x);
      block = block.yzwx;
      if (units == 0) continue;
      accord_add_row(sums, item, start, accord_consistency_weighted(weight, accord_fraction(units)),
                     cells, accord_row_begin(row_end, z_row + k), row_end[z_row + k + 1]);
    }
  }
}

// packed: for each row of all pairs, the offset of its packed cells, and at the end their number;
// then the packed cells. first_row: for each sequence and intermediate z, the numbers of the cell
// row of residue 0 of the sequence with z, and of residue 0 of z with the sequence, or ACCORD_NONE.
// weight: of each intermediate. transformed: the new units of each packed cell, 0 for a filler.
__kernel __attribute__((reqd_work_group_size(ACCORD_ROW_ITEMS, 1, 1))) void consistency_rows(
    __global const accord_consistency_pair* pairs, uint pair_count, __global const uint* packed,
    uint row_count, __global const uint2* first_row, __global const float* weight,
    uint intermediates, __global const uint* row_end, __global const uint* row_cells, float cutoff,
    __global ushort* transformed) {
  __local accord_sums sums;
  const uint item = (uint)get_local_id(0);
  const uint row = (uint)get_global_id(0);
  const uint part = (uint)get_global_id(1), parts = (uint)get_global_size(1);
  if (row >= row_count) return;
  const accord_consistency_pair pair = pairs[accord_find_part(
      (__global const uint*)pairs, sizeof(accord_consistency_pair) / 4, pair_count, row)];
  const uint i = row - pair.first_row;
  __global const uint2* const first_of_x = first_row + (ulong)pair.sequence_x * intermediates;
  __global const uint2* const first_of_y = first_row + (ulong)pair.sequence_y * intermediates;
  const uint end = packed[row + 1];
  __global const uint* const cells = packed + row_count + 1;

  // Terms of columns without a cell are added to their sums, too; no result reads these sums.
  for (uint w = 0; w <= ACCORD_WINDOW; ++w) sums[w][item] = 0.0f;
  uint column = 0;        // column of the last cell
  uint passes_by = part;  // windows left before the next one for this item
  for (uint first = packed[row], last = first; first < end; first = last) {
    // Cells `first` to `last` - 1 are in the window.
    const uint before = column, start = before + ACCORD_CELL_STEP(cells[first]);
    uint kept = 0;  // 0 if an earlier round dropped all of them
    for (; last < end; ++last) {
      const uint cell = cells[last], at = column + ACCORD_CELL_STEP(cell);
      if (at - start >= ACCORD_WINDOW) break;
      column = at;
      kept |= ACCORD_CELL_UNITS(cell);
      sums[at - start][item] = accord_consistency_start(pair.self, ACCORD_CELL_UNITS(cell));
    }
    if (passes_by > 0) {
      --passes_by;
      continue;
    }
    passes_by = parts - 1;

    for (uint z = 0; z < (kept == 0 ? 0 : intermediates); ++z) {
      const uint x_row = first_of_x[z].x, z_row = first_of_y[z].y;
      if (x_row == ACCORD_NONE || z_row == ACCORD_NONE) continue;
      accord_add_intermediate(&sums, item, start, weight[z], row_end, row_cells, x_row + i, z_row);
    }

    uint at = before;
    for (uint c = first; c < last; ++c) {
      const uint units = ACCORD_CELL_UNITS(cells[c]);
      at += ACCORD_CELL_STEP(cells[c]);
      transformed[c] = (ushort)(units == 0 ? 0u
                                           : accord_consistency_finish(sums[at - start][item],
                                                                       pair.inverse_total, cutoff));
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
