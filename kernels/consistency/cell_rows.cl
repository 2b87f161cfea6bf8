// SPDX-License-Identifier: Apache-2.0
// Makes the cell rows of the consistency transform (consistency/transform.cl) from packed cells.
//
// The cells of a matrix (x, y) become rows of x, with columns of y, and rows of y, with columns of
// x. A cell row has packed cells, sorted by column, as a row of a packed matrix has. Cell row r has
// the places from accord_row_begin(row_end, r) to row_end[r + 1]. It begins at a multiple of
// ACCORD_CELL_BLOCK; cells of 0 units with a step of 1 fill its last block. A work-group makes the
// rows of one matrix.
#include "consistency/cell_rows.h"

// The sum of `cells` of all items of the group before this one.
ACCORD_FUNCTION uint accord_cells_before(__local uint* cells_of_item, uint cells) {
  const uint item = (uint)get_local_id(0);
  barrier(CLK_LOCAL_MEM_FENCE);
  cells_of_item[item] = cells;
  barrier(CLK_LOCAL_MEM_FENCE);
  uint before = 0;
  for (uint k = 0; k < item; ++k) before += cells_of_item[k];
  return before;
}

// Fills the last block of a row that ends at `end`.
ACCORD_FUNCTION void accord_fill_block(uint end, __global uint* cells) {
  for (; end % ACCORD_CELL_BLOCK != 0; ++end) cells[end] = ACCORD_CELL(1u, 0u);
}

// The rows of x, which are copies of rows of the matrix. Each item makes successive rows.
// begin: of each row of the matrix, in `packed`; last the end.
ACCORD_FUNCTION void accord_make_rows_of_x(const accord_cell_matrix* of, __local uint* shared,
                                           __global const uint* begin, __global const uint* packed,
                                           __global uint* row_end, __global uint* cells) {
  const uint item = (uint)get_local_id(0);
  const uint each = (of->rows + ACCORD_CELL_ITEMS - 1) / ACCORD_CELL_ITEMS;
  const uint first = min(item * each, of->rows), last = min(first + each, of->rows);
  uint count = 0;
  for (uint i = first; i < last; ++i) count += accord_whole_blocks(begin[i + 1] - begin[i]);
  uint at = of->cell_of_x + accord_cells_before(shared, count);
  if (item == 0) row_end[of->row_of_x] = at;
  for (uint i = first; i < last; ++i) {
    for (uint c = begin[i]; c < begin[i + 1]; ++c) cells[at++] = packed[c];
    row_end[of->row_of_x + i + 1] = at;
    accord_fill_block(at, cells);
    at = accord_whole_blocks(at);
  }
}

// Sorts the cells from `begin` to `end` - 1, whose steps are places in a segment, and replaces the
// places by steps. Returns the last place.
ACCORD_FUNCTION uint accord_sort_cells(uint begin, uint end, __global uint* cells) {
  for (uint next = begin + 1; next < end; ++next) {
    const uint cell = cells[next];
    uint at = next;
    for (; at > begin && ACCORD_CELL_STEP(cells[at - 1]) > ACCORD_CELL_STEP(cell); --at) {
      cells[at] = cells[at - 1];
    }
    cells[at] = cell;
  }
  uint place = 0;
  for (uint at = begin; at < end; ++at) {
    const uint cell = cells[at];
    cells[at] = ACCORD_CELL(ACCORD_CELL_STEP(cell) - place, ACCORD_CELL_UNITS(cell));
    place = ACCORD_CELL_STEP(cell);
  }
  return place;
}

// The rows of y. Items add the cells of a segment of rows of x in any order; then the cells of each
// row of y are sorted.
ACCORD_FUNCTION void accord_make_rows_of_y(const accord_cell_matrix* of, __local uint* shared,
                                           __global const uint* begin, __global const uint* packed,
                                           volatile __global uint* row_end, __global uint* cells) {
  const uint item = (uint)get_local_id(0), separators = accord_separators(of->rows);
  // For each row of y, the number of cells, then the place behind the last cell that was added.
  volatile __global uint* const end = row_end + of->row_of_y + 1;
  for (uint j = item; j < of->columns; j += ACCORD_CELL_ITEMS) end[j] = separators;
  barrier(CLK_GLOBAL_MEM_FENCE);
  for (uint i = item; i < of->rows; i += ACCORD_CELL_ITEMS) {
    uint column = 0;
    for (uint c = begin[i]; c < begin[i + 1]; ++c) {
      column += ACCORD_CELL_STEP(packed[c]);
      if (ACCORD_CELL_UNITS(packed[c]) != 0) atomic_inc(end + column);
    }
  }
  barrier(CLK_GLOBAL_MEM_FENCE);
  const uint each = (of->columns + ACCORD_CELL_ITEMS - 1) / ACCORD_CELL_ITEMS;
  const uint first = min(item * each, of->columns), last = min(first + each, of->columns);
  uint count = 0;
  for (uint j = first; j < last; ++j) count += accord_whole_blocks(end[j]);
  uint at = of->cell_of_y + accord_cells_before(shared, count);
  if (item == 0) row_end[of->row_of_y] = at;
  for (uint j = first; j < last; ++j) {
    const uint cells_of_row = end[j];
    if (separators != 0) cells[at] = ACCORD_CELL(0u, 0u);
    end[j] = at + (separators != 0);
    at += accord_whole_blocks(cells_of_row);
  }
  barrier(CLK_GLOBAL_MEM_FENCE);
  for (uint row = 0; row < of->rows; row += ACCORD_SEGMENT) {
    const uint rows = min(of->rows - row, ACCORD_SEGMENT);
    for (uint i = item; i < rows; i += ACCORD_CELL_ITEMS) {
      uint column = 0;
      for (uint c = begin[row + i]; c < begin[row + i + 1]; ++c) {
        column += ACCORD_CELL_STEP(packed[c]);
        const uint units = ACCORD_CELL_UNITS(packed[c]);
        if (units != 0) cells[atomic_inc(end + column)] = ACCORD_CELL(i, units);
      }
    }
    barrier(CLK_GLOBAL_MEM_FENCE);
    for (uint j = item; j < of->columns; j += ACCORD_CELL_ITEMS) {
      uint from = end[j];
      if (separators == 0) {
        from = accord_whole_blocks(row_end[of->row_of_y + j]);
      } else {
        while (ACCORD_CELL_UNITS(cells[from - 1]) != 0) --from;
      }
      const uint place = accord_sort_cells(from, end[j], cells);
      if (row + rows < of->rows) {
        cells[end[j]++] = ACCORD_CELL(ACCORD_SEGMENT - place, 0u);
      } else {
        accord_fill_block(end[j], cells);
      }
    }
    barrier(CLK_GLOBAL_MEM_FENCE);
  }
}

// packed: as in consistency_rows.
__kernel __attribute__((reqd_work_group_size(ACCORD_CELL_ITEMS, 1, 1))) void make_cell_rows(
    __global const accord_cell_matrix* matrices, __global const uint* packed, uint row_count,
    __global uint* row_end, __global uint* cells) {
  __local uint shared[ACCORD_CELL_ITEMS];
  const accord_cell_matrix of = matrices[get_group_id(0)];
  __global const uint* const begin = packed + of.first_row;
  packed += row_count + 1;
  accord_make_rows_of_x(&of, shared, begin, packed, row_end, cells);
  accord_make_rows_of_y(&of, shared, begin, packed, row_end, cells);
}
