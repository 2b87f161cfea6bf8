// SPDX-License-Identifier: Apache-2.0
// The group layout's building blocks: what a work-item does to a tile of its strip, and how rows
// travel between items and passes. OpenCL C only; posteriors/group.cl sets ACCORD_GROUP and
// ACCORD_TEAM.
#ifndef ACCORD_SHARED_GROUP_STRIP_H
#define ACCORD_SHARED_GROUP_STRIP_H
#include "posteriors/sweep.h"

#define ACCORD_TEAMS (ACCORD_GROUP / ACCORD_TEAM)
#define ACCORD_HAND_COLUMNS (ACCORD_GROUP + ACCORD_TEAMS)

// This item's place in its team, and the team's in the group.
ACCORD_FUNCTION int accord_team_item(void) { return (int)((uint)get_local_id(0) % ACCORD_TEAM); }
ACCORD_FUNCTION int accord_team_number(void) { return (int)((uint)get_local_id(0) / ACCORD_TEAM); }

// What an item hands to the item on its right, for one row.
typedef struct accord_handoff {
  accord_side of[ACCORD_MODELS];
} accord_handoff;

// A sum that travels between items (accord_total has vectors of lanes).
typedef struct accord_group_total {
  float high, low;
  int scale;
} accord_group_total;

// A team's pair, the band that it walks over, and its memory. It lies in local memory, and what is
// needed is read when it is needed: registers are for the strips.
typedef struct accord_group_team {
  __global const uchar* x;
  __global const uchar* y;
  __global float* memory;
  __global accord_found_cell* cells;
  accord_workspace w;
  accord_sweep sweep;
  accord_band band;
  accord_combination combination;
  accord_inverse inverse[ACCORD_MODELS];
  accord_group_total hmm, row, column;  // (row, column: accord_partition_sums)
  int m, n;
  int tiles;       // strips of the band; 0 if the team has no band in this step
  int pass_steps;  // steps of a pass: tile rows, and more than a team has items
  int ended[2];    // tile rows that the last item, and that of the last strip, have ended; else -1
  uint capacity, found;
} accord_group_team;

// Local memory of a group. Columns of `hand` are the right borders of the items' tiles, and behind
// them what each team's first item gets from the pass before.
typedef struct accord_group_local {
  // Of the pair-HMM and of the partition function.
  float2 weight[ACCORD_SYMBOLS * ACCORD_SYMBOLS];
  float2 context[ACCORD_CONTEXTS * ACCORD_CONTEXTS];
  // Factors of opening a gap behind the columns of each item's strip, and behind its tile's rows,
  // forward.
  float column_opening[ACCORD_TILE][ACCORD_GROUP];
  float row_opening[ACCORD_TILE][ACCORD_GROUP];
  float hand[ACCORD_TILE][ACCORD_CARRIED][ACCORD_HAND_COLUMNS];
  int hand_scale[ACCORD_MODELS][ACCORD_HAND_COLUMNS];
  float hand_most[ACCORD_MODELS][ACCORD_HAND_COLUMNS];  // the largest of the column
  float below_most[ACCORD_MODELS][ACCORD_GROUP];  // the largest that each item's tile hands down
  int least[ACCORD_MODELS][ACCORD_GROUP];  // backward: accord_least_handed_on of each item's tile
  accord_group_total part[ACCORD_GROUP];
  accord_group_team team[ACCORD_TEAMS];
  uint most;     // for agreement of the group on the longest loop
  uint edge[3];  // an item's tile touches a border, in a step, in the next one, in the one before
  uint next;     // first of the tasks that the group does next
} accord_group_local;

// State of an item's strip, of one model.
typedef struct accord_strip_part {
  accord_side top[ACCORD_TILE];
  int scale;         // of the current tile
  float from_left;   // from the left tile's scale to this one's
  float diagonal;    // S left of the row above, in this tile's scale
  float corner;      // the same of the tile below, as it came
  int corner_scale;  // and its scale
  float most;        // the largest value of the right border so far
} accord_strip_part;

typedef struct accord_strip {
  accord_strip_part of[ACCORD_MODELS];
  ulong codes;  // of its columns, 8 bits each
} accord_strip;

ACCORD_FUNCTION accord_handoff accord_read_hand(__local const accord_group_local* local_, int row,
                                                int slot) {
  const accord_kind hmm = accord_hmm_kind(), partition = accord_partition_kind();
  __local const float* from = &local_->hand[row][0][slot];
  accord_handoff in;
  ACCORD_GET_SIDE(in.of[ACCORD_HMM], hmm, from, ACCORD_HAND_COLUMNS);
  ACCORD_GET_SIDE(in.of[ACCORD_PARTITION], partition, from, ACCORD_HAND_COLUMNS);
  return in;
}

