// SPDX-License-Identifier: Apache-2.0
// The group shape's building blocks: what a work-item does to a tile of its strip, and how rows
// travel between items and passes. OpenCL C only; posterior_group.cl sets ACCORD_GROUP and
// ACCORD_TEAM.
#ifndef ACCORD_SHARED_GROUP_STRIP_H
#define ACCORD_SHARED_GROUP_STRIP_H
#include "shared/sweep.h"

#define ACCORD_TEAMS (ACCORD_GROUP / ACCORD_TEAM)

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
  int passes;      // and how often the team must walk for them
  int pass_steps;  // steps of a pass: tile rows, and more than a team has items
  uint capacity, found;
} accord_group_team;

// Local memory of a group. Columns of `hand` are the right borders of the items' tiles, and behind
// them what each team's first item gets from the pass before.
typedef struct accord_group_local {
  // Of the pair-HMM and of the partition function.
  float2 weight[ACCORD_SYMBOLS * ACCORD_SYMBOLS];
  float2 context[ACCORD_CONTEXTS * ACCORD_CONTEXTS];
  // Factors of opening a gap behind the columns of each item's strip.
  float column_opening[ACCORD_TILE][ACCORD_GROUP];
  float hand[ACCORD_TILE][ACCORD_CARRIED][ACCORD_GROUP + ACCORD_TEAMS];
  int hand_scale[ACCORD_MODELS][ACCORD_GROUP + ACCORD_TEAMS];
  accord_group_total part[ACCORD_GROUP];
  accord_group_team team[ACCORD_TEAMS];
  uint most;  // for agreement of the group on the longest loop
  uint edge;  // an item's tile touches a border in this step
  uint next;  // first of the tasks that the group does next
} accord_group_local;

// State of an item's strip, of one model.
typedef struct accord_strip_part {
  accord_side top[ACCORD_TILE];
  int scale;         // of the current tile
  float from_left;   // from the left tile's scale to this one's
  float diagonal;    // S left of the row above, in this tile's scale
  float corner;      // the same of the tile below, as it came
  int corner_scale;  // and its scale
} accord_strip_part;

typedef struct accord_strip {
  accord_strip_part of[ACCORD_MODELS];
  ulong codes;  // of its columns, 8 bits each
} accord_strip;

ACCORD_FUNCTION accord_handoff accord_read_hand(__local const accord_group_local* local_,
                                                __local const int* uses, int row, int slot) {
  const accord_kind hmm = accord_hmm_kind(), partition = accord_partition_kind();
  __local const float* from = &local_->hand[row][0][slot];
  accord_handoff in;
  if (uses[ACCORD_HMM]) {
    ACCORD_GET_SIDE(in.of[ACCORD_HMM], hmm, from, ACCORD_GROUP + ACCORD_TEAMS);
  }
  if (uses[ACCORD_PARTITION]) {
    ACCORD_GET_SIDE(in.of[ACCORD_PARTITION], partition, from, ACCORD_GROUP + ACCORD_TEAMS);
  }
  return in;
}

ACCORD_FUNCTION void accord_write_hand(__local accord_group_local* local_, __local const int* uses,
                                       int row, int slot, const accord_handoff* out) {
  const accord_kind hmm = accord_hmm_kind(), partition = accord_partition_kind();
  __local float* to = &local_->hand[row][0][slot];
  if (uses[ACCORD_HMM]) {
    ACCORD_PUT_SIDE(out->of[ACCORD_HMM], hmm, to, ACCORD_GROUP + ACCORD_TEAMS);
  }
  if (uses[ACCORD_PARTITION]) {
    ACCORD_PUT_SIDE(out->of[ACCORD_PARTITION], partition, to, ACCORD_GROUP + ACCORD_TEAMS);
  }
}

