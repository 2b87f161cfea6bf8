// SPDX-License-Identifier: Apache-2.0
// A posterior task in the wavefront shape: one pair, the lanes of which are neighbouring columns of
// tiles, each a row of tiles behind the one before it. Used by the host for pairs that are too few
// to fill its lanes. The tiles, their exponents and the order of all sums are those of the other
// shapes, and so are the bits.
//
//   step       lane 0   1   2   ...             A strip is as many columns of tiles as there are
//    0         row 0                            lanes. It is walked from the first row of tiles to
//    1         row 1   row 0                    the last; what its last lane hands on is the border
//    2         row 2   row 1   row 0            that the first lane of the next strip begins with.
//
// Backward, the lanes keep their columns: the last one is first. In step `steps` - 1 - t they are
// at the tiles of the forward step t, so that M is read as it was written. Tiles that lie outside
// of the matrix hold nothing: their weights are 0, forward nothing enters above them, and no M of
// theirs is more than 0.
#ifndef ACCORD_SHARED_WAVEFRONT_TASK_H
#define ACCORD_SHARED_WAVEFRONT_TASK_H
#include "shared/wavefront_strip.h"

// Adds to the totals what of the last row and of the last column lies in the tiles of a step.
ACCORD_FUNCTION void accord_add_wavefront_ends(const accord_wavefront_work* work,
                                               const accord_wavefront_strip* strip, int step,
                                               const accord_vf* pf_match, accord_vi hmm_scale,
                                               accord_vi pf_scale, const accord_end* end) {
  const int m = work->in->m, n = work->in->n;
  const int last_row = m / ACCORD_TILE, last_column = n / ACCORD_TILE;
  const int end_lane = last_column - strip->number * ACCORD_LANES;  // if it is a lane of this strip
  const int end_row = step - end_lane;
  const int in_column =
      end_lane >= 0 && end_lane < ACCORD_LANES && end_row >= 0 && end_row <= last_row;
  if (in_column && end_row == last_row && work->combination.uses[ACCORD_HMM]) {
    accord_end here;
    const accord_end* found = &end[m % ACCORD_TILE];
    here.m = accord_broadcast(found->m, end_lane);
    for (int k = 0; k < ACCORD_GAP_CLASSES; ++k) {
      here.x[k] = accord_broadcast(found->x[k], end_lane);
      here.y[k] = accord_broadcast(found->y[k], end_lane);
    }
    const accord_vi row = accord_set_int(m);
    accord_add_hmm_end(&work->totals->hmm, &work->model->hmm, &here, row, row,
                       accord_broadcast_int(hmm_scale, end_lane));
  }
  if (!work->combination.uses[ACCORD_PARTITION]) return;
  accord_partition_sums* sums = &work->totals->partition;
  accord_vf values[ACCORD_TILE];
  if (in_column) {
    for (int r = 0; r < ACCORD_TILE; ++r) {
      const int is_above = end_row * ACCORD_TILE + r < m;
      values[r] = is_above ? accord_broadcast(pf_match[r * ACCORD_TILE + n % ACCORD_TILE], end_lane)
                           : accord_set(0.0f);
    }
    accord_add_part(&sums->column,
                    accord_partition_part(values, accord_broadcast_int(pf_scale, end_lane)));
  }
  const int lane = step - last_row;  // that is at the last row
  if (lane < 0 || lane >= ACCORD_LANES || lane > end_lane) return;
  for (int c = 0; c < ACCORD_TILE; ++c) {
    values[c] = accord_broadcast(pf_match[m % ACCORD_TILE * ACCORD_TILE + c], lane);
  }
  accord_add_part(&sums->row, accord_partition_part(values, accord_broadcast_int(pf_scale, lane)));
}

