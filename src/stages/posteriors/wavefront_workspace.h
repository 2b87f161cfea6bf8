// SPDX-License-Identifier: Apache-2.0
// The working memory of a posterior task in the wavefront layout. A task computes the pairs of some
// x's with one y. In a step, each lane computes one tile; these are the tiles in work.
#ifndef ACCORD_STAGES_POSTERIORS_WAVEFRONT_WORKSPACE_H
#define ACCORD_STAGES_POSTERIORS_WAVEFRONT_WORKSPACE_H
#include "posteriors/workspace.h"

// Numbers of tiles, rounds and bands; then the offset of each part of the memory, in floats. An
// element of a part is a vector with a float for each lane; `profile` and `border` have single
// floats.
typedef struct accord_wavefront_workspace {
  accord_u32 row_tiles;       // tiles that cover rows 0..m of the longest x
  accord_u32 col_tiles;       // tiles that cover columns 0..n of a pair
  accord_u32 columns;         // columns of tiles of all pairs together
  accord_u32 rounds;          // number of rounds; in a round, every lane has a column of tiles
  accord_u32 period;          // steps from the start of a round to that of the next
  accord_u32 band_rounds;     // rounds of a band; the last band may have fewer
  accord_u32 bands;           // number of bands
  accord_u64 table;           // weights of the tiles in work: [row][model][column]
  accord_u64 profile;         // weights by letter of x: [model][lane][letter, then context][column]
  accord_u64 row_opening;     // factors of opening a gap behind the rows of the tiles in work
  accord_u64 column_opening;  // factors of opening a gap behind the columns of these tiles
  accord_u64 tile;            // S of the tiles in work: [model][row][column]
  accord_u64 spare;           // M of the tiles in work, if it is not kept: [model][row][column]
  accord_u64 state;           // last row of the tiles above: [column][ACCORD_CARRIED values]
  accord_u64 state_scale;     // exponents of the tiles above: [model]
  accord_u64 parts;           // summands of the partition function's totals, a lane for each pair:
                              // [row of tiles, then column of tiles][8 values, exponent]
  accord_u64 match;           // forward M of one band: [step][model][row][column]
  accord_u64 match_scale;     // exponents of `match`: [step][model]
  accord_u64 border;          // border slots: in each, values [row][value], then exponents
                              // [row tile][model]
  accord_u64 border_size;     // number of floats of a slot
  accord_u64 size;            // number of floats in all
} accord_wavefront_workspace;

// The number of floats in the profile of one lane for one model.
#define ACCORD_PROFILE (ACCORD_ENTRIES * ACCORD_TILE)

// The number of vectors in a summand of the totals: 8 values and their exponent.
#define ACCORD_PART (ACCORD_TILE + 1)

// The number of border slots. The last lane of a round writes a border, and the first lane of the
// next round reads it, both in the order of the sweep. Forward rounds use slot 0. Backward rounds
// write to slot 1 and to the last slot in turn: a long pair may write the border of a round before
// a short pair has read that of the previous round. The slots between slot 1 and the last slot keep
// the left borders of all bands but the first.
#define ACCORD_WAVEFRONT_SLOTS(bands) ((accord_u64)(bands) + 2)

// Plans the memory of a task. The longest of its `pairs` x's has `rows` residues, and y has `cols`
// residues. A band has `band_rounds` rounds; 0: there is a single band.
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
  // The last lane must write the border of a row before the first lane reads it in the next round.
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
