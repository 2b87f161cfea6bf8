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
  accord_hmm_left hmm;
  accord_pf_left pf;
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
  __global accord_cell* cells;
  accord_workspace w;
  accord_sweep sweep;
  accord_band band;
  accord_inverse hmm_inverse, pf_inverse;
  accord_group_total hmm, pf_row, pf_column;
  int m, n;
  int tiles;       // strips of the band; 0 if the team has no band in this step
  int passes;      // and how often the team must walk for them
  int pass_steps;  // steps of a pass: tile rows, and more than a team has items
  uint capacity, found;
  float keep_from;
} accord_group_team;

// Local memory of a group. Columns of `hand` are the right borders of the items' tiles, and behind
// them what each team's first item gets from the pass before.
typedef struct accord_group_local {
  float2 weight[ACCORD_SYMBOLS * ACCORD_SYMBOLS];  // pair-HMM, partition function
  float hand[ACCORD_TILE][ACCORD_CARRIED][ACCORD_GROUP + ACCORD_TEAMS];
  int hand_scale[2][ACCORD_GROUP + ACCORD_TEAMS];
  accord_group_total part[ACCORD_GROUP];
  accord_group_team team[ACCORD_TEAMS];
  uint most;  // for agreement of the group on the longest loop
  uint edge;  // an item's tile touches a border in this step
} accord_group_local;

// State of an item's strip.
typedef struct accord_strip {
  accord_hmm_top hmm[ACCORD_TILE];
  accord_pf_top pf[ACCORD_TILE];
  int hmm_scale, pf_scale;                // of the current tile
  float hmm_factor, pf_factor;            // from the left tile's scale to this one's
  float hmm_diagonal, pf_diagonal;        // S left of the row above, in this tile's scale
  float hmm_corner, pf_corner;            // the same of the tile below, as it came
  int hmm_corner_scale, pf_corner_scale;  // and its scale
  ulong symbols;                          // 8 bits each
} accord_strip;

ACCORD_FUNCTION accord_handoff accord_read_hand(__local const accord_group_local* local_, int row,
                                                int slot) {
  accord_handoff in;
  in.hmm.m = local_->hand[row][0][slot];
  in.hmm.s = local_->hand[row][1][slot];
  in.hmm.y0 = local_->hand[row][2][slot];
  in.hmm.y1 = local_->hand[row][3][slot];
  in.pf.m = local_->hand[row][4][slot];
  in.pf.s = local_->hand[row][5][slot];
  in.pf.y = local_->hand[row][6][slot];
  return in;
}

