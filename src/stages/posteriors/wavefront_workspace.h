// SPDX-License-Identifier: Apache-2.0
// Working memory of a posterior task in the wavefront layout: where each part begins, in floats.
#ifndef ACCORD_SHARED_WAVEFRONT_WORKSPACE_H
#define ACCORD_SHARED_WAVEFRONT_WORKSPACE_H
#include "posteriors/workspace.h"

typedef struct accord_wavefront_workspace {
  accord_u32 row_tiles;  // tiles that cover rows 0..m of the longest x
  accord_u32 col_tiles;  // tiles that cover columns 0..n
  accord_u32 columns;    // columns of tiles of all pairs, one after another
  accord_u32 rounds;     // every lane has a column of tiles in each round
  accord_u32 period;     // steps from a round to the next
  accord_u32 band_rounds;
  accord_u32 bands;
  accord_u64 table;           // weights of the tiles in work: [row][model][column]
  accord_u64 profile;         // of the columns in work: [model][lane][letter, then context][column]
  accord_u64 row_opening;     // factors of opening a gap behind the rows of the tiles in work
  accord_u64 column_opening;  // and behind their columns
  accord_u64 tile;            // S of the tiles in work: [model][row][column]
  accord_u64 spare;           // M of the tiles in work, if it is not kept: [model][row][column]
  accord_u64 state;           // last row of the tiles above: [column][value]
  accord_u64 state_scale;     // their exponents: [model]
  accord_u64 parts;        // what the partition function's totals are added from, one lane a pair:
                           // [row of tiles, then column of tiles][8 values, exponent]
  accord_u64 match;        // forward M of one band: [step][model][row][column]
  accord_u64 match_scale;  // [step][model]
  accord_u64 border;       // slots of one float a value: [row][value], then [row tile][model]
  accord_u64 border_size;  // of a slot
  accord_u64 size;         // floats in all
} accord_wavefront_workspace;

// Floats of the profile of a column of tiles, for a model.
#define ACCORD_PROFILE (ACCORD_ENTRIES * ACCORD_TILE)

// Vectors of a part of the totals.
#define ACCORD_PART (ACCORD_TILE + 1)

// Slots of borders: the one that forward rounds hand on, the left border of each band but the first
// behind that of backward rounds, and another of these. Backward, a long pair that begins in a
// round comes to its last lane before a short one has read what the round before has left.
#define ACCORD_WAVEFRONT_SLOTS(bands) ((accord_u64)(bands) + 2)

// Of `pairs` x's, the longest of `rows` residues, and a y of `cols`. `band_rounds` 0: a single
// band.
ACCORD_FUNCTION accord_wavefront_workspace accord_plan_wavefront(accord_u32 rows, accord_u32 cols,
                                                                 accord_u32 pairs,
                                                                 accord_u32 band_rounds,
                                                                 accord_u32 lanes) {
  const accord_u64 tile_cells = ACCORD_TILE * ACCORD_TILE;
  accord_wavefront_workspace w;
  w.row_tiles = rows / ACCORD_TILE + 1;
  w.col_tiles = cols / ACCORD_TILE + 1;
  w.columns = pairs * w.col_tiles;
  w.rounds = (w.columns + lanes - 1) / lanes;  // integers
  // What the last lane hands on must be there before the first one asks for it.
  w.period = w.row_tiles > lanes ? w.row_tiles : lanes;
  w.band_rounds = band_rounds == 0 || band_rounds > w.rounds ? w.rounds : band_rounds;
  w.bands = (w.rounds + w.band_rounds - 1) / w.band_rounds;
  const accord_u64 kept = ((accord_u64)w.band_rounds * w.period + lanes - 1) * ACCORD_MODELS;
  w.table = 0;
  w.profile = w.table + ACCORD_MODELS * tile_cells * lanes;
  w.row_opening = w.profile + (accord_u64)ACCORD_MODELS * ACCORD_PROFILE * lanes;
  w.column_opening = w.row_opening + ACCORD_TILE * (accord_u64)lanes;
  w.tile = w.column_opening + ACCORD_TILE * (accord_u64)lanes;
  w.spare = w.tile + ACCORD_MODELS * tile_cells * lanes;
  w.state = w.spare + ACCORD_MODELS * tile_cells * lanes;
  w.state_scale = w.state + ACCORD_TILE * ACCORD_CARRIED * lanes;
  w.parts = w.state_scale + ACCORD_MODELS * lanes;
  w.match = w.parts + (accord_u64)(w.row_tiles + w.col_tiles) * ACCORD_PART * lanes;
  w.match_scale = w.match + kept * tile_cells * lanes;
  w.border = w.match_scale + kept * lanes;
  w.border_size = (accord_u64)w.row_tiles * (ACCORD_TILE * ACCORD_CARRIED + ACCORD_MODELS);
  w.size = w.border + ACCORD_WAVEFRONT_SLOTS(w.bands) * w.border_size;
  return w;
}

#endif