ACCORD_FUNCTION void accord_write_hand(__local accord_group_local* local_, int row, int slot,
                                       const accord_handoff* out) {
  const accord_kind hmm = accord_hmm_kind(), partition = accord_partition_kind();
  __local float* to = &local_->hand[row][0][slot];
  ACCORD_PUT_SIDE(out->of[ACCORD_HMM], hmm, to, ACCORD_HAND_COLUMNS);
  ACCORD_PUT_SIDE(out->of[ACCORD_PARTITION], partition, to, ACCORD_HAND_COLUMNS);
}

// Where a border slot keeps a row, and the exponents of a tile row.
ACCORD_FUNCTION __global float4* accord_border_row(__local const accord_group_team* team, uint slot,
                                                   int row) {
  const ulong rows = (ulong)team->w.row_tiles * ACCORD_TILE;
  return (__global float4*)(team->memory + team->w.border) +
         ((ulong)slot * rows + (ulong)row) * (ACCORD_CARRIED / 4);
}
ACCORD_FUNCTION __global int* accord_border_scale(__local const accord_group_team* team, uint slot,
                                                  int tile_row) {
  return (__global int*)team->memory + team->w.border_scale +
         2 * ((ulong)slot * team->w.row_tiles + (ulong)tile_row);
}
ACCORD_FUNCTION __global float* accord_border_most(__local const accord_group_team* team, uint slot,
                                                   int tile_row) {
  return team->memory + team->w.border_most +
         2 * ((ulong)slot * team->w.row_tiles + (ulong)tile_row);
}

// What an item of a team holds of the right border of a tile: some rows, and of a model the
// exponent and the largest value.
#define ACCORD_ROWS_EACH ((ACCORD_TILE + ACCORD_TEAM - 1) / ACCORD_TEAM)
typedef struct accord_border_part {
  float4 value[ACCORD_ROWS_EACH][ACCORD_CARRIED / 4];
  int scale;
  float most;
} accord_border_part;

// The items of a team take the right border of a tile out of a border slot, or zeros where nothing
// lies to the left.
ACCORD_FUNCTION accord_border_part accord_fetch_border(__local const accord_group_team* team,
                                                       int nothing, uint slot, int tile_row) {
  const int item = accord_team_item();
  accord_border_part part;
  ACCORD_UNROLL
  for (int k = 0; k < ACCORD_ROWS_EACH; ++k) {
    const int row = k * ACCORD_TEAM + item;
    __global const float4* from = accord_border_row(team, slot, tile_row * ACCORD_TILE + row);
    ACCORD_UNROLL
    for (int v = 0; v < ACCORD_CARRIED / 4; ++v) {
      part.value[k][v] = nothing || row >= ACCORD_TILE ? (float4)(0.0f) : from[v];
    }
  }
  const int has_model = !nothing && item < ACCORD_MODELS;
  part.scale = has_model ? accord_border_scale(team, slot, tile_row)[item] : ACCORD_NO_EXPONENT;
  part.most = has_model ? accord_border_most(team, slot, tile_row)[item] : 0.0f;
  return part;
}

// They put it into their column behind the items' columns.
ACCORD_FUNCTION void accord_put_border(__local accord_group_local* local_,
                                       const accord_border_part* part) {
  const int item = accord_team_item();
  const int column = ACCORD_GROUP + accord_team_number();
  ACCORD_UNROLL
  for (int k = 0; k < ACCORD_ROWS_EACH; ++k) {
    const int row = k * ACCORD_TEAM + item;
    if (row >= ACCORD_TILE) continue;
    ACCORD_UNROLL
    for (int v = 0; v < ACCORD_CARRIED / 4; ++v) {
      const float4 value = part->value[k][v];
      __local float* to = &local_->hand[row][4 * v][column];
      to[0] = value.x;
      to[ACCORD_HAND_COLUMNS] = value.y;
      to[2 * ACCORD_HAND_COLUMNS] = value.z;
      to[3 * ACCORD_HAND_COLUMNS] = value.w;
    }
  }
  if (item < ACCORD_MODELS) {
    local_->hand_scale[item][column] = part->scale;
    local_->hand_most[item][column] = part->most;
  }
}

