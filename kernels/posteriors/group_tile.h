// SPDX-License-Identifier: Apache-2.0
// The tiles of the group layout: the work of a work-item (item) in one step. A team of items
// computes a pair, and each item walks down a strip of 8 columns, one tile in each step (see
// group_walk.h). OpenCL C only.
#ifndef ACCORD_KERNELS_POSTERIORS_GROUP_TILE_H
#define ACCORD_KERNELS_POSTERIORS_GROUP_TILE_H
#include "posteriors/group_walk.h"

// The data of an item's tile while its rows are computed.
typedef struct accord_tile_work {
  int works;                          // 1: has a tile; backward, only if values enter the tile
  int row, column;                    // first row and column of the tile in the sweep
  int forward_row, forward_column;    // row of its first cell, and its leftmost column, forward
  int end_row;                        // row of the pair-HMM's last cell, for forward tiles of the
                                      // last tile column; else -1
  int backward;                       // 1 in the backward sweep
  ulong codes;                        // codes of the 8 residues of x, 8 bits each
  __global float4* match;             // M of the tile's first row in the sweep
  uint match_width;                   // number of strips in the pass (accord_match_tile)
  float hmm_posterior, pf_posterior;  // accord_posterior_factor; if both are 0, no cell is kept
  // Forward: the largest M of the tile so far. Backward: an upper bound of M of the mirrored tile,
  // times the posterior factor, times the root of the model's share (see accord_may_keep).
  float hmm_most, pf_most;
} accord_tile_work;

// Begins the tile of an item: chooses its exponents and looks up the data of its rows. `ahead` has
// the data that the item requested a step before; `left` is the column of `tile_border` with the
// left border of the tile. If `works` of the result is 0, the item has nothing to compute in this
// step, and the caller does not use the other fields.
ACCORD_FUNCTION accord_tile_work accord_enter_tile(accord_strip* strip,
                                                   __local accord_group_local* local_,
                                                   __local const accord_group_team* team,
                                                   const accord_ahead* ahead, int left) {
  const accord_place place = ahead->place;
  accord_tile_work tile;
  tile.works = ahead->works;
  tile.hmm_posterior = tile.pf_posterior = tile.hmm_most = tile.pf_most = 0.0f;
  tile.backward = team->sweep.backward;
  tile.end_row = -1;
  if (!tile.works) return tile;
  const int stored = accord_forward_strip(team, place);
  const int forward_tile = team->band.first_tile + stored;
  const int tile_column = accord_tile_column(team, place);
  tile.row = place.tile_row * ACCORD_TILE;
  tile.column = tile_column * ACCORD_TILE;
  tile.forward_row = tile.backward ? team->sweep.rows - 1 - tile.row : tile.row;
  tile.forward_column = forward_tile * ACCORD_TILE;
  if (!tile.backward && forward_tile == team->col_tiles - 1) tile.end_row = team->m;

  if (place.tile_row == 0) {
    accord_begin_strip(strip, local_, team, tile_column);
  }
  tile.codes = ahead->codes;
  accord_put_openings(local_, ahead->opening);
  accord_begin_tile(&strip->of[ACCORD_HMM], accord_hmm_kind(), local_, team, place.tile_row,
                    tile_column, left);
  accord_begin_tile(&strip->of[ACCORD_PARTITION], accord_partition_kind(), local_, team,
                    place.tile_row, tile_column, left);

  tile.match = accord_match_rows(team, ahead->match);
  tile.match_width = ahead->match.width;
  if (tile.backward) tile.match += (ACCORD_TILE - 1) * 4 * tile.match_width;
  const int hmm_scale = strip->of[ACCORD_HMM].scale, pf_scale = strip->of[ACCORD_PARTITION].scale;
  if (tile.backward) {
    tile.works = max(hmm_scale, pf_scale) > ACCORD_NO_EXPONENT;
    const int forward_hmm = accord_packed_scale(ahead->hmm_packed);
    const int forward_pf = accord_packed_scale(ahead->pf_packed);
    const accord_inverse of_hmm = team->inverse[ACCORD_HMM];
    const accord_inverse of_pf = team->inverse[ACCORD_PARTITION];
    local_->below_most[ACCORD_HMM][get_local_id(0)] =
        as_float(accord_least_handed_on(forward_hmm, of_hmm));
    local_->below_most[ACCORD_PARTITION][get_local_id(0)] =
        as_float(accord_least_handed_on(forward_pf, of_pf));
    tile.hmm_posterior = accord_posterior_factor(forward_hmm, hmm_scale, of_hmm);
    tile.pf_posterior = accord_posterior_factor(forward_pf, pf_scale, of_pf);
    tile.hmm_most =
        accord_packed_most(ahead->hmm_packed) * tile.hmm_posterior * team->combination.hmm_root;
    tile.pf_most =
        accord_packed_most(ahead->pf_packed) * tile.pf_posterior * team->combination.partition_root;
  }
  return tile;
}

