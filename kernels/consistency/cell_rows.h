// SPDX-License-Identifier: Apache-2.0
// The cell rows of the consistency transform: see consistency/cell_rows.cl.
#ifndef ACCORD_KERNELS_CONSISTENCY_CELL_ROWS_H
#define ACCORD_KERNELS_CONSISTENCY_CELL_ROWS_H
#include "shared/layout.h"

// Rounds a number of cells up to whole blocks.
ACCORD_FUNCTION accord_u32 accord_whole_blocks(accord_u32 cells) {
  return (cells + ACCORD_CELL_BLOCK - 1) / ACCORD_CELL_BLOCK * ACCORD_CELL_BLOCK;
}

// The place of the first cell of cell row `row`.
ACCORD_FUNCTION accord_u32 accord_row_begin(ACCORD_GLOBAL const accord_u32* row_end,
                                            accord_u32 row) {
  return accord_whole_blocks(row_end[row]);
}

// A matrix with more rows than a packed cell can step over is transposed in segments of rows.
#define ACCORD_SEGMENT 65535u

// The cells without units that separate segments in each row of y, if x has `rows` residues.
ACCORD_FUNCTION accord_u32 accord_separators(accord_u32 rows) {
  return rows <= ACCORD_SEGMENT ? 0 : (rows - 1) / ACCORD_SEGMENT + 1;
}

#endif