// The items of a team leave the right border of the tile of item `of` in a border slot.
ACCORD_FUNCTION void accord_leave_border(__local const accord_group_local* local_,
                                         __local const accord_group_team* team, int of, uint slot,
                                         int tile_row) {
  const int item = accord_team_item();
  for (int row = item; row < ACCORD_TILE; row += ACCORD_TEAM) {
    __global float4* to = accord_border_row(team, slot, tile_row * ACCORD_TILE + row);
    ACCORD_UNROLL
    for (int v = 0; v < ACCORD_CARRIED / 4; ++v) {
      __local const float* from = &local_->hand[row][4 * v][of];
      to[v] = (float4)(from[0], from[ACCORD_HAND_COLUMNS], from[2 * ACCORD_HAND_COLUMNS],
                       from[3 * ACCORD_HAND_COLUMNS]);
    }
  }
  if (item < ACCORD_MODELS) {
    accord_border_scale(team, slot, tile_row)[item] = local_->hand_scale[item][of];
    accord_border_most(team, slot, tile_row)[item] = local_->hand_most[item][of];
  }
}

// 8 codes of a sequence from position `at` of a sweep on, 8 bits each.
ACCORD_FUNCTION ulong accord_codes_at(__global const uchar* codes, int length, int padded, int at,
                                      int backward) {
  ulong packed = 0;
  ACCORD_UNROLL
  for (int k = 0; k < ACCORD_TILE; ++k) {
    packed |= (ulong)accord_code_at(codes, length, padded, at + k, backward) << (8 * k);
  }
  return packed;
}

// Where the codes of the tiles of a direction are kept, of rows or of columns.
ACCORD_FUNCTION __global ulong* accord_tile_codes(__local const accord_group_team* team,
                                                  ulong first, uint tiles, int backward) {
  return (__global ulong*)(team->memory + first) + (backward ? tiles : 0);
}

// The items of a team find what is asked for in every tile of a sequence of its pair: the factors
// of opening a gap, by the number of residues before it, and the codes, in both directions.
ACCORD_FUNCTION void accord_fill_sequence(__local const accord_group_team* team,
                                          __global const accord_model* model,
                                          __global const uchar* codes, int length, uint tiles,
                                          ulong opening, ulong tile_codes) {
  const int padded = (int)tiles * ACCORD_TILE;
  for (int k = accord_team_item(); k < padded; k += ACCORD_TEAM) {
    team->memory[opening + (ulong)k] = accord_opening(model, codes, length, k);
  }
  for (int k = accord_team_item(); k < 2 * (int)tiles; k += ACCORD_TEAM) {
    const int backward = k >= (int)tiles, tile = backward ? k - (int)tiles : k;
    accord_tile_codes(team, tile_codes, tiles, backward)[tile] =
        accord_codes_at(codes, length, padded, tile * ACCORD_TILE, backward);
  }
}

// What an item needs of a strip that it begins; of the openings the first, which brings the others
// near.
typedef struct accord_columns {
  ulong codes;
  float opening;
} accord_columns;

// Factor of opening a gap behind column `column` of the sweep.
ACCORD_FUNCTION float accord_column_opening(__local const accord_group_team* team, int column,
                                            int backward) {
  return team->memory[team->w.column_opening +
                      (ulong)accord_residues_at(team->sweep.cols, column, backward)];
}

ACCORD_FUNCTION accord_columns accord_fetch_columns(__local const accord_group_team* team,
                                                    int tile_column) {
  const int backward = team->sweep.backward;
  accord_columns columns;
  columns.codes =
      accord_tile_codes(team, team->w.column_codes, team->w.col_tiles, backward)[tile_column];
  columns.opening = accord_column_opening(team, tile_column * ACCORD_TILE, backward);
  return columns;
}

// Nothing stands above a tile.
ACCORD_FUNCTION void accord_clear_top(accord_strip_part* part) {
  ACCORD_UNROLL
  for (int c = 0; c < ACCORD_TILE; ++c) {
    part->top[c].m = part->top[c].s = 0.0f;
    ACCORD_UNROLL
    for (int k = 0; k < ACCORD_GAP_CLASSES; ++k) part->top[c].gap[k] = 0.0f;
  }
}

ACCORD_FUNCTION void accord_begin_strip(accord_strip* strip, __local accord_group_local* local_,
                                        __local const accord_group_team* team, int tile_column,
                                        const accord_columns* columns) {
  ACCORD_UNROLL
  for (int model = 0; model < ACCORD_MODELS; ++model) {
    accord_strip_part* part = &strip->of[model];
    accord_clear_top(part);
    part->scale = part->corner_scale = ACCORD_NO_EXPONENT;
    part->corner = 0.0f;
    local_->below_most[model][get_local_id(0)] = 0.0f;
  }
  const int column = tile_column * ACCORD_TILE, backward = team->sweep.backward;
  strip->codes = columns->codes;
  ACCORD_UNROLL
  for (int c = 0; c < ACCORD_TILE; ++c) {
    local_->column_opening[c][get_local_id(0)] =
        c == 0 ? columns->opening : accord_column_opening(team, column + c, backward);
  }
}

