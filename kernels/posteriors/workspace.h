// SPDX-License-Identifier: Apache-2.0
// The working memory of one posterior task, the same for every layout and device: the offset of
// each part, in elements of one float (or int) per lane.
#ifndef ACCORD_KERNELS_POSTERIORS_WORKSPACE_H
#define ACCORD_KERNELS_POSTERIORS_WORKSPACE_H
#include "shared/layout.h"

// Numbers of tiles and bands, then the offsets of the parts.
typedef struct accord_workspace {
  accord_u32 row_tiles;   // tiles that cover rows 0..m of the longest x
  accord_u32 col_tiles;   // tiles that cover columns 0..n
  accord_u32 band_tiles;  // tiles per band
  accord_u32 bands;
  accord_u64 table;           // match weights of 8 rows: [row][model][letter, then context]
  accord_u64 row_opening;     // factors of opening a gap: [number of residues of x before the gap]
  accord_u64 column_opening;  // the same: [number of residues of y before the gap]
  accord_u64 row_codes;       // codes of tiles of x, 8 bits each: forward, then backward
  accord_u64 column_codes;    // the same of y
  accord_u64 tile;            // S of the current tile: [model][row][column]
  accord_u64 state;           // last row of the tiles above: [tile][column][value]
  accord_u64 state_scale;     // exponents of `state`: [tile][model]
  accord_u64 border;          // borders of bands: [slot][row][value]; last slot: backward
  accord_u64 border_scale;    // exponents of `border`: [slot][row tile][model]
  accord_u64 border_most;     // largest values of `border`: [slot][row tile][model]
  accord_u64 match;           // forward M of one band: [model][tile][row][column]
  accord_u64 match_scale;     // exponents of `match`: [model][tile][row tile]
  accord_u64 size;            // number of elements
} accord_workspace;

// The number of values of a cell that go to the next band: M, S and all Y_k of the pair-HMM, and M,
// S and Y of the partition function. As many values go to the next row, with X in the place of Y.
#define ACCORD_CARRIED (2 + ACCORD_GAP_CLASSES + 3)

// Plans the memory of a task whose x's have at most `rows` residues, and whose y has `cols`. A band
// has `band_columns` columns, a multiple of ACCORD_TILE; 0 is one band.
ACCORD_FUNCTION accord_workspace accord_plan_workspace(accord_u32 rows, accord_u32 cols,
                                                       accord_u32 band_columns) {
  accord_workspace w;
  w.row_tiles = rows / ACCORD_TILE + 1;
  w.col_tiles = cols / ACCORD_TILE + 1;
  w.band_tiles = band_columns / ACCORD_TILE;
  if (w.band_tiles == 0 || w.band_tiles > w.col_tiles) w.band_tiles = w.col_tiles;
  w.bands = (w.col_tiles + w.band_tiles - 1) / w.band_tiles;
  const accord_u64 tile_rows = w.row_tiles;
  const accord_u64 slots = (accord_u64)w.bands + 1;
  w.table = 0;
  w.row_opening = w.table + 2 * ACCORD_TILE * ACCORD_ENTRIES;
  w.column_opening = w.row_opening + tile_rows * ACCORD_TILE;
  w.row_codes = w.column_opening + (accord_u64)w.col_tiles * ACCORD_TILE;
  w.column_codes = w.row_codes + 2 * 2 * tile_rows;
  w.tile = w.column_codes + 2 * 2 * (accord_u64)w.col_tiles;
  w.state = w.tile + 2 * ACCORD_TILE * ACCORD_TILE;
  w.state_scale = w.state + (accord_u64)w.band_tiles * ACCORD_TILE * ACCORD_CARRIED;
  // Rows of borders and of tiles are read as vectors of 4.
  w.border = (w.state_scale + 2 * (accord_u64)w.band_tiles + 3) / 4 * 4;
  w.border_scale = w.border + slots * tile_rows * ACCORD_TILE * ACCORD_CARRIED;
  w.border_most = w.border_scale + 2 * slots * tile_rows;
  w.match = (w.border_most + 2 * slots * tile_rows + 3) / 4 * 4;
  w.match_scale = w.match + 2 * (accord_u64)w.band_tiles * tile_rows * ACCORD_TILE * ACCORD_TILE;
  w.size = w.match_scale + 2 * (accord_u64)w.band_tiles * tile_rows;
  return w;
}

// For the group layout, in which a team of `team` work-items computes as many strips in one pass.
// accord_pass_steps: the number of steps from the start of a pass to the start of the next, which
// is larger than `team`.
// accord_team_steps: the number of steps for a band of `tiles` strips. Each strip is one step
// behind the strip on its left, and borders go to memory one step later.
ACCORD_FUNCTION accord_u32 accord_pass_steps(accord_u32 row_tiles, accord_u32 team) {
  return row_tiles > team ? row_tiles : team + 1;
}
ACCORD_FUNCTION accord_u32 accord_team_steps(accord_u32 row_tiles, accord_u32 tiles,
                                             accord_u32 team) {
  if (tiles == 0) return 0;
  return (tiles - 1) / team * accord_pass_steps(row_tiles, team) + row_tiles + (tiles - 1) % team +
         1;
}

#endif
