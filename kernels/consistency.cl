// SPDX-License-Identifier: Apache-2.0
// One round of the weighted consistency transform, one work-item a cell (shared/consistency.h).
//
// A term list holds, for one residue, its posterior cells against the residues of all other
// sequences: indices counted over the whole family, increasing. The sum over (z, k) of a cell is
// the product of the lists of its two residues: both are walked together.
#include "shared/consistency.h"

__kernel void relax_cells(__global accord_relax_cell *cells, uint cell_count,
                          __global const float *self, __global const float *inverse_total,
                          __global const uint *term_begin, __global const uint *term_index,
                          __global const float *term_value, __global const float *residue_weight,
                          float cutoff) {
  if (get_global_id(0) >= cell_count) return;
  __global accord_relax_cell *cell = cells + get_global_id(0);
  uint a = term_begin[cell->row_x], b = term_begin[cell->row_y];
  const uint a_end = term_begin[cell->row_x + 1], b_end = term_begin[cell->row_y + 1];
  float sum = accord_relax_start(self[cell->pair], cell->units);
  while (a < a_end && b < b_end) {
    const uint index_a = term_index[a], index_b = term_index[b];
    if (index_a == index_b) {
      sum = accord_relax_add(sum, accord_relax_weighted(residue_weight[index_a], term_value[a]),
                             term_value[b]);
    }
    a += index_a <= index_b;
    b += index_b <= index_a;
  }
  cell->units = accord_relax_finish(sum, inverse_total[cell->pair], cutoff);
}