// Enters what an item hands on into the largest value of the border; S is M and more.
ACCORD_FUNCTION void accord_raise_most(accord_strip_part* part, const accord_side* right,
                                       accord_kind kind) {
  part->most = accord_max(part->most, accord_largest_of_side(right, kind));
}

// Chooses the exponent of a tile and brings the state above into the new scale. If nothing enters,
// all is 0.
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
  from_left.value = local_->hand_most[kind.number][left];
  from_left.scale = local_->hand_scale[kind.number][left];
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

// Ends the tile of an item: finds the largest value that it hands down, and (backward) hands
// nothing on that is not worth it.
ACCORD_FUNCTION void accord_end_tile(accord_strip_part* part, accord_kind kind,
                                     __local accord_group_local* local_, int backward) {
  const size_t item = get_local_id(0);
  float below = 0.0f;
  ACCORD_UNROLL
  for (int c = 0; c < ACCORD_TILE; ++c) {
    below = accord_max(below, accord_largest_of_side(&part->top[c], kind));
  }
  local_->below_most[kind.number][item] = below;
  if (backward) {
    part->scale = accord_scale_handed_on(accord_max(below, part->most), part->scale,
                                         local_->least[kind.number][item]);
  }
}

// Match weights of the residue `code` of x against the strip's residues of y.
ACCORD_FUNCTION void accord_row_weights(__local const accord_group_local* local_, int code,
                                        ulong codes, float* hmm, float* partition) {
  __local const float2* row = local_->weight + ACCORD_LETTER(code) * ACCORD_SYMBOLS;
  __local const float2* factor = local_->context + ACCORD_CONTEXT(code) * ACCORD_CONTEXTS;
  ACCORD_UNROLL
  for (int c = 0; c < ACCORD_TILE; ++c) {
    const int other = (int)(codes >> (8 * c)) & 0xff;
    const float2 both = row[ACCORD_LETTER(other)] * factor[ACCORD_CONTEXT(other)];
    hmm[c] = both.x;
    partition[c] = both.y;
  }
}

// The 8 cells of one row of a model. Gaps open with the factors of the columns (those of all items,
// side by side) and of the row.
ACCORD_FUNCTION void accord_strip_row(accord_strip_part* part, accord_side* left,
                                      const float* weight, __local const float* column_opening,
                                      float row_opening, const accord_gaps* gaps,
                                      accord_kind kind) {
  const accord_inject inject = accord_no_inject();
  accord_opens opens;
  opens.row = row_opening;
  float diagonal = part->diagonal;
  part->diagonal = left->s;
  ACCORD_UNROLL
  for (int c = 0; c < ACCORD_TILE; ++c) {
    opens.column = column_opening[c * ACCORD_GROUP];
    accord_cell_step(&part->top[c], left, &diagonal, weight[c], opens, gaps, kind, 0, &inject);
  }
}

// The same where the border injects; the cell in column `end_column` is returned, zeros for -1.
ACCORD_FUNCTION accord_end accord_edge_row(accord_strip_part* part, accord_side* left,
                                           const float* weight, __local const float* column_opening,
                                           float row_opening, const accord_gaps* gaps,
                                           accord_kind kind, __local const accord_group_team* team,
                                           int row, int column, int end_column) {
  const accord_border border =
      accord_make_border(team->sweep.border_row, team->sweep.border_column, part->scale);
  const accord_start start = team->sweep.of[kind.number].start;
  accord_end end;
  end.m = 0.0f;
  ACCORD_UNROLL
  for (int k = 0; k < ACCORD_GAP_CLASSES; ++k) end.x[k] = end.y[k] = 0.0f;
  accord_opens opens;
  opens.row = row_opening;
  float diagonal = part->diagonal;
  part->diagonal = left->s;
  ACCORD_UNROLL
  for (int c = 0; c < ACCORD_TILE; ++c) {
    const accord_inject inject = accord_border_cell(border, kind, row, column + c, start);
    opens.column = column_opening[c * ACCORD_GROUP];
    accord_cell_step(&part->top[c], left, &diagonal, weight[c], opens, gaps, kind, 1, &inject);
    // Chosen among values, not among places: a compiler that reads top[end_column] instead
    // would keep the whole strip in memory.
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

// Leaves the pair-HMM's total for the team: what the last cell holds, each times the weight of
// ending there.
ACCORD_FUNCTION void accord_leave_hmm_total(__local accord_group_team* team,
                                            __global const accord_model* model,
                                            const accord_end* end, int row, int scale) {
  accord_total total = accord_total_zero();
  accord_add_hmm_end(&total, &model->hmm, end, team->m, row, scale);
  team->hmm.high = total.high;
  team->hmm.low = total.low;
  team->hmm.scale = total.scale;
}

#endif