// Emits the cells of the tiles of a backward step that are worth keeping; hmm_s and pf_s are S.
ACCORD_FUNCTION void accord_emit_wavefront(const accord_wavefront_work* work,
                                           const accord_wavefront_strip* strip, int forward_step,
                                           const accord_carry* carry, accord_vf* hmm_m,
                                           accord_vf* pf_m, const accord_vi* match_scale,
                                           accord_vf* hmm_s, accord_vf* pf_s) {
  const int* uses = work->combination.uses;
  accord_vf hmm_factor = accord_set(0.0f), pf_factor = accord_set(0.0f);
  if (uses[ACCORD_HMM]) {
    hmm_factor = accord_posterior_factor(match_scale[ACCORD_HMM], carry[ACCORD_HMM].tile_scale,
                                         work->hmm_inverse);
  }
  if (uses[ACCORD_PARTITION]) {
    pf_factor = accord_posterior_factor(match_scale[ACCORD_PARTITION],
                                        carry[ACCORD_PARTITION].tile_scale, work->pf_inverse);
  }
  const accord_vf smallest = accord_set(1e-37f);  // factors are 0 or at least 2^-101
  if (accord_mask_ge(accord_max(hmm_factor, pf_factor), smallest) == 0) return;
  // Rows and columns as of a tile that no lane is at, below and on the right of all of them.
  accord_cell cells[ACCORD_LANES][ACCORD_TILE_CELLS];
  accord_lanes_input all;
  accord_lanes_output found;
  all.m = accord_set_int(0x7fffffff);
  all.n = 0x7fffffff;
  found.capacity = ACCORD_TILE_CELLS;
  for (int lane = 0; lane < ACCORD_LANES; ++lane) {
    found.cells[lane] = cells[lane];
    found.count[lane] = 0;
  }
  const int row = (forward_step + 1) * ACCORD_TILE;
  const int column = (strip->number + 1) * ACCORD_LANES * ACCORD_TILE;
  accord_emit_tile(uses[ACCORD_HMM] ? hmm_m : pf_m, uses[ACCORD_PARTITION] ? pf_m : hmm_m,
                   uses[ACCORD_HMM] ? hmm_s : pf_s, uses[ACCORD_PARTITION] ? pf_s : hmm_s,
                   hmm_factor, pf_factor, &work->combination, row, column, &all, &found);
  accord_wavefront_output* out = work->out;
  for (int lane = 0; lane < ACCORD_LANES; ++lane) {
    for (accord_u32 k = 0; k < found.count[lane]; ++k) {
      const accord_u32 at = out->count++;
      if (at >= out->capacity) continue;
      out->cells[at] = cells[lane][k];
      out->cells[at].row -= (accord_u32)(ACCORD_TILE * (lane + 1));
      out->cells[at].column -= (accord_u32)(ACCORD_TILE * (ACCORD_LANES - lane));
    }
  }
}

