// SPDX-License-Identifier: Apache-2.0
// Working memory of a posterior task in the wavefront shape: where each part begins, in floats.
#ifndef ACCORD_SHARED_WAVEFRONT_WORKSPACE_H
#define ACCORD_SHARED_WAVEFRONT_WORKSPACE_H
#include "shared/workspace.h"

typedef struct accord_wavefront_workspace {
  accord_u32 row_tiles;  // tiles that cover rows 0..m
  accord_u32 strips;     // that cover columns 0..n, a column of tiles for each lane
  accord_u32 band_strips;
  accord_u32 bands;
  accord_u32 steps;    // of a strip: the last lane is `lanes` - 1 rows of tiles behind the first
  accord_u64 table;    // weights of the tiles in work: [row][model][column]
  accord_u64 profile;  // of the columns of a strip: [model][lane][letter, then context][column]
  accord_u64 row_opening;     // factors of opening a gap behind the rows of the tiles in work
  accord_u64 column_opening;  // and behind their columns
  accord_u64 tile;            // S of the tiles in work: [model][row][column]
  accord_u64 spare;           // M of the tiles in work, if it is not kept: [model][row][column]
  accord_u64 state;           // last row of the tiles above: [column][value]
  accord_u64 state_scale;     // their exponents: [model]
  accord_u64 match;           // forward M of one band: [strip][step][model][row][column]
  accord_u64 match_scale;     // [strip][step][model]
  accord_u64 border;          // slots of one float a value: [row][value], then [row tile][model]
  accord_u64 border_size;     // of a slot
  accord_u64 size;            // floats in all
} accord_wavefront_workspace;

// Floats of the profile of a column of tiles, for a model.
#define ACCORD_PROFILE (ACCORD_ENTRIES * ACCORD_TILE)

// Slots of borders: the one that forward strips hand on, the one that backward strips do, and the
// left border of each band but the first.
#define ACCORD_WAVEFRONT_SLOTS(bands) ((accord_u64)(bands) + 1)

// `band_strips` 0: a single band.
ACCORD_FUNCTION accord_wavefront_workspace accord_plan_wavefront(accord_u32 rows, accord_u32 cols,
                                                                 accord_u32 band_strips,
                                                                 accord_u32 lanes) {
  const accord_u64 tile_cells = ACCORD_TILE * ACCORD_TILE;
  accord_wavefront_workspace w;
  w.row_tiles = rows / ACCORD_TILE + 1;
  w.strips = (cols / ACCORD_TILE + lanes) / lanes;  // integers
  w.band_strips = band_strips == 0 || band_strips > w.strips ? w.strips : band_strips;
  w.bands = (w.strips + w.band_strips - 1) / w.band_strips;
  w.steps = w.row_tiles + lanes - 1;
  const accord_u64 kept = (accord_u64)w.band_strips * w.steps * ACCORD_MODELS;
  w.table = 0;
  w.profile = w.table + ACCORD_MODELS * ACCORD_TILE * ACCORD_ENTRIES * lanes;
  w.row_opening = w.profile + (accord_u64)ACCORD_MODELS * ACCORD_PROFILE * lanes;
  w.column_opening = w.row_opening + ACCORD_TILE * (accord_u64)lanes;
  w.tile = w.column_opening + ACCORD_TILE * (accord_u64)lanes;
  w.spare = w.tile + ACCORD_MODELS * tile_cells * lanes;
  w.state = w.spare + ACCORD_MODELS * tile_cells * lanes;
  w.state_scale = w.state + ACCORD_TILE * ACCORD_CARRIED * lanes;
  w.match = w.state_scale + ACCORD_MODELS * lanes;
  w.match_scale = w.match + kept * tile_cells * lanes;
  w.border = w.match_scale + kept * lanes;
  w.border_size = (accord_u64)w.row_tiles * (ACCORD_TILE * ACCORD_CARRIED + ACCORD_MODELS);
  w.size = w.border + ACCORD_WAVEFRONT_SLOTS(w.bands) * w.border_size;
  return w;
}

#endif
