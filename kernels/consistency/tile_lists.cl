// SPDX-License-Identifier: Apache-2.0
// Makes the tile lists of the consistency transform (consistency/transform.cl) from packed cells.
//
// A tile (a, b) of the matrix (x, y) has 8 rows and 8 columns with at least one cell. If y is an
// intermediate, the tile is an entry of list a of x, as (z, K) = (y, b). If x is an intermediate,
// the transposed tile is an entry of list b of y, as (x, a). The entries of a list with the same z
// form a segment. Segments are numbered by z, then by list. A work-item handles the tiles of one
// strip, which is 8 rows. There are four launches:
//
//   count_tiles   counts the entries of each segment, from 0 (clear_counts) on;
//   place_tiles   for each list, computes the offsets of its segments from the counts;
//   number_tiles  writes the K of each segment as a draft, in any order, since strips run in any
//                 order;
//   fill_tiles    writes each tile to the place of its K in the order of its segment.
//
// All entries of a segment come from one matrix, so that chunks of matrices are independent.
#include "consistency/parts.h"
#include "shared/layout.h"

// A walk over the tiles of a strip from left to right. Arrays over the rows are indexed by
// constants only, so that they stay in registers.
typedef struct accord_walk {
  accord_tile_matrix matrix;
  uint a;  // number of the strip in the matrix
  __global const uint* cells;
  uint at[ACCORD_TILE];      // for each row: its next packed cell,
  uint end[ACCORD_TILE];     // the end of the row,
  uint column[ACCORD_TILE];  // column of that cell; ACCORD_NONE at the end
} accord_walk;

// Advances row r from packed cell at[r] to the next cell that is not a filler. column[r] is the
// column of the cell before at[r], and becomes that of the found cell.
ACCORD_FUNCTION void accord_find_cell(accord_walk* walk, int r) {
  uint at = walk->at[r], column = walk->column[r], units = 0;
  for (; at < walk->end[r]; ++at) {
    const uint cell = walk->cells[at];
    column += ACCORD_CELL_STEP(cell);
    units = ACCORD_CELL_UNITS(cell);
    if (units != 0) break;
  }
  walk->at[r] = at;
  walk->column[r] = units != 0 ? column : ACCORD_NONE;
}

ACCORD_FUNCTION void accord_next_cell(accord_walk* walk, int r) {
  ++walk->at[r];
  accord_find_cell(walk, r);
}

// Begins a walk at strip `item` of all matrices. packed: as in consistency_rows.
ACCORD_FUNCTION void accord_begin_walk(accord_walk* walk,
                                       __global const accord_tile_matrix* matrices,
                                       uint matrix_count, __global const uint* packed,
                                       uint row_count, uint item) {
  walk->matrix = matrices[accord_find_part((__global const uint*)matrices,
                                           sizeof(accord_tile_matrix) / 4, matrix_count, item)];
  walk->a = item - walk->matrix.first_strip;
  walk->cells = packed + row_count + 1;
  const uint first = ACCORD_TILE * walk->a, rows = walk->matrix.rows - first;
  packed += walk->matrix.first_row + first;
  ACCORD_UNROLL
  for (int r = 0; r < ACCORD_TILE; ++r) {
    const bool is_row = (uint)r < rows;
    walk->at[r] = is_row ? packed[r] : 0;
    walk->end[r] = is_row ? packed[r + 1] : 0;
    walk->column[r] = 0;
    accord_find_cell(walk, r);
  }
}

// The column of the next tile, in tiles; ACCORD_NO_TILE if there is none.
ACCORD_FUNCTION uint accord_next_tile(const accord_walk* walk) {
  uint column = walk->column[0];
  ACCORD_UNROLL
  for (int r = 1; r < ACCORD_TILE; ++r) column = min(column, walk->column[r]);
  return column / ACCORD_TILE;
}

#define ACCORD_NO_TILE (ACCORD_NONE / ACCORD_TILE)

ACCORD_FUNCTION void accord_pass_tile(accord_walk* walk, uint b) {
  ACCORD_UNROLL
  for (int r = 0; r < ACCORD_TILE; ++r) {
    while (walk->column[r] / ACCORD_TILE == b) accord_next_cell(walk, r);
  }
}

// left: for each segment, the number of entries without a place.
__kernel void clear_counts(__global uint* left, uint count) {
  if (get_global_id(0) < count) left[get_global_id(0)] = 0;
}

__kernel void count_tiles(__global const accord_tile_matrix* matrices, uint matrix_count,
                          uint strip_count, __global const uint* packed, uint row_count,
                          uint list_count, volatile __global uint* left) {
  const uint item = (uint)get_global_id(0);
  if (item >= strip_count) return;
  accord_walk walk;
  accord_begin_walk(&walk, matrices, matrix_count, packed, row_count, item);
  const accord_tile_matrix of = walk.matrix;
  for (uint b = accord_next_tile(&walk); b != ACCORD_NO_TILE; b = accord_next_tile(&walk)) {
    if (of.list_x != ACCORD_NONE) atomic_inc(left + of.place_y * list_count + of.list_x + walk.a);
    if (of.list_y != ACCORD_NONE) atomic_inc(left + of.place_x * list_count + of.list_y + b);
    accord_pass_tile(&walk, b);
  }
}