ACCORD_FUNCTION void accord_write_hand(__local accord_group_local* local_, int row, int slot,
                                       const accord_handoff* out) {
  local_->hand[row][0][slot] = out->hmm.m;
  local_->hand[row][1][slot] = out->hmm.s;
  local_->hand[row][2][slot] = out->hmm.y0;
  local_->hand[row][3][slot] = out->hmm.y1;
  local_->hand[row][4][slot] = out->pf.m;
  local_->hand[row][5][slot] = out->pf.s;
  local_->hand[row][6][slot] = out->pf.y;
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

// 8 symbols of a sequence from position `at` of a sweep on, 8 bits each.
ACCORD_FUNCTION ulong accord_codes_at(__global const uchar* codes, int length, int padded, int at,
                                      int backward) {
  ulong packed = 0;
  ACCORD_UNROLL
  for (int k = 0; k < ACCORD_TILE; ++k) {
    packed |= (ulong)accord_code_at(codes, length, padded, at + k, backward) << (8 * k);
  }
  return packed;
}

ACCORD_FUNCTION void accord_begin_strip(accord_strip* strip, __local const accord_group_team* team,
                                        int tile_column) {
  ACCORD_UNROLL
  for (int c = 0; c < ACCORD_TILE; ++c) {
    strip->hmm[c].m = strip->hmm[c].s = strip->hmm[c].x0 = strip->hmm[c].x1 = 0.0f;
    strip->pf[c].m = strip->pf[c].s = strip->pf[c].x = 0.0f;
  }
  strip->symbols = accord_codes_at(team->y, team->n, team->sweep.cols, tile_column * ACCORD_TILE,
                                   team->sweep.backward);
  strip->hmm_scale = strip->pf_scale = ACCORD_NO_EXPONENT;
  strip->hmm_corner = strip->pf_corner = 0.0f;
  strip->hmm_corner_scale = strip->pf_corner_scale = ACCORD_NO_EXPONENT;
}

// Chooses the exponents of a tile and brings the state above into the new scale.
ACCORD_FUNCTION void accord_begin_tile(accord_strip* strip, __local const accord_group_team* team,
                                       int tile_row, int tile_column, int hmm_left_scale,
                                       int pf_left_scale) {
  const accord_sweep sweep = team->sweep;
  const int hmm_above = strip->hmm_scale, pf_above = strip->pf_scale;
  const int hmm_input = max(max(accord_hmm_top_exponent(strip->hmm, hmm_above),
                                accord_input_exponent(strip->hmm_corner, strip->hmm_corner_scale)),
                            accord_hmm_injected(&sweep, tile_row, tile_column));
  const int pf_input = max(max(accord_pf_top_exponent(strip->pf, pf_above),
                               accord_input_exponent(strip->pf_corner, strip->pf_corner_scale)),
                           accord_pf_injected(&sweep, tile_row, tile_column));
  strip->hmm_scale = accord_tile_exponent(hmm_input, hmm_left_scale);
  strip->pf_scale = accord_tile_exponent(pf_input, pf_left_scale);
  accord_hmm_rescale_top(strip->hmm, accord_pow2(hmm_above - strip->hmm_scale));
  accord_pf_rescale_top(strip->pf, accord_pow2(pf_above - strip->pf_scale));
  strip->hmm_factor = accord_pow2(hmm_left_scale - strip->hmm_scale);
  strip->pf_factor = accord_pow2(pf_left_scale - strip->pf_scale);
  strip->hmm_diagonal =
      accord_rescale(strip->hmm_corner, accord_pow2(strip->hmm_corner_scale - strip->hmm_scale));
  strip->pf_diagonal =
      accord_rescale(strip->pf_corner, accord_pow2(strip->pf_corner_scale - strip->pf_scale));
}

// Match weights of the residue `code` of x against the strip's residues of y.
ACCORD_FUNCTION void accord_row_weights(__local const accord_group_local* local_, int code,
                                        ulong symbols, float* hmm, float* pf) {
  __local const float2* row = local_->weight + code * ACCORD_SYMBOLS;
  ACCORD_UNROLL
  for (int c = 0; c < ACCORD_TILE; ++c) {
    const float2 both = row[(symbols >> (8 * c)) & 0xff];
    hmm[c] = both.x;
    pf[c] = both.y;
  }
}

// The border of a sweep and 1 in the scale of a tile.
ACCORD_FUNCTION accord_border accord_border_of(__local const accord_group_team* team, int scale) {
  accord_border border;
  border.row = team->sweep.border_row;
  border.column = team->sweep.border_column;
  border.one = accord_rescale(1.0f, accord_pow2(-scale));
  return border;
}

// The 8 pair-HMM cells of one row. With `edge`, the start is injected and the cell in column
// `end_column` is reported.
ACCORD_FUNCTION void accord_hmm_row(accord_strip* strip, accord_hmm_left* left, const float* weight,
                                    accord_hmm_gaps gaps, __local const accord_group_team* team,
                                    int row, int column, int edge, accord_hmm_end* end,
                                    int end_column) {
  float diagonal = strip->hmm_diagonal;
  strip->hmm_diagonal = left->s;
  if (edge) {
    const accord_border border = accord_border_of(team, strip->hmm_scale);
    const float start = team->sweep.start, gap0 = team->sweep.gap0, gap1 = team->sweep.gap1;
    ACCORD_UNROLL
    for (int c = 0; c < ACCORD_TILE; ++c) {
      accord_hmm_cell(&strip->hmm[c], left, &diagonal, weight[c], gaps, 1,
                      accord_hmm_border_cell(border, row, column + c, start, gap0, gap1));
      // Chosen among values, not among places: a compiler that reads hmm[end_column] instead
      // would keep the whole strip in memory.
      const accord_hmm_top cell = strip->hmm[c];
      const int here = c == end_column;
      end->m = here ? cell.m : end->m;
      end->x0 = here ? cell.x0 : end->x0;
      end->x1 = here ? cell.x1 : end->x1;
      end->y0 = here ? left->y0 : end->y0;
      end->y1 = here ? left->y1 : end->y1;
    }
  } else {
    ACCORD_UNROLL
    for (int c = 0; c < ACCORD_TILE; ++c) {
      accord_hmm_cell(&strip->hmm[c], left, &diagonal, weight[c], gaps, 0, accord_hmm_no_inject());
    }
  }
}

// The 8 partition function cells of one row; with `edge`, the borders inject.
ACCORD_FUNCTION void accord_pf_row(accord_strip* strip, accord_pf_left* left, const float* weight,
                                   accord_pf_gaps gaps, __local const accord_group_team* team,
                                   int row, int column, int edge) {
  float diagonal = strip->pf_diagonal;
  strip->pf_diagonal = left->s;
  if (edge) {
    const accord_border border = accord_border_of(team, strip->pf_scale);
    ACCORD_UNROLL
    for (int c = 0; c < ACCORD_TILE; ++c) {
      accord_pf_cell(&strip->pf[c], left, &diagonal, weight[c], gaps, 1,
                     accord_pf_border_cell(border, row, column + c));
    }
  } else {
    ACCORD_UNROLL
    for (int c = 0; c < ACCORD_TILE; ++c) {
      accord_pf_cell(&strip->pf[c], left, &diagonal, weight[c], gaps, 0, 0.0f);
    }
  }
}

// Where M of the forward sweep lies: 8 columns of a row of both models, the second 4 of them
// `apart` behind the first.
typedef struct accord_match_row {
  __global float4* hmm;
  __global float4* pf;
  uint apart;
} accord_match_row;

// M of what the items of a team compute in the same step lies side by side, so that they write and
// read whole lines: strips s of a pass (`width` of them, ACCORD_TEAM but in the last) have row r of
// tile row I as [(I + s) mod tile rows][r][half of the columns][s].
ACCORD_FUNCTION uint accord_match_width(__local const accord_group_team* team, int strip) {
  return (uint)min(ACCORD_TEAM, team->tiles - strip / ACCORD_TEAM * ACCORD_TEAM);
}

// Row `row` of the strip that is number `strip` of the band, forward.
ACCORD_FUNCTION accord_match_row accord_match_place(__local const accord_group_team* team,
                                                    int strip, int row) {
  const uint row_tiles = team->w.row_tiles, in_pass = (uint)strip % ACCORD_TEAM;
  const uint slot = ((uint)row / ACCORD_TILE + in_pass) % row_tiles;  // of integers
  const ulong tile_vectors = (ulong)row_tiles * (ACCORD_TILE * ACCORD_TILE / 4);
  accord_match_row match;
  match.apart = accord_match_width(team, strip);
  match.hmm = (__global float4*)(team->memory + team->w.match) +
              (ulong)(strip / ACCORD_TEAM * ACCORD_TEAM) * tile_vectors +
              (ulong)(slot * ACCORD_TILE + (uint)row % ACCORD_TILE) * (2 * match.apart) + in_pass;
  match.pf = match.hmm + team->w.band_tiles * tile_vectors;
  return match;
}

// The exponents of M of a tile; those of the partition function are as many behind as a band has
// tiles.
ACCORD_FUNCTION __global int* accord_match_scale(__local const accord_group_team* team, int strip,
                                                 int tile_row) {
  return (__global int*)team->memory + team->w.match_scale + (ulong)strip * team->w.row_tiles +
         (ulong)tile_row;
}
ACCORD_FUNCTION ulong accord_band_tiles(__local const accord_group_team* team) {
  return (ulong)team->w.band_tiles * team->w.row_tiles;
}

ACCORD_FUNCTION void accord_store_row(const accord_strip* strip, accord_match_row to) {
  to.hmm[0] = (float4)(strip->hmm[0].m, strip->hmm[1].m, strip->hmm[2].m, strip->hmm[3].m);
  to.hmm[to.apart] = (float4)(strip->hmm[4].m, strip->hmm[5].m, strip->hmm[6].m, strip->hmm[7].m);
  to.pf[0] = (float4)(strip->pf[0].m, strip->pf[1].m, strip->pf[2].m, strip->pf[3].m);
  to.pf[to.apart] = (float4)(strip->pf[4].m, strip->pf[5].m, strip->pf[6].m, strip->pf[7].m);
}

// Squares of the posteriors of half a row: 4 backward cells against 4 forward ones, mirrored.
ACCORD_FUNCTION float4 accord_squares(float4 hmm_m, float4 pf_m, float4 hmm_s, float4 pf_s,
                                      float hmm_factor, float pf_factor) {
  float4 squares;
  const float p0 = accord_posterior(hmm_m.w, hmm_s.x, hmm_factor);
  const float p1 = accord_posterior(hmm_m.z, hmm_s.y, hmm_factor);
  const float p2 = accord_posterior(hmm_m.y, hmm_s.z, hmm_factor);
  const float p3 = accord_posterior(hmm_m.x, hmm_s.w, hmm_factor);
  const float q0 = accord_posterior(pf_m.w, pf_s.x, pf_factor);
  const float q1 = accord_posterior(pf_m.z, pf_s.y, pf_factor);
  const float q2 = accord_posterior(pf_m.y, pf_s.z, pf_factor);
  const float q3 = accord_posterior(pf_m.x, pf_s.w, pf_factor);
  squares.x = fma(p0, p0, q0 * q0);
  squares.y = fma(p1, p1, q1 * q1);
  squares.z = fma(p2, p2, q2 * q2);
  squares.w = fma(p3, p3, q3 * q3);
  return squares;
}

// M of 8 columns of a row of both models.
typedef struct accord_match_values {
  float4 hmm[2], pf[2];
} accord_match_values;

ACCORD_FUNCTION accord_match_values accord_load_row(accord_match_row from) {
  accord_match_values values;
  values.hmm[0] = from.hmm[0];
  values.hmm[1] = from.hmm[from.apart];
  values.pf[0] = from.pf[0];
  values.pf[1] = from.pf[from.apart];
  return values;
}

// Emits the cells of one row: backward S in the strip against forward M in the mirrored order.
// Their probability is left as the sum of the models' squares, of which pack_cells makes the root.
ACCORD_FUNCTION void accord_emit_row(const accord_strip* strip, __local accord_group_team* team,
                                     const accord_match_values* match, float hmm_factor,
                                     float pf_factor, int forward_row, int forward_column) {
  const float4 low =
      accord_squares(match->hmm[1], match->pf[1],
                     (float4)(strip->hmm[0].s, strip->hmm[1].s, strip->hmm[2].s, strip->hmm[3].s),
                     (float4)(strip->pf[0].s, strip->pf[1].s, strip->pf[2].s, strip->pf[3].s),
                     hmm_factor, pf_factor);
  const float4 high =
      accord_squares(match->hmm[0], match->pf[0],
                     (float4)(strip->hmm[4].s, strip->hmm[5].s, strip->hmm[6].s, strip->hmm[7].s),
                     (float4)(strip->pf[4].s, strip->pf[5].s, strip->pf[6].s, strip->pf[7].s),
                     hmm_factor, pf_factor);
  const float4 most = max(low, high);
  if (max(max(most.x, most.y), max(most.z, most.w)) < team->keep_from) return;
  const int i = forward_row - 1, j = forward_column - 1;
  if (i < 0 || i >= team->m) return;
  const float squares[ACCORD_TILE] = {high.w, high.z, high.y, high.x, low.w, low.z, low.y, low.x};
  uint kept = 0;  // a bit a column
  ACCORD_UNROLL
  for (int c = 0; c < ACCORD_TILE; ++c) {
    const int keeps = squares[c] >= team->keep_from && j + c >= 0 && j + c < team->n;
    kept |= (uint)keeps << c;
  }
  const uint count = popcount(kept);
  if (count == 0) return;
  const uint first = atomic_add(&team->found, count);
  if (first + count > team->capacity) return;  // the task will be computed again, with enough room
  __global accord_cell* cell = team->cells + first;
  ACCORD_UNROLL
  for (int c = 0; c < ACCORD_TILE; ++c) {
    if ((kept & 1u << c) == 0) continue;
    cell->row = (uint)i;
    cell->column = (uint)(j + c);
    cell->probability = squares[c];
    ++cell;
  }
}

#endif
