// SPDX-License-Identifier: Apache-2.0
// Building blocks of the group layout: the work of an item on a tile of its strip, and the
// transport of rows between items and passes. In a pass, each item of a team computes one strip of
// the band; the next pass computes the strips on the right of these. recursion.h defines M and S.
// OpenCL C only; the host sets ACCORD_GROUP, the items of a group, and ACCORD_TEAM, the items of a
// team.
#ifndef ACCORD_KERNELS_POSTERIORS_GROUP_STRIP_H
#define ACCORD_KERNELS_POSTERIORS_GROUP_STRIP_H
#include "posteriors/sweep.h"

#define ACCORD_TEAMS (ACCORD_GROUP / ACCORD_TEAM)  // teams of a group
#define ACCORD_GROUP_LETTERS (ACCORD_LETTERS + 1)  // the letters and the border symbol
// The number of columns of accord_group_local.tile_border.
#define ACCORD_TILE_BORDERS (ACCORD_GROUP + ACCORD_TEAMS)

// The place of this item in its team, and of the team in the group.
ACCORD_FUNCTION int accord_team_item(void) { return (int)((uint)get_local_id(0) % ACCORD_TEAM); }
ACCORD_FUNCTION int accord_team_number(void) { return (int)((uint)get_local_id(0) / ACCORD_TEAM); }

// The values of one row that an item hands to the item on its right.
typedef struct accord_row_border {
  accord_side of[ACCORD_MODELS];
} accord_row_border;

// A sum that travels between items (accord_total has vectors of lanes).
typedef struct accord_group_total {
  float high, low;
  int scale;
} accord_group_total;

// The pair of a team, its current band, and its memory. It is in local memory and read when needed,
// since registers are for the strips.
typedef struct accord_group_team {
  // The workspace of the team, and the cells that it emits.
  __global float* memory;
  __global accord_found_cell* cells;
  __global float* row_opening;     // factors of opening a gap, by residues of x before it
  __global float* column_opening;  // by residues of y before it
  __global uchar* row_codes[2];    // codes of x, forward and backward, a byte each
  __global uchar* column_codes[2];
  __global float4* match;
  __global int* match_scale;
  int row_tiles, col_tiles;
  uint band_columns;
  accord_sweep sweep;
  accord_band band;
  accord_combination combination;
  accord_inverse inverse[ACCORD_MODELS];
  accord_end end;  // last cell of the pair-HMM, and its exponent
  int end_scale;
  accord_group_total row, column;  // of accord_partition_sums
  // The lengths of x and y.
  int m, n;
  int tiles;       // number of strips of the band; 0 without a band in this step
  int pass_steps;  // steps of a pass: the number of tile rows, at least ACCORD_TEAM + 1
  int ends[2];     // items whose right borders go to memory: the last, and that of the last strip
  // Border slots of global memory: [0] for reading, [1] for writing.
  __global float4* border[2];
  __global int* border_scale[2];
  int border_most;  // ints from the exponent of a stored border to its largest value
  // The number of cells for which `cells` has room, and the number of cells that were found.
  uint capacity, found;
} accord_group_team;

// The local memory of a group. A column of `tile_border` has the border of a tile, and belongs to a
// row of tiles: in each step, all items move one column back (see accord_first_column()). In its
// new column, an item reads the border that the item on its left wrote in the step before, and
// overwrites it by the right border of its tile. A team has one more column than items: while the
// border of the last item goes to global memory, the team fills the additional column for the first
// item.
typedef struct accord_group_local {
  // Pairs of a value for the pair-HMM and a value for the partition function.
  float2 weight[ACCORD_GROUP_LETTERS * ACCORD_GROUP_LETTERS];
  float2 context[ACCORD_CONTEXTS * ACCORD_CONTEXTS];
  // Factors of opening a gap behind the columns of each item's strip, and behind the rows of its
  // tile, forward.
  float column_opening[ACCORD_TILE][ACCORD_GROUP];
  float row_opening[ACCORD_TILE][ACCORD_GROUP];
  float tile_border[ACCORD_TILE][ACCORD_CARRIED][ACCORD_TILE_BORDERS];
  int tile_border_scale[ACCORD_MODELS][ACCORD_TILE_BORDERS];
  float tile_border_most[ACCORD_MODELS][ACCORD_TILE_BORDERS];  // largest value of each column
  // The largest value that the tile of each item hands down. In the backward sweep, while the item
  // computes the rows of a tile, the element has the bits of accord_least_handed_on instead.
  float below_most[ACCORD_MODELS][ACCORD_GROUP];
  accord_group_team team[ACCORD_TEAMS];
  uint most;     // scratch of accord_most(), which finds the largest number of all items
  uint edge[3];  // for three successive steps: whether a tile of the group has the border row
                 // (ACCORD_BORDER_ROW) or the border column (ACCORD_BORDER_COLUMN)
  uint next;     // first of the next tasks of the group
} accord_group_local;