// Whether the tile may have cells to keep: only in the backward sweep.
ACCORD_FUNCTION int accord_emits(const accord_tile_work* tile) {
  return tile->works && tile->backward && (tile->hmm_posterior > 0.0f || tile->pf_posterior > 0.0f);
}

// The place in memory of M of row r, 0 to 7, of a tile.
ACCORD_FUNCTION __global float4* accord_match_at(const accord_tile_work* tile, int r) {
  return tile->match + (tile->backward ? -r : r) * (int)(4 * tile->match_width);
}

// The inputs of a row of a tile: its match weights, its factor of opening a gap, and the values
// from the tile on the left.
typedef struct accord_row_work {
  float hmm_weight[ACCORD_TILE], pf_weight[ACCORD_TILE];
  float opening;             // factor of opening a gap behind the row
  accord_row_border border;  // left border of the row; after the row is computed, its right border
} accord_row_work;

// Reads the inputs of row r of a tile. The left border of the tile is in column `left` of
// `tile_border` in local memory.
ACCORD_FUNCTION accord_row_work accord_begin_row(const accord_strip* strip,
                                                 const accord_tile_work* tile,
                                                 __local const accord_group_local* local_, int r,
                                                 int left) {
  accord_row_work work;
  work.border = accord_read_row_border(local_, r, left);
  work.opening = local_->row_opening[tile->backward ? ACCORD_TILE - 1 - r : r][get_local_id(0)];
  accord_row_weights(local_, (uint)(tile->codes >> (8 * r)) & 0xffu, strip, work.hmm_weight,
                     work.pf_weight);
  return work;
}

// Computes the cells of a row, for both models, as if the border injected nothing.
// accord_tile_row() adds the values that the border column injects.
ACCORD_FUNCTION void accord_inner_row(accord_strip* strip, const accord_gaps* gaps,
                                      accord_row_work* work) {
  accord_strip_row(&strip->of[ACCORD_HMM], &work->border.of[ACCORD_HMM], work->hmm_weight,
                   work->opening, gaps + ACCORD_HMM, accord_hmm_kind());
  accord_strip_row(&strip->of[ACCORD_PARTITION], &work->border.of[ACCORD_PARTITION],
                   work->pf_weight, work->opening, gaps + ACCORD_PARTITION,
                   accord_partition_kind());
}

// Computes the cells of row `row` of the sweep, for both models. The border of the matrix may
// inject into this row in some tile of the group (`is_edge`), or the row has the last cell of the
// pair-HMM.
ACCORD_FUNCTION void accord_outer_row(accord_strip* strip, const accord_tile_work* tile,
                                      __local accord_group_team* team, const accord_gaps* gaps,
                                      int row, int is_edge, accord_row_work* work) {
  const int at_start = is_edge && tile->column <= team->sweep.last_edge_column * ACCORD_TILE &&
                       row <= team->sweep.border_row + 1;
  const int at_end = row == tile->end_row;
  accord_strip_part* part = &strip->of[ACCORD_HMM];
  accord_side* left = &work->border.of[ACCORD_HMM];
  if (at_start || at_end) {
    const accord_end end = accord_edge_row(part, left, work->hmm_weight, work->opening,
                                           gaps + ACCORD_HMM, accord_hmm_kind(), team, row,
                                           tile->column, at_end ? team->n % ACCORD_TILE : -1);
    if (at_end) {
      team->end = end;
      team->end_scale = part->scale;
    }
  } else {
    accord_strip_row(part, left, work->hmm_weight, work->opening, gaps + ACCORD_HMM,
                     accord_hmm_kind());
  }
  accord_edge_row(&strip->of[ACCORD_PARTITION], &work->border.of[ACCORD_PARTITION], work->pf_weight,
                  work->opening, gaps + ACCORD_PARTITION, accord_partition_kind(), team, row,
                  tile->column, -1);
}