// Where a border slot keeps a row, and the exponents of a tile row.
ACCORD_FUNCTION __global float* accord_border_row(__local const accord_group_team* team, uint slot,
                                                  int row) {
  const ulong rows = (ulong)team->w.row_tiles * ACCORD_TILE;
  return team->memory + team->w.border + ((ulong)slot * rows + (ulong)row) * ACCORD_CARRIED;
}
ACCORD_FUNCTION __global int* accord_border_scale(__local const accord_group_team* team, uint slot,
                                                  int tile_row) {
  return (__global int*)team->memory + team->w.border_scale +
         2 * ((ulong)slot * team->w.row_tiles + (ulong)tile_row);
}

// What an item of a team holds of the right border of a tile: some rows, and an exponent.
#define ACCORD_ROWS_EACH ((ACCORD_TILE + ACCORD_TEAM - 1) / ACCORD_TEAM)
typedef struct accord_border_part {
  float value[ACCORD_ROWS_EACH][ACCORD_CARRIED];
  int scale;
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
    __global const float* from = accord_border_row(team, slot, tile_row * ACCORD_TILE + row);
    ACCORD_UNROLL
    for (int v = 0; v < ACCORD_CARRIED; ++v) {
      part.value[k][v] = nothing || row >= ACCORD_TILE ? 0.0f : from[v];
    }
  }
  part.scale =
      nothing || item >= 2 ? ACCORD_NO_EXPONENT : accord_border_scale(team, slot, tile_row)[item];
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
    ACCORD_UNROLL
    for (int v = 0; v < ACCORD_CARRIED; ++v) {
      if (row < ACCORD_TILE) local_->hand[row][v][column] = part->value[k][v];
    }
  }
  if (item < 2) local_->hand_scale[item][column] = part->scale;
}