// Partial totals that the items of a group exchange between sweeps, in the memory of the borders.
ACCORD_FUNCTION __local accord_group_total* accord_parts(__local accord_group_local* local_) {
  return (__local accord_group_total*)local_->tile_border;
}

// The state of an item's strip, for one model.
typedef struct accord_strip_part {
  accord_side top[ACCORD_TILE];
  int scale;         // exponent of the current tile
  float from_left;   // factor from the left tile's scale to this one's
  float diagonal;    // S on the left of the row above, in this tile's scale
  float corner;      // S in that place for the tile below, in scale corner_scale
  int corner_scale;  // its exponent
  float most;        // largest value of the right border so far
} accord_strip_part;

// An item's strip: the states of both models, and the residues of its columns.
typedef struct accord_strip {
  accord_strip_part of[ACCORD_MODELS];
  // For each column, the offsets of its letter and its context in a row of the tables, in bytes; 8
  // bits each.
  uint letters[2], contexts[2];
} accord_strip;

// Reads the border of a row from column `slot` of local memory.
ACCORD_FUNCTION accord_row_border accord_read_row_border(__local const accord_group_local* local_,
                                                         int row, int slot) {
  const accord_kind hmm = accord_hmm_kind(), partition = accord_partition_kind();
  __local const float* from = &local_->tile_border[row][0][slot];
  accord_row_border in;
  ACCORD_GET_SIDE(in.of[ACCORD_HMM], hmm, from, ACCORD_TILE_BORDERS);
  ACCORD_GET_SIDE(in.of[ACCORD_PARTITION], partition, from, ACCORD_TILE_BORDERS);
  return in;
}

// Writes the border of a row to column `slot` of local memory.
ACCORD_FUNCTION void accord_write_row_border(__local accord_group_local* local_, int row, int slot,
                                             const accord_row_border* out) {
  const accord_kind hmm = accord_hmm_kind(), partition = accord_partition_kind();
  __local float* to = &local_->tile_border[row][0][slot];
  ACCORD_PUT_SIDE(out->of[ACCORD_HMM], hmm, to, ACCORD_TILE_BORDERS);
  ACCORD_PUT_SIDE(out->of[ACCORD_PARTITION], partition, to, ACCORD_TILE_BORDERS);
}

// 8 codes of a sequence from position `at` of a sweep on, 8 bits each; the lowest bits have the
// first code. `padded` is the length with border and padding, a multiple of 8.
ACCORD_FUNCTION ulong accord_codes_at(__global const uchar* codes, int length, int padded, int at,
                                      int backward) {
  ulong packed = 0;
  ACCORD_UNROLL
  for (int k = 0; k < ACCORD_TILE; ++k) {
    const int code = accord_code_at(codes, length, padded, at + k, backward);
    const int symbol = code == ACCORD_BORDER_SYMBOL ? ACCORD_GROUP_LETTERS - 1 : code;
    packed |= (ulong)symbol << (8 * k);
  }
  return packed;
}

// The items of a team together store the data of a sequence that every tile needs: in `opening`,
// the factors of opening a gap, by the number of residues before the gap; in `tile_codes`, the
// codes in forward [0] and backward [1] direction. `tiles`: the tiles that cover the sequence.
ACCORD_FUNCTION void accord_fill_sequence(__global const accord_model* model,
                                          __global const uchar* codes, int length, int tiles,
                                          __global float* opening,
                                          __global uchar* __local const* tile_codes) {
  const int padded = tiles * ACCORD_TILE;
  for (int k = accord_team_item(); k < padded; k += ACCORD_TEAM) {
    opening[k] = accord_opening(model, codes, length, k);
  }
  for (int k = accord_team_item(); k < 2 * tiles; k += ACCORD_TEAM) {
    const int backward = k >= tiles, tile = backward ? k - tiles : k;
    ((__global ulong*)tile_codes[backward])[tile] =
        accord_codes_at(codes, length, padded, tile * ACCORD_TILE, backward);
  }
}

// The factor of opening a gap behind column `column` of the sweep.
ACCORD_FUNCTION float accord_column_opening(__local const accord_group_team* team, int column,
                                            int backward) {
  return team->column_opening[accord_residues_at(team->sweep.cols, column, backward)];
}

// Sets the row above a tile to zeros.
ACCORD_FUNCTION void accord_clear_top(accord_strip_part* part) {
  ACCORD_UNROLL
  for (int c = 0; c < ACCORD_TILE; ++c) {
    part->top[c].m = part->top[c].s = 0.0f;
    ACCORD_UNROLL
    for (int k = 0; k < ACCORD_GAP_CLASSES; ++k) part->top[c].gap[k] = 0.0f;
  }
}