// Computes row r of an item's tile, for both models. `edge`: the bits ACCORD_BORDER_ROW and
// ACCORD_BORDER_COLUMN, for all tiles of the group in this step. In the forward sweep it also
// stores M and raises the largest M of the tile.
ACCORD_FUNCTION void accord_tile_row(accord_strip* strip, accord_tile_work* tile,
                                     __local accord_group_team* team, const accord_gaps* gaps,
                                     int r, uint edge, accord_row_work* work) {
  const accord_kind hmm = accord_hmm_kind(), partition = accord_partition_kind();
  accord_side *hmm_left = &work->border.of[ACCORD_HMM],
              *pf_left = &work->border.of[ACCORD_PARTITION];
  accord_strip_part *of_hmm = &strip->of[ACCORD_HMM], *of_pf = &strip->of[ACCORD_PARTITION];
  const int row = tile->row + r;
  of_hmm->corner = hmm_left->s;  // for the tile below, in the last row
  accord_rescale_side(hmm_left, hmm, of_hmm->from_left);
  of_pf->corner = pf_left->s;
  accord_rescale_side(pf_left, partition, of_pf->from_left);
  const int border_row = team->sweep.border_row;
  // All items take the same branch if one of them needs it; otherwise they would wait for each
  // other.
  const int at_start = ((edge & ACCORD_BORDER_ROW) != 0 && r <= border_row % ACCORD_TILE + 1) ||
                       ((edge & ACCORD_BORDER_COLUMN) != 0 && row == border_row + 1);
  if (at_start || row == tile->end_row) {
    accord_outer_row(strip, tile, team, gaps, row, at_start, work);
  } else {
    accord_inner_row(strip, gaps, work);
    if ((edge & ACCORD_BORDER_COLUMN) != 0 && row > border_row) {
      accord_inject_column(of_pf, pf_left, team->sweep.border_column - tile->column);
    }
  }
  accord_raise_most(of_hmm, hmm_left, hmm);
  accord_raise_most(of_pf, pf_left, partition);
  if (!tile->backward) {
    accord_store_row(strip, accord_match_at(tile, r), tile->match_width);
    tile->hmm_most = accord_max(tile->hmm_most, accord_largest_m(of_hmm->top));
    tile->pf_most = accord_max(tile->pf_most, accord_largest_m(of_pf->top));
  }
}

// Emits the kept cells of row r of a tile in the backward sweep. Returns whether the row may have
// kept cells, as a tenth of the rows do; only then it reads M of the forward sweep. `asked`:
// `match` has M already, which the caller requested because the row before may have had kept cells.
ACCORD_FUNCTION int accord_emit(const accord_strip* strip, const accord_tile_work* tile,
                                __local accord_group_team* team, int r, int asked,
                                accord_match_values* match) {
  if (!accord_may_keep(strip, team, tile->hmm_most, tile->pf_most)) return 0;
  if (!asked) *match = accord_load_row(accord_match_at(tile, r), tile->match_width);
  accord_emit_row(strip, team, match, tile->hmm_posterior, tile->pf_posterior,
                  tile->forward_row - r, tile->forward_column);
  return 1;
}

// Computes the rows of an item's tile, and stores its borders for the items that need them. Called
// only if tile->works is 1. `now` has the data with which the tile was entered.
// `column` is the column of `tile_border` with the left border; the right border replaces it.
// `edge` is as in accord_tile_row(). `is_kept`, in and out: whether the row before may have kept
// cells.
ACCORD_FUNCTION void accord_do_tile(accord_strip* strip, accord_tile_work* tile,
                                    __local accord_group_local* local_,
                                    __local accord_group_team* team, const accord_ahead* now,
                                    const accord_gaps* gaps, int column, uint edge, int* is_kept) {
  __local const float* columns = &local_->column_opening[0][get_local_id(0)];
  const int emits = accord_emits(tile);
  accord_strip_down(strip, columns, gaps);
  ACCORD_NO_UNROLL
  for (int r = 0; r < ACCORD_TILE; ++r) {
    accord_row_work work = accord_begin_row(strip, tile, local_, r, column);
    const int asked = emits && *is_kept;
    accord_match_values match;
    if (asked) match = accord_load_row(accord_match_at(tile, r), tile->match_width);
    accord_tile_row(strip, tile, team, gaps, r, edge, &work);
    accord_write_row_border(local_, r, column, &work.border);
    if (r < ACCORD_TILE - 1) accord_strip_down(strip, columns, gaps);
    if (emits) *is_kept = accord_emit(strip, tile, team, r, asked, &match);
  }
  if (!tile->backward) {
    accord_store_scales(team, now->match, strip->of[ACCORD_HMM].scale, tile->hmm_most,
                        strip->of[ACCORD_PARTITION].scale, tile->pf_most);
  }
  accord_end_tile(&strip->of[ACCORD_HMM], accord_hmm_kind(), local_, tile->backward);
  accord_end_tile(&strip->of[ACCORD_PARTITION], accord_partition_kind(), local_, tile->backward);
}

#endif