// The items of a team leave the right border of the tile of item `of` in a border slot.
ACCORD_FUNCTION void accord_leave_border(__local const accord_group_local* local_,
                                         __local const accord_group_team* team, int of, uint slot,
                                         int tile_row) {
  const int item = accord_team_item();
  for (int row = item; row < ACCORD_TILE; row += ACCORD_TEAM) {
    __global float* to = accord_border_row(team, slot, tile_row * ACCORD_TILE + row);
    ACCORD_UNROLL
    for (int v = 0; v < ACCORD_CARRIED; ++v) to[v] = local_->hand[row][v][of];
  }
  if (item < 2) {
    accord_border_scale(team, slot, tile_row)[item] = local_->hand_scale[item][of];
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

// The items of a team find the factors of opening a gap in its pair, by the number of residues
// before the gap.
ACCORD_FUNCTION void accord_fill_openings(__local const accord_group_team* team,
                                          __global const accord_model* model) {
  __global float* rows = team->memory + team->w.row_opening;
  __global float* columns = team->memory + team->w.column_opening;
  for (int i = accord_team_item(); i < (int)team->w.row_tiles * ACCORD_TILE; i += ACCORD_TEAM) {
    rows[i] = accord_opening(model, team->x, team->m, i);
  }
  for (int j = accord_team_item(); j < (int)team->w.col_tiles * ACCORD_TILE; j += ACCORD_TEAM) {
    columns[j] = accord_opening(model, team->y, team->n, j);
  }
}

ACCORD_FUNCTION void accord_begin_strip(accord_strip* strip, __local accord_group_local* local_,
                                        __local const accord_group_team* team, int tile_column) {
  ACCORD_UNROLL
  for (int model = 0; model < ACCORD_MODELS; ++model) {
    accord_strip_part* part = &strip->of[model];
    ACCORD_UNROLL
    for (int c = 0; c < ACCORD_TILE; ++c) {
      part->top[c].m = part->top[c].s = 0.0f;
      ACCORD_UNROLL
      for (int k = 0; k < ACCORD_GAP_CLASSES; ++k) part->top[c].gap[k] = 0.0f;
    }
    part->scale = part->corner_scale = ACCORD_NO_EXPONENT;
    part->corner = 0.0f;
  }
  const int column = tile_column * ACCORD_TILE, backward = team->sweep.backward;
  strip->codes = accord_codes_at(team->y, team->n, team->sweep.cols, column, backward);
  ACCORD_UNROLL
  for (int c = 0; c < ACCORD_TILE; ++c) {
    local_->column_opening[c][get_local_id(0)] =
        team->memory[team->w.column_opening +
                     (ulong)accord_residues_at(team->sweep.cols, column + c, backward)];
  }
}

// The largest value that the item on the left hands on, over all rows of its tile; S is M and more.
ACCORD_FUNCTION float accord_largest_of_hand(__local const accord_group_local* local_,
                                             accord_kind kind, int left) {
  float largest = 0.0f;
  ACCORD_UNROLL
  for (int r = 0; r < ACCORD_TILE; ++r) {
    ACCORD_UNROLL
    for (int v = 1; v < 2 + ACCORD_GAP_CLASSES; ++v) {
      if (v < 2 + kind.classes) {
        largest = accord_max(largest, local_->hand[r][kind.first + v][left]);
      }
    }
  }
  return largest;
}

// Chooses the exponent of a tile and brings the state above into the new scale.
ACCORD_FUNCTION void accord_begin_tile(accord_strip_part* part, accord_kind kind,
                                       __local const accord_group_local* local_,
                                       __local const accord_group_team* team, int tile_row,
                                       int tile_column, int left) {
  const accord_sweep sweep = team->sweep;
  accord_input above, corner, from_left;
  above.value = 0.0f;
  ACCORD_UNROLL
  for (int c = 0; c < ACCORD_TILE; ++c) {
    above.value = accord_max(above.value, accord_largest_of_side(&part->top[c], kind));
  }
  above.scale = part->scale;
  corner.value = part->corner;
  corner.scale = part->corner_scale;
  from_left.value = accord_largest_of_hand(local_, kind, left);
  from_left.scale = local_->hand_scale[kind.number][left];
  const accord_entry entry = accord_choose_scale(
      above, corner, from_left, accord_injected(&sweep, kind, tile_row, tile_column));
  ACCORD_UNROLL
  for (int c = 0; c < ACCORD_TILE; ++c) {
    accord_rescale_side(&part->top[c], kind, entry.from_above);
  }
  part->scale = entry.scale;
  part->diagonal = entry.corner;
  part->from_left = entry.from_left;
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
// side by side) and of the row. With `edge`, the border injects and the cell in column `end_column`
// is reported, unless `end` is null.
ACCORD_FUNCTION void accord_strip_row(accord_strip_part* part, accord_side* left,
                                      const float* weight, __local const float* column_opening,
                                      float row_opening, const accord_gaps* gaps, accord_kind kind,
                                      __local const accord_group_team* team, int row, int column,
                                      int edge, accord_end* end, int end_column) {
  accord_opens opens;
  opens.row = row_opening;
  float diagonal = part->diagonal;
  part->diagonal = left->s;
  accord_inject inject = accord_no_inject();
  if (edge) {
    const accord_border border =
        accord_make_border(team->sweep.border_row, team->sweep.border_column, part->scale);
    const accord_start start = team->sweep.of[kind.number].start;
    ACCORD_UNROLL
    for (int c = 0; c < ACCORD_TILE; ++c) {
      inject = accord_border_cell(border, kind, row, column + c, start);
      opens.column = column_opening[c * ACCORD_GROUP];
      accord_cell_step(&part->top[c], left, &diagonal, weight[c], opens, gaps, kind, 1, &inject);
      if (end == 0) continue;
      // Chosen among values, not among places: a compiler that reads top[end_column] instead
      // would keep the whole strip in memory.
      const accord_side cell = part->top[c];
      const int here = c == end_column;
      end->m = here ? cell.m : end->m;
      ACCORD_UNROLL
      for (int k = 0; k < ACCORD_GAP_CLASSES; ++k) {
        end->x[k] = here ? cell.gap[k] : end->x[k];
        end->y[k] = here ? left->gap[k] : end->y[k];
      }
    }
  } else {
    ACCORD_UNROLL
    for (int c = 0; c < ACCORD_TILE; ++c) {
      opens.column = column_opening[c * ACCORD_GROUP];
      accord_cell_step(&part->top[c], left, &diagonal, weight[c], opens, gaps, kind, 0, &inject);
    }
  }
}

#endif