// Begins a strip at its first tile: clears its state and looks up the residues of its columns.
ACCORD_FUNCTION void accord_begin_strip(accord_strip* strip, __local accord_group_local* local_,
                                        __local const accord_group_team* team, int tile_column) {
  ACCORD_UNROLL
  for (int model = 0; model < ACCORD_MODELS; ++model) {
    accord_strip_part* part = &strip->of[model];
    accord_clear_top(part);
    part->scale = part->corner_scale = ACCORD_NO_EXPONENT;
    part->corner = 0.0f;
    local_->below_most[model][get_local_id(0)] = 0.0f;
  }
  const int column = tile_column * ACCORD_TILE, backward = team->sweep.backward;
  const ulong codes = ((__global const ulong*)team->column_codes[backward])[tile_column];
  ACCORD_UNROLL
  for (int k = 0; k < 2; ++k) {
    const uint four = (uint)(codes >> (32 * k));
    strip->letters[k] = (four & 0x1f1f1f1fu) << 3;
    strip->contexts[k] = (four & 0xe0e0e0e0u) >> 2;
  }
  ACCORD_UNROLL
  for (int c = 0; c < ACCORD_TILE; ++c) {
    local_->column_opening[c][get_local_id(0)] = accord_column_opening(team, column + c, backward);
  }
}

// Raises part->most, the largest value of the right border, to the values that an item hands on at
// the right end of a row. M is not compared, since S is at least M.
ACCORD_FUNCTION void accord_raise_most(accord_strip_part* part, const accord_side* right,
                                       accord_kind kind) {
  part->most = accord_max(part->most, accord_largest_of_side(right, kind));
}

// Begins a tile: chooses its exponent and converts the values above the tile to its scale. If
// nothing enters the tile, all values become 0. `tile_row` and `tile_column`: the place of the tile
// in the sweep. `left`: the column of `tile_border` that has the left border of the tile.
ACCORD_FUNCTION void accord_begin_tile(accord_strip_part* part, accord_kind kind,
                                       __local accord_group_local* local_,
                                       __local const accord_group_team* team, int tile_row,
                                       int tile_column, int left) {
  const accord_sweep sweep = team->sweep;
  accord_input above, corner, from_left;
  above.value = local_->below_most[kind.number][get_local_id(0)];
  above.scale = part->scale;
  corner.value = part->corner;
  corner.scale = part->corner_scale;
  from_left.value = local_->tile_border_most[kind.number][left];
  from_left.scale = local_->tile_border_scale[kind.number][left];
  const accord_entry entry = accord_choose_scale(
      above, corner, from_left, accord_injected(&sweep, kind, tile_row, tile_column));
  part->most = 0.0f;
  if (!accord_any_enters(entry.scale)) {
    accord_clear_top(part);
    local_->below_most[kind.number][get_local_id(0)] = 0.0f;
    part->scale = ACCORD_NO_EXPONENT;
    part->diagonal = part->from_left = 0.0f;
    return;
  }
  ACCORD_UNROLL
  for (int c = 0; c < ACCORD_TILE; ++c) {
    accord_rescale_side(&part->top[c], kind, entry.from_above);
  }
  part->scale = entry.scale;
  part->diagonal = entry.corner;
  part->from_left = entry.from_left;
}

// Ends the tile of an item: stores in below_most the largest value that the tile hands down. In the
// backward sweep, below_most has the bits of accord_least_handed_on before the call. If all values
// that the backward tile would hand down or to the right have smaller exponents, the tile hands
// nothing on: its exponent becomes ACCORD_NO_EXPONENT.
ACCORD_FUNCTION void accord_end_tile(accord_strip_part* part, accord_kind kind,
                                     __local accord_group_local* local_, int backward) {
  const size_t item = get_local_id(0);
  float below = 0.0f;
  ACCORD_UNROLL
  for (int c = 0; c < ACCORD_TILE; ++c) {
    below = accord_max(below, accord_largest_of_side(&part->top[c], kind));
  }
  const float least = local_->below_most[kind.number][item];
  local_->below_most[kind.number][item] = below;
  if (backward) {
    part->scale = accord_scale_handed_on(accord_max(below, part->most), part->scale, as_int(least));
  }
}

// Computes the match weights of a residue of x, with code `code`, with the 8 residues of the strip,
// for both models: hmm[c] and partition[c] for column c.
ACCORD_FUNCTION void accord_row_weights(__local const accord_group_local* local_, uint code,
                                        const accord_strip* strip, float* hmm, float* partition) {
  __local const char* weight = (__local const char*)local_->weight;
  __local const char* context = (__local const char*)local_->context;
  weight += ACCORD_LETTER(code) * (ACCORD_GROUP_LETTERS * sizeof(float2));
  context += ACCORD_CONTEXT(code) * (ACCORD_CONTEXTS * sizeof(float2));
  ACCORD_UNROLL
  for (int c = 0; c < ACCORD_TILE; ++c) {
    const uint letter = strip->letters[c / 4] >> (8 * (c % 4)) & 0xffu;
    const uint other = strip->contexts[c / 4] >> (8 * (c % 4)) & 0xffu;
    const float2 both =
        *(__local const float2*)(weight + letter) * *(__local const float2*)(context + other);
    hmm[c] = both.x;
    partition[c] = both.y;
  }
}