// offset: for each segment, its offset in its list; behind the last intermediate, the number of
// entries of each list.
__kernel void place_tiles(__global const uint* left, uint list_count, uint place_count,
                          __global uint* offset) {
  const uint list = (uint)get_global_id(0);
  if (list >= list_count) return;
  uint sum = 0;
  for (uint place = 0; place < place_count; ++place) {
    const uint segment = place * list_count + list;
    offset[segment] = sum;
    sum += left[segment];
  }
  offset[place_count * list_count + list] = sum;
}

ACCORD_FUNCTION void accord_number_tile(uint list, uint place, uint list_count, uint number,
                                        __global const uint* list_begin,
                                        __global const uint* offset, volatile __global uint* left,
                                        __global uint* draft) {
  const uint segment = place * list_count + list;
  draft[list_begin[list] + offset[segment] + atomic_dec(left + segment) - 1] = number;
}

__kernel void number_tiles(__global const accord_tile_matrix* matrices, uint matrix_count,
                           uint strip_count, __global const uint* packed, uint row_count,
                           uint list_count, volatile __global uint* left,
                           __global const uint* list_begin, __global const uint* offset,
                           __global uint* draft) {
  const uint item = (uint)get_global_id(0);
  if (item >= strip_count) return;
  accord_walk walk;
  accord_begin_walk(&walk, matrices, matrix_count, packed, row_count, item);
  const accord_tile_matrix of = walk.matrix;
  for (uint b = accord_next_tile(&walk); b != ACCORD_NO_TILE; b = accord_next_tile(&walk)) {
    if (of.list_x != ACCORD_NONE) {
      accord_number_tile(of.list_x + walk.a, of.place_y, list_count, of.tile_y + b, list_begin,
                         offset, left, draft);
    }
    if (of.list_y != ACCORD_NONE) {
      accord_number_tile(of.list_y + b, of.place_x, list_count, of.tile_x + walk.a, list_begin,
                         offset, left, draft);
    }
    accord_pass_tile(&walk, b);
  }
}

// Clears the tile with a number at its place in its segment, and returns its cells.
ACCORD_FUNCTION __global ushort* accord_clear_tile(uint list, uint place, uint list_count,
                                                   uint number, __global const uint* list_begin,
                                                   __global const uint* offset,
                                                   __global const uint* draft,
                                                   __global uint* list_tile,
                                                   __global ushort* list_units) {
  const uint segment = place * list_count + list;
  const uint begin = list_begin[list] + offset[segment];
  const uint end = list_begin[list] + offset[segment + list_count];
  uint at = begin;
  for (uint k = begin; k < end; ++k) at += draft[k] < number;
  list_tile[at] = number;
  __global ushort* const tile = list_units + (ulong)at * (ACCORD_TILE * ACCORD_TILE);
  ACCORD_UNROLL
  for (int r = 0; r < ACCORD_TILE; ++r) ((__global uint4*)tile)[r] = (uint4)(0);
  return tile;
}

__kernel void fill_tiles(__global const accord_tile_matrix* matrices, uint matrix_count,
                         uint strip_count, __global const uint* packed, uint row_count,
                         uint list_count, __global const uint* list_begin,
                         __global const uint* offset, __global const uint* draft,
                         __global uint* list_tile, __global ushort* list_units) {
  const uint item = (uint)get_global_id(0);
  if (item >= strip_count) return;
  accord_walk walk;
  accord_begin_walk(&walk, matrices, matrix_count, packed, row_count, item);
  const accord_tile_matrix of = walk.matrix;
  const bool to_x = of.list_x != ACCORD_NONE, to_y = of.list_y != ACCORD_NONE;
  for (uint b = accord_next_tile(&walk); b != ACCORD_NO_TILE; b = accord_next_tile(&walk)) {
    __global ushort *of_x = list_units, *of_y = list_units;
    if (to_x) {
      of_x = accord_clear_tile(of.list_x + walk.a, of.place_y, list_count, of.tile_y + b,
                               list_begin, offset, draft, list_tile, list_units);
    }
    if (to_y) {
      of_y = accord_clear_tile(of.list_y + b, of.place_x, list_count, of.tile_x + walk.a,
                               list_begin, offset, draft, list_tile, list_units);
    }
    ACCORD_UNROLL
    for (int r = 0; r < ACCORD_TILE; ++r) {
      while (walk.column[r] / ACCORD_TILE == b) {
        const uint column = walk.column[r] % ACCORD_TILE;
        const ushort units = (ushort)ACCORD_CELL_UNITS(walk.cells[walk.at[r]]);
        if (to_x) of_x[ACCORD_TILE * r + column] = units;
        if (to_y) of_y[ACCORD_TILE * column + r] = units;
        accord_next_cell(&walk, r);
      }
    }
  }
}
