// SPDX-License-Identifier: Apache-2.0
// Makes the posterior matrices of pairs (SparseMatrix) from the cells of
// posteriors/posterior_group.cl, which are in any order, and computes for each pair the largest sum
// of posteriors along one alignment. One work-group of ACCORD_MATRIX_GROUP work-items per pair.
//
// A matrix is written as words, one pair behind another: that sum, the offset of each row in the
// pair's cells, their number, then the cells (ACCORD_CELL_* in shared/layout.h). The host uses this
// kernel only if rounding cannot drop a cell, and columns fit 16 bits.
#include "posteriors/combine.h"

// Before the cells of a row are encoded, they are keys, whose order is that of the columns.
#define ACCORD_KEY(column, units) ((column) << 16 | (units))
#define ACCORD_KEY_COLUMN(key) ((key) >> 16)
#define ACCORD_KEY_UNITS(key) ((key)&0xffffu)

// The matrix of a pair under construction.
typedef struct accord_made_matrix {
  __global uint* begin;  // offset of each row; at the end, the number of cells
  __global uint* cells;
  uint rows, count;
} accord_made_matrix;

// Counts the cells of each row, and sets `begin` to the end of each row.
ACCORD_FUNCTION void accord_end_rows(const accord_made_matrix* made,
                                     __global const accord_found_cell* found, __local uint* sums) {
  const uint item = (uint)get_local_id(0);
  for (uint r = item; r < made->rows; r += ACCORD_MATRIX_GROUP) made->begin[r] = 0;
  if (item == 0) made->begin[made->rows] = made->count;
  barrier(CLK_GLOBAL_MEM_FENCE);
  for (uint k = item; k < made->count; k += ACCORD_MATRIX_GROUP) {
    atomic_inc((volatile __global uint*)made->begin + found[k].row);
  }
  barrier(CLK_GLOBAL_MEM_FENCE);
  // Each item adds up consecutive rows, then the sums of the items before it.
  const uint part = (made->rows + ACCORD_MATRIX_GROUP - 1) / ACCORD_MATRIX_GROUP;
  const uint first = min(item * part, made->rows), last = min(first + part, made->rows);
  uint sum = 0;
  for (uint r = first; r < last; ++r) sum += made->begin[r];
  sums[item] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  uint end = 0;
  for (uint k = 0; k < item; ++k) end += sums[k];
  for (uint r = first; r < last; ++r) {
    end += made->begin[r];
    made->begin[r] = end;
  }
  barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);
}

// Moves the keys of the cells into their rows, and sorts each row. A row is filled from its end to
// its beginning, so that its `begin`, at first the end, becomes the beginning.
ACCORD_FUNCTION void accord_fill_rows(const accord_made_matrix* made,
                                      const accord_combination* combination,
                                      __global const accord_found_cell* found,
                                      __global const ushort* calibration) {
  const uint item = (uint)get_local_id(0);
  for (uint k = item; k < made->count; k += ACCORD_MATRIX_GROUP) {
    const accord_found_cell cell = found[k];
    const float probability =
        accord_combined(combination, cell.posterior[ACCORD_HMM], cell.posterior[ACCORD_PARTITION]);
    const uint units = calibration[min(ACCORD_UNITS_OF_FRACTION(probability), 65535u)];
    const uint place = atomic_dec((volatile __global uint*)made->begin + cell.row) - 1;
    made->cells[place] = ACCORD_KEY(cell.column, units);
  }
  barrier(CLK_GLOBAL_MEM_FENCE);
  for (uint r = item; r < made->rows; r += ACCORD_MATRIX_GROUP) {
    const uint first = made->begin[r], last = made->begin[r + 1];
    for (uint k = first + 1; k < last; ++k) {
      const uint key = made->cells[k];
      uint at = k;
      for (; at > first && made->cells[at - 1] > key; --at) made->cells[at] = made->cells[at - 1];
      made->cells[at] = key;
    }
  }
  barrier(CLK_GLOBAL_MEM_FENCE);
}