// Computes the 8 cells of one row for one model. `left` has the values on the left of the row, and
// becomes those at its right end. `weight`: the match weights of the cells. `row_opening`: the
// factor of opening a gap behind the row; accord_strip_down() applies the factors of the columns.
ACCORD_FUNCTION void accord_strip_row(accord_strip_part* part, accord_side* left,
                                      const float* weight, float row_opening,
                                      const accord_gaps* gaps, accord_kind kind) {
  const accord_inject inject = accord_no_inject();
  float diagonal = part->diagonal;
  part->diagonal = left->s;
  ACCORD_UNROLL
  for (int c = 0; c < ACCORD_TILE; ++c) {
    accord_cell_across(&part->top[c], left, &diagonal, weight[c], row_opening, gaps, kind, 0,
                       &inject);
  }
}

// Computes the values that the cells of a row hand down to the next row of the tile.
// `column_opening`: this item's first element in accord_group_local.column_opening.
ACCORD_FUNCTION void accord_strip_down(accord_strip* strip, __local const float* column_opening,
                                       const accord_gaps* gaps) {
  ACCORD_UNROLL
  for (int c = 0; c < ACCORD_TILE; ++c) {
    const float opening = column_opening[c * ACCORD_GROUP];
    accord_cell_down(&strip->of[ACCORD_HMM].top[c], opening, gaps + ACCORD_HMM, accord_hmm_kind());
    accord_cell_down(&strip->of[ACCORD_PARTITION].top[c], opening, gaps + ACCORD_PARTITION,
                     accord_partition_kind());
  }
}

// As accord_strip_row(), for a row in which the border of the matrix injects values. `row` and
// `column`: the first cell of the row, in the sweep. Returns the cell in column `end_column` of the
// tile, or zeros if end_column is -1.
ACCORD_FUNCTION accord_end accord_edge_row(accord_strip_part* part, accord_side* left,
                                           const float* weight, float row_opening,
                                           const accord_gaps* gaps, accord_kind kind,
                                           __local const accord_group_team* team, int row,
                                           int column, int end_column) {
  const accord_border border =
      accord_make_border(team->sweep.border_row, team->sweep.border_column, part->scale);
  const accord_start start = team->sweep.of[kind.number].start;
  accord_end end;
  end.m = 0.0f;
  ACCORD_UNROLL
  for (int k = 0; k < ACCORD_GAP_CLASSES; ++k) end.x[k] = end.y[k] = 0.0f;
  float diagonal = part->diagonal;
  part->diagonal = left->s;
  ACCORD_UNROLL
  for (int c = 0; c < ACCORD_TILE; ++c) {
    const accord_inject inject = accord_border_cell(border, kind, row, column + c, start);
    accord_cell_across(&part->top[c], left, &diagonal, weight[c], row_opening, gaps, kind, 1,
                       &inject);
    // Selected by value: for top[end_column] a compiler would keep the whole strip in memory.
    const accord_side cell = part->top[c];
    const int here = c == end_column;
    end.m = here ? cell.m : end.m;
    ACCORD_UNROLL
    for (int k = 0; k < ACCORD_GAP_CLASSES; ++k) {
      end.x[k] = here ? cell.gap[k] : end.x[k];
      end.y[k] = here ? left->gap[k] : end.y[k];
    }
  }
  return end;
}

// Injects the border column of the partition function into a row below the border row. `column`:
// the border column, counted from the tile's first; it may lie outside of the tile. The injection
// changes S only, which no other cell of the row needs.
ACCORD_FUNCTION void accord_inject_column(accord_strip_part* part, accord_side* right, int column) {
  const float one = accord_rescale(1.0f, accord_pow2(-part->scale));
  ACCORD_UNROLL
  for (int c = 0; c < ACCORD_TILE; ++c) {
    const float s = part->top[c].s + one;
    part->top[c].s = c == column ? s : part->top[c].s;
  }
  right->s = part->top[ACCORD_TILE - 1].s;
}

// The pair-HMM's total, from the last cell of the pair (team->end), which an item has stored.
ACCORD_FUNCTION accord_total accord_hmm_total(__local const accord_group_team* team,
                                              __global const accord_model* model) {
  accord_total total = accord_total_zero();
  const accord_end end = team->end;
  accord_add_hmm_end(&total, &model->hmm, &end, team->m, team->m, team->end_scale);
  return total;
}

#endif