// Walks one strip, forward or backward.
ACCORD_FUNCTION void accord_sweep_strip(const accord_wavefront_work* work,
                                        const accord_sweep* sweep,
                                        const accord_wavefront_strip* strip) {
  const accord_wavefront_workspace* w = work->w;
  const int row_tiles = (int)w->row_tiles, steps = (int)w->steps;
  const accord_kind kinds[ACCORD_MODELS] = {accord_hmm_kind(), accord_partition_kind()};
  accord_fill_profiles(work, sweep, strip);
  accord_fill_column_openings(work, sweep, strip);
  accord_vf* state = accord_vectors(work, w->state);
  accord_vi* state_scale = (accord_vi*)accord_vectors(work, w->state_scale);
  for (int k = 0; k < ACCORD_TILE * ACCORD_CARRIED; ++k) state[k] = accord_set(0.0f);
  accord_carry carry[ACCORD_MODELS];
  for (int k = 0; k < ACCORD_MODELS; ++k) {
    state_scale[k] = accord_set_int(ACCORD_NO_EXPONENT);
    accord_load_carry(&carry[k], kinds[k], 0, 0, 0, 1);
    accord_clear_corner(&carry[k]);
  }
  accord_vi row_codes[ACCORD_TILE];
  accord_vf* row_opening = accord_vectors(work, w->row_opening);
  for (int r = 0; r < ACCORD_TILE; ++r) {
    row_codes[r] = accord_set_int(ACCORD_BORDER_SYMBOL);
    row_opening[r] = accord_set(1.0f);
  }
  accord_tile_place place;
  place.tile_column = strip->tile_column;
  place.row_opening = row_opening;
  place.column_opening = accord_vectors(work, w->column_opening);
  place.next = 1;
  for (int c = 0; c < ACCORD_TILE; ++c) {
    place.letters[c] = c;
    place.contexts[c] = ACCORD_SYMBOLS;
  }
  const int first_column = accord_lane_int(strip->tile_column, strip->first_lane);
  const int hands_on = strip->number != (sweep->backward ? 0 : (int)w->strips - 1);
  const accord_u64 kept = (accord_u64)strip->place * w->steps;
  const int end_step =
      work->in->m / ACCORD_TILE + work->in->n / ACCORD_TILE -
      strip->number * ACCORD_LANES;  // at which a lane is in the last tile, or none
  for (int step = 0; step < steps; ++step) {
    const int inside = step < row_tiles;  // the first lane
    for (int r = 0; r < ACCORD_TILE; ++r) {
      int code = ACCORD_BORDER_SYMBOL;
      float opens = 1.0f;
      if (inside) {
        const int row = step * ACCORD_TILE + r;
        code = accord_code_at(work->in->x, work->in->m, sweep->rows, row, sweep->backward);
        opens = accord_opening(work->model, work->in->x, work->in->m,
                               accord_residues_at(sweep->rows, row, sweep->backward));
      }
      row_codes[r] = accord_pick_int(row_codes[r], strip->from, code);
      row_opening[r] = accord_pick(row_opening[r], strip->from, accord_set(opens));
    }
    accord_fill_tile_table(work, strip, row_codes);
    ACCORD_UNROLL
    for (int k = 0; k < ACCORD_MODELS; ++k) {
      accord_pass_carry(&carry[k], kinds[k], strip, inside, step);
    }
    const int forward_step = sweep->backward ? steps - 1 - step : step;
    const accord_u64 at = (kept + (accord_u64)forward_step) * ACCORD_MODELS;
    accord_vf* match = strip->keeps ? accord_vectors(work, w->match) + at * ACCORD_TILE_CELLS
                                    : accord_vectors(work, w->spare);
    accord_vi* match_scale = (accord_vi*)accord_vectors(work, w->match_scale) + at;
    accord_vf* tile = accord_vectors(work, w->tile);
    const int is_end = work->totals != 0 && step == end_step;
    place.tile_row = accord_set_int(step) - strip->behind;
    place.edge = is_end || step - (ACCORD_LANES - 1) <= sweep->last_edge_row ||
                 first_column <= sweep->last_edge_column;
    accord_end end[ACCORD_TILE];
    accord_vi least[ACCORD_MODELS] = {accord_set_int(0), accord_set_int(0)};
    if (sweep->backward) {
      least[ACCORD_HMM] = accord_least_handed_on(match_scale[ACCORD_HMM], work->hmm_inverse);
      least[ACCORD_PARTITION] =
          accord_least_handed_on(match_scale[ACCORD_PARTITION], work->pf_inverse);
    }
    accord_vf* out = sweep->backward ? tile : match;
    accord_lanes_tile(state, state_scale, carry, accord_vectors(work, w->table),
                      work->combination.uses, sweep, &place, sweep->backward, least, out,
                      out + ACCORD_TILE_CELLS, is_end ? end : 0, work->in->n % ACCORD_TILE);
    if (sweep->backward) {
      accord_emit_wavefront(work, strip, forward_step, carry, match, match + ACCORD_TILE_CELLS,
                            match_scale, tile, tile + ACCORD_TILE_CELLS);
    } else {
      for (int k = 0; k < ACCORD_MODELS && strip->keeps; ++k) match_scale[k] = carry[k].scale;
      if (work->totals != 0) {
        accord_add_wavefront_ends(work, strip, step, match + ACCORD_TILE_CELLS,
                                  carry[ACCORD_HMM].scale, carry[ACCORD_PARTITION].scale, end);
      }
    }
    const int tile_row = step - (ACCORD_LANES - 1);  // of the last lane
    if (tile_row < 0 || !hands_on) continue;
    ACCORD_UNROLL
    for (int k = 0; k < ACCORD_MODELS; ++k) {
      accord_leave_carry(&carry[k], kinds[k], strip, tile_row);
    }
  }
}