// Some cells of a row, and the largest sum of a chain that ends in each.
typedef struct accord_chain_ends {
  uint column[ACCORD_MATRIX_GROUP];
  uint sum[ACCORD_MATRIX_GROUP];
} accord_chain_ends;

// Computes the largest sum of units along one alignment. After the rows so far, best[j] is the
// largest sum in the first j columns. Behind the last column with a cell it is constant and not
// stored.
ACCORD_FUNCTION uint accord_largest_sum(const accord_made_matrix* made,
                                        __local accord_chain_ends* ends, __local uint* best) {
  const uint item = (uint)get_local_id(0);
  uint last_best = 0;
  if (item == 0) best[0] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint r = 0; r < made->rows; ++r) {
    const uint first = made->begin[r], last = made->begin[r + 1];
    if (first == last) continue;
    const uint wanted = ACCORD_KEY_COLUMN(made->cells[last - 1]) + 1;
    if (wanted > last_best) {
      const uint same = best[last_best];
      for (uint j = last_best + 1 + item; j <= wanted; j += ACCORD_MATRIX_GROUP) best[j] = same;
      last_best = wanted;
      barrier(CLK_LOCAL_MEM_FENCE);
    }
    // From right to left, since a cell reads the sums before it, and changes the sums behind it.
    for (uint end = last; end > first;) {
      const uint begin = max(first, end - min(end, (uint)ACCORD_MATRIX_GROUP)), count = end - begin;
      if (item < count) {
        const uint key = made->cells[begin + item];
        ends->column[item] = ACCORD_KEY_COLUMN(key);
        ends->sum[item] = best[ACCORD_KEY_COLUMN(key)] + ACCORD_KEY_UNITS(key);
      }
      barrier(CLK_LOCAL_MEM_FENCE);
      for (uint j = ends->column[0] + 1 + item; j <= last_best; j += ACCORD_MATRIX_GROUP) {
        uint value = best[j];
        for (uint k = 0; k < count && ends->column[k] < j; ++k) value = max(value, ends->sum[k]);
        best[j] = value;
      }
      barrier(CLK_LOCAL_MEM_FENCE);
      end = begin;
    }
  }
  return best[last_best];
}

// Encodes the keys of the rows as cells.
ACCORD_FUNCTION void accord_encode_rows(const accord_made_matrix* made) {
  for (uint r = (uint)get_local_id(0); r < made->rows; r += ACCORD_MATRIX_GROUP) {
    uint column = 0;
    for (uint k = made->begin[r]; k < made->begin[r + 1]; ++k) {
      const uint key = made->cells[k];
      made->cells[k] = ACCORD_CELL(ACCORD_KEY_COLUMN(key) - column, ACCORD_KEY_UNITS(key));
      column = ACCORD_KEY_COLUMN(key);
    }
  }
}

// calibration: for each number of units of 2^-16, the units after the map. best: room for one more
// number than any pair has columns.
__kernel __attribute__((reqd_work_group_size(ACCORD_MATRIX_GROUP, 1, 1))) void make_matrices(
    __global const accord_model* model, __global const accord_found_cell* found,
    __global const accord_matrix_task* tasks, __global const ushort* calibration,
    __global uint* words, __local uint* best) {
  __local accord_chain_ends ends;
  const accord_matrix_task task = tasks[get_group_id(0)];
  const accord_combination combination = accord_combination_of(model);
  accord_made_matrix made;
  made.begin = words + task.word + 1;
  made.cells = made.begin + task.rows + 1;
  made.rows = task.rows;
  made.count = task.count;
  accord_end_rows(&made, found + task.room, ends.sum);
  accord_fill_rows(&made, &combination, found + task.room, calibration);
  const uint sum = accord_largest_sum(&made, &ends, best);
  if (get_local_id(0) == 0) words[task.word] = sum;
  barrier(CLK_GLOBAL_MEM_FENCE);
  accord_encode_rows(&made);
}