// The border that forward strips hand on, kept as the left one of a band, or taken from there.
ACCORD_FUNCTION void accord_copy_border(const accord_wavefront_work* work, int band, int keep) {
  const accord_u64 size = work->w->border_size;
  float* handed = accord_floats(work, work->w->border);
  float* kept = handed + ((accord_u64)band + 1) * size;
  for (accord_u64 k = 0; k < size; ++k) {
    if (keep) {
      kept[k] = handed[k];
    } else {
      handed[k] = kept[k];
    }
  }
}

// One more strip has been swept.
ACCORD_FUNCTION void accord_tell_strip(accord_wavefront_work* work) {
  ++work->done;
  if (work->in->tell != 0) work->in->tell(work->in->teller, work->done, work->all);
}

// The whole task: forward through all strips, totals, then backward from the last band to the
// first, where M of all bands but the last is computed again. `memory` holds w->size floats.
ACCORD_FUNCTION void accord_wavefront_task(const accord_wavefront_input* in,
                                           const accord_wavefront_workspace* w,
                                           const accord_model* model, accord_vf* memory,
                                           accord_wavefront_output* out) {
  accord_workspace shape;
  shape.row_tiles = w->row_tiles;
  shape.col_tiles = w->strips * ACCORD_LANES;
  const accord_vi m = accord_set_int(in->m);
  const accord_sweep forward = accord_make_sweep(&shape, model, m, in->m, in->n, 0);
  const accord_sweep backward = accord_make_sweep(&shape, model, m, in->m, in->n, 1);
  accord_lanes_totals totals = accord_lanes_totals_zero();
  accord_wavefront_work work;
  work.in = in;
  work.w = w;
  work.model = model;
  work.combination = accord_combination_of(model);
  work.letters = accord_letters_of(in->x, in->m);
  work.memory = memory;
  work.totals = &totals;
  work.out = out;
  const int bands = (int)w->bands, band_strips = (int)w->band_strips, strips = (int)w->strips;
  // Forward, forward again but for the last band, backward.
  work.done = 0;
  work.all = (accord_u32)(2 * strips + (bands - 1) * band_strips);
  for (int number = 0; number < strips; ++number) {
    const int band = number / band_strips;  // integers
    if (number > 0 && number % band_strips == 0) accord_copy_border(&work, band, 1);
    accord_wavefront_strip strip = accord_make_strip(&work, &forward, number);
    strip.keeps = band == bands - 1;
    accord_sweep_strip(&work, &forward, &strip);
    accord_tell_strip(&work);
  }
  work.totals = 0;
  work.hmm_inverse = accord_invert(totals.hmm);
  work.pf_inverse = accord_invert(accord_partition_total(totals.partition));
  for (int band = bands - 1; band >= 0; --band) {
    const int begin = band * band_strips;
    const int end = band == bands - 1 ? strips : begin + band_strips;
    if (band < bands - 1) {
      if (band > 0) accord_copy_border(&work, band, 0);
      for (int number = begin; number < end; ++number) {
        const accord_wavefront_strip strip = accord_make_strip(&work, &forward, number);
        accord_sweep_strip(&work, &forward, &strip);
        accord_tell_strip(&work);
      }
    }
    for (int number = end - 1; number >= begin; --number) {
      const accord_wavefront_strip strip = accord_make_strip(&work, &backward, number);
      accord_sweep_strip(&work, &backward, &strip);
      accord_tell_strip(&work);
    }
  }
}

#endif
