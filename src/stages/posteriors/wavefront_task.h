// SPDX-License-Identifier: Apache-2.0
// A posterior task in the wavefront layout: one y with some x's. Each lane computes a column of
// tiles, one row of tiles behind the lane before it. The host uses this layout for pairs that are
// too few to fill its lanes. The tiles, their exponents and the order of all sums are those of the
// other layouts, so that the results are the same bits.
//
//   step       lane 0   1   2   ...             The columns of tiles of all pairs, one pair after
//    0         row 0                            another, are dealt to the lanes in rounds. A lane
//    1         row 1   row 0                    begins its column of the next round `period` steps
//    2         row 2   row 1   row 0            after its column of this round, and does not wait
//    .          .       .       .               for the other lanes. The right border of the last
//  period      row 0    .       .               lane's column is the left border of the first
//              row 1   row 0    .               lane's column of the next round.
//
// The first column of a pair takes no values from the lane before it. Rows behind the end of a
// shorter x have weights of 0, so that their M is 0.
//
// In the backward sweep, the lanes have the same columns, and go through all steps from the last to
// the first, so that they read M in the layout in which the forward sweep wrote it.
#ifndef ACCORD_STAGES_POSTERIORS_WAVEFRONT_TASK_H
#define ACCORD_STAGES_POSTERIORS_WAVEFRONT_TASK_H
#include "stages/posteriors/wavefront_lanes.h"

// The lanes in the last row of their pair, and the lanes in its last column: a bit each.
typedef struct accord_wavefront_ends {
  accord_u32 last_row, last_column;
} accord_wavefront_ends;

// Finds these lanes, in a step of the forward sweep.
ACCORD_FUNCTION accord_wavefront_ends accord_find_ends(const accord_wavefront* wave) {
  accord_wavefront_ends ends = {0, 0};
  for (accord_u32 left = wave->last_columns; left != 0; left &= left - 1) {
    const int lane = accord_lowest_bit(left);
    ends.last_column |= (accord_u32)accord_is_inside(wave, lane) << lane;
  }
  if (!accord_any_eq_int(wave->tile_row, wave->last_row)) return ends;
  for (int lane = 0; lane < ACCORD_LANES; ++lane) {
    const int row = accord_lane_int(wave->tile_row, lane);
    ends.last_row |= (accord_u32)(row == accord_lane_int(wave->last_row, lane)) << lane;
  }
  return ends;
}

// Keeps the summands of the totals in a step of the forward sweep: the last cells of the pairs that
// end in the step, and M of the partition function in last rows and last columns. `at`: the lanes
// in last rows and columns. `pf_match`: M of the step's tiles. end[r]: the cell of row r of a tile
// in the last column.
ACCORD_FUNCTION void accord_keep_ends(const accord_wavefront_work* work,
                                      const accord_wavefront* wave, accord_wavefront_ends at,
                                      const accord_vf* pf_match, const accord_carry* carry,
                                      const accord_end* end) {
  const accord_wavefront_workspace* w = work->w;
  const int c = work->in->n % ACCORD_TILE;
  accord_vf* parts = accord_vectors(work, w->parts);
  const int* uses = work->combination.uses;
  const accord_u32 end_lanes = uses[ACCORD_HMM] ? at.last_row & at.last_column : 0;
  for (accord_u32 left = end_lanes; left != 0; left &= left - 1) {
    const int lane = accord_lowest_bit(left), pair = wave->pair[lane];
    const accord_end* found = &end[accord_lane_int(work->in->m, pair) % ACCORD_TILE];
    accord_lane(work->ends->m, pair) = accord_lane(found->m, lane);
    for (int k = 0; k < ACCORD_GAP_CLASSES; ++k) {
      accord_lane(work->ends->x[k], pair) = accord_lane(found->x[k], lane);
      accord_lane(work->ends->y[k], pair) = accord_lane(found->y[k], lane);
    }
    accord_lane_int(*work->ends_scale, pair) = accord_lane_int(carry[ACCORD_HMM].scale, lane);
  }
  if (!uses[ACCORD_PARTITION]) return;
  for (accord_u32 left = at.last_column; left != 0; left &= left - 1) {
    const int lane = accord_lowest_bit(left), pair = wave->pair[lane];
    const int row = accord_lane_int(wave->tile_row, lane);
    accord_vf* part = parts + row * ACCORD_PART;
    for (int r = 0; r < ACCORD_TILE; ++r) {
      const int is_above = row * ACCORD_TILE + r < accord_lane_int(work->in->m, pair);
      accord_lane(part[r], pair) =
          is_above ? accord_lane(pf_match[r * ACCORD_TILE + c], lane) : 0.0f;
    }
    accord_lane_int(((accord_vi*)part)[ACCORD_TILE], pair) =
        accord_lane_int(carry[ACCORD_PARTITION].scale, lane);
  }
  for (accord_u32 left = at.last_row; left != 0; left &= left - 1) {
    const int lane = accord_lowest_bit(left), pair = wave->pair[lane];
    const int r = accord_lane_int(work->in->m, pair) % ACCORD_TILE;
    accord_vf* part = parts + ((int)w->row_tiles + wave->column[lane]) * ACCORD_PART;
    for (int k = 0; k < ACCORD_TILE; ++k) {
      accord_lane(part[k], pair) = accord_lane(pf_match[r * ACCORD_TILE + k], lane);
    }
    accord_lane_int(((accord_vi*)part)[ACCORD_TILE], pair) =
        accord_lane_int(carry[ACCORD_PARTITION].scale, lane);
  }
}

// The totals of all pairs, from the summands of the forward sweep.
ACCORD_FUNCTION accord_lanes_totals accord_add_ends(const accord_wavefront_work* work) {
  const accord_wavefront_workspace* w = work->w;
  accord_lanes_totals totals = accord_lanes_totals_zero();
  if (work->combination.uses[ACCORD_HMM]) {
    accord_add_hmm_end(&totals.hmm, &work->model->hmm, work->ends, work->in->m, work->in->m,
                       *work->ends_scale);
  }
  const accord_vf* part = accord_vectors(work, w->parts);
  for (accord_u32 k = 0; k < w->row_tiles + w->col_tiles; ++k, part += ACCORD_PART) {
    if (!work->combination.uses[ACCORD_PARTITION]) break;
    accord_add_part(k < w->row_tiles ? &totals.partition.column : &totals.partition.row,
                    accord_partition_part(part, ((const accord_vi*)part)[ACCORD_TILE]));
  }
  return totals;
}

// Emits the kept cells of the tiles of a backward step. hmm_m and pf_m are M of the tiles from the
// forward sweep, with the exponents match_scale; hmm_s and pf_s are S.
ACCORD_FUNCTION void accord_emit_wavefront(const accord_wavefront_work* work,
                                           const accord_wavefront* wave, const accord_carry* carry,
                                           accord_vf* hmm_m, accord_vf* pf_m,
                                           const accord_vi* match_scale, accord_vf* hmm_s,
                                           accord_vf* pf_s) {
  const int* uses = work->combination.uses;
  accord_vf factor[ACCORD_MODELS];
  for (int k = 0; k < ACCORD_MODELS; ++k) {
    factor[k] = accord_set(0.0f);
    if (!uses[k]) continue;
    factor[k] = accord_posterior_factor(match_scale[k], carry[k].tile_scale, wave->inverse[k]);
  }
  const accord_vf smallest = accord_set(1e-37f);  // factors are 0 or at least 2^-101
  if (accord_mask_ge(accord_max(factor[0], factor[1]), smallest) == 0) return;
  // The cells get rows and columns as in the second tile of an unlimited matrix.
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
  accord_emit_tile(uses[ACCORD_HMM] ? hmm_m : pf_m, uses[ACCORD_PARTITION] ? pf_m : hmm_m,
                   uses[ACCORD_HMM] ? hmm_s : pf_s, uses[ACCORD_PARTITION] ? pf_s : hmm_s,
                   factor[ACCORD_HMM], factor[ACCORD_PARTITION], &work->combination, ACCORD_TILE,
                   ACCORD_TILE, &all, &found);
  for (int lane = 0; lane < ACCORD_LANES; ++lane) {
    const int pair = wave->pair[lane];
    const int row = wave->tiles[lane] - 1 - accord_lane_int(wave->tile_row, lane);  // forward
    for (accord_u32 k = 0; k < found.count[lane]; ++k) {
      const accord_u32 at = work->out->count[pair]++;
      if (at >= work->out->capacity) continue;
      accord_cell* cell = &work->out->cells[pair][at];
      *cell = cells[lane][k];
      cell->row += (accord_u32)((row - 1) * ACCORD_TILE);
      cell->column += (accord_u32)((wave->column[lane] - 1) * ACCORD_TILE);
    }
  }
}

// Reports to the listener of the task that one more round is done.
ACCORD_FUNCTION void accord_tell_round(accord_wavefront_work* work) {
  ++work->done;
  if (work->in->tell != 0) work->in->tell(work->in->listener, work->done, work->all);
}

// Moves the lane whose turn it is, if there is one, to its next column. In the forward sweep, this
// lane begins a column in step `step`. In the backward sweep, it has just left a column; `step`
// counts forward steps there, too.
ACCORD_FUNCTION void accord_turn_lane(const accord_wavefront_work* work, accord_wavefront* wave,
                                      int first_round, int rounds, int step) {
  const int period = (int)work->w->period;
  const int turn = wave->sweep.backward ? step + 1 : step;
  const int lane = turn % period;
  if (lane >= ACCORD_LANES) return;
  const int round = turn / period - (wave->sweep.backward ? 1 : 0);  // integers
  const int number = (first_round + round) * ACCORD_LANES + lane;
  const int exists = round >= 0 && round < rounds && number < (int)work->w->columns;
  accord_begin_column(work, wave, lane, exists ? number : -1);
}

// Clears the values above and on the left of the tiles, before a sweep.
ACCORD_FUNCTION void accord_begin_rounds(const accord_wavefront_work* work,
                                         const accord_kind* kinds, accord_carry* carry) {
  accord_vf* state = accord_vectors(work, work->w->state);
  accord_vi* state_scale = (accord_vi*)accord_vectors(work, work->w->state_scale);
  for (int k = 0; k < ACCORD_TILE * ACCORD_CARRIED; ++k) state[k] = accord_set(0.0f);
  for (int k = 0; k < ACCORD_MODELS; ++k) {
    state_scale[k] = accord_set_int(ACCORD_NO_EXPONENT);
    accord_load_carry(&carry[k], kinds[k], 0, 0, 0, 1);
    accord_clear_corner(&carry[k]);
  }
}

// Sets the places of the tiles of a step. is_end: whether a pair ends in the step.
ACCORD_FUNCTION void accord_move_place(accord_tile_place* place, const accord_wavefront* wave,
                                       const accord_kind* kinds, int is_end) {
  place->tile_row = wave->tile_row;
  place->tile_column = wave->tile_column;
  ACCORD_UNROLL
  for (int k = 0; k < ACCORD_MODELS; ++k) {
    place->edge[k] = (is_end && k == ACCORD_HMM) ||
                     accord_any_enters(accord_injected(&wave->sweep, kinds[k], wave->tile_row,
                                                       wave->tile_column));
  }
}

// Computes `rounds` rounds from first_round on, in the direction of `sweep`. If `keeps`, a forward
// sweep stores M for the backward sweep; a backward sweep reads it, and is called with `keeps`.
ACCORD_FUNCTION void accord_sweep_rounds(accord_wavefront_work* work, const accord_sweep* sweep,
                                         int first_round, int rounds, int keeps) {
  const accord_wavefront_workspace* w = work->w;
  const int period = (int)w->period;
  const accord_kind kinds[ACCORD_MODELS] = {accord_hmm_kind(), accord_partition_kind()};
  accord_wavefront wave = accord_make_wavefront(work, sweep);
  accord_carry carry[ACCORD_MODELS];
  accord_begin_rounds(work, kinds, carry);
  accord_tile_place place;
  place.row_opening = accord_vectors(work, w->row_opening);
  place.column_opening = accord_vectors(work, w->column_opening);
  place.next = 1;
  place.weighted = 1;
  const int left = (int)w->columns - (first_round + rounds - 1) * ACCORD_LANES;
  const int last_lanes = left < ACCORD_LANES ? left : ACCORD_LANES;  // of the last round
  const int steps = rounds * period + last_lanes - 1;
  for (int step = 0; step < steps; ++step) {
    const int forward_step = sweep->backward ? steps - 1 - step : step;
    wave.tile_row = wave.tile_row + accord_set_int(1);
    accord_turn_lane(work, &wave, first_round, rounds, forward_step);
    accord_pass_rows(work, &wave);
    accord_fill_tile_table(work, &wave);
    ACCORD_UNROLL
    for (int k = 0; k < ACCORD_MODELS; ++k) accord_pass_carry(work, &carry[k], kinds[k], &wave);
    const accord_u64 at = (accord_u64)forward_step * ACCORD_MODELS;
    accord_vf* match = keeps ? accord_vectors(work, w->match) + at * ACCORD_TILE_CELLS
                             : accord_vectors(work, w->spare);
    accord_vi* match_scale = (accord_vi*)accord_vectors(work, w->match_scale) + at;
    accord_vf* out = sweep->backward ? accord_vectors(work, w->tile) : match;
    accord_wavefront_ends ends = {0, 0};
    if (work->ends != 0) ends = accord_find_ends(&wave);
    const int is_end = (ends.last_row & ends.last_column) != 0;
    accord_move_place(&place, &wave, kinds, is_end);
    accord_vi least[ACCORD_MODELS];
    ACCORD_UNROLL
    for (int k = 0; k < ACCORD_MODELS; ++k) {
      least[k] = sweep->backward ? accord_least_handed_on(match_scale[k], wave.inverse[k])
                                 : accord_set_int(0);
    }
    accord_end end[ACCORD_TILE];
    accord_lanes_tile(accord_vectors(work, w->state),
                      (accord_vi*)accord_vectors(work, w->state_scale), carry,
                      accord_vectors(work, w->table), work->combination.uses, &wave.sweep, &place,
                      sweep->backward, least, out, out + ACCORD_TILE_CELLS, is_end ? end : 0,
                      work->in->n % ACCORD_TILE);
    if (sweep->backward) {
      accord_emit_wavefront(work, &wave, carry, match, match + ACCORD_TILE_CELLS, match_scale, out,
                            out + ACCORD_TILE_CELLS);
    } else {
      for (int k = 0; k < ACCORD_MODELS && keeps; ++k) match_scale[k] = carry[k].scale;
      if ((ends.last_row | ends.last_column) != 0) {
        accord_keep_ends(work, &wave, ends, match + ACCORD_TILE_CELLS, carry, end);
      }
    }
    ACCORD_UNROLL
    for (int k = 0; k < ACCORD_MODELS; ++k) accord_leave_carry(work, &carry[k], kinds[k], &wave);
    if (step % period == period - 1) accord_tell_round(work);
  }
}

// The last forward round has left its right border in the first slot. If `keep`, copies this border
// to the slot that keeps the left border of a band; else copies the kept border back.
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

// Computes a task: sweeps forward through all rounds, makes the totals, then sweeps backward from
// the last band of rounds to the first. Before it sweeps a band backward, it computes M of the band
// again, except for the last band. `memory` holds w->size floats. `out` receives the kept cells.
ACCORD_FUNCTION void accord_wavefront_task(const accord_lanes_input* in,
                                           const accord_wavefront_workspace* w,
                                           const accord_model* model, accord_vf* memory,
                                           accord_lanes_output* out) {
  accord_workspace tiles;
  tiles.row_tiles = w->row_tiles;
  tiles.col_tiles = w->col_tiles;
  const accord_sweep forward = accord_make_sweep(&tiles, model, in->m, in->m_shortest, in->n, 0);
  const accord_sweep backward = accord_make_sweep(&tiles, model, in->m, in->m_shortest, in->n, 1);
  accord_end ends;
  accord_vi ends_scale = accord_set_int(ACCORD_NO_EXPONENT);
  ends.m = accord_set(0.0f);
  for (int k = 0; k < ACCORD_GAP_CLASSES; ++k) ends.x[k] = ends.y[k] = accord_set(0.0f);
  accord_wavefront_work work;
  work.in = in;
  work.w = w;
  work.model = model;
  work.combination = accord_combination_of(model);
  work.letters = 0;
  for (int pair = 0; pair < ACCORD_LANES; ++pair) {
    work.letters |= accord_letters_of(in->x[pair], accord_lane_int(in->m, pair));
  }
  work.memory = memory;
  work.ends = &ends;
  work.ends_scale = &ends_scale;
  work.out = out;
  for (accord_u32 k = 0; k < (w->row_tiles + w->col_tiles) * ACCORD_PART; ++k) {
    accord_vectors(&work, w->parts)[k] = accord_set(0.0f);
  }
  const int bands = (int)w->bands, band_rounds = (int)w->band_rounds, rounds = (int)w->rounds;
  // Forward, forward again but for the last band, backward.
  work.done = 0;
  work.all = (accord_u32)(2 * rounds + (bands - 1) * band_rounds);
  for (int band = 0; band < bands; ++band) {
    const int first = band * band_rounds, last = band == bands - 1;
    if (band > 0) accord_copy_border(&work, band, 1);
    accord_sweep_rounds(&work, &forward, first, last ? rounds - first : band_rounds, last);
  }
  const accord_lanes_totals totals = accord_add_ends(&work);
  work.ends = 0;
  work.inverse[ACCORD_HMM] = accord_invert(totals.hmm);
  work.inverse[ACCORD_PARTITION] = accord_invert(accord_partition_total(totals.partition));
  for (int band = bands - 1; band >= 0; --band) {
    const int first = band * band_rounds, last = band == bands - 1;
    const int of_band = last ? rounds - first : band_rounds;
    if (!last) {
      if (band > 0) accord_copy_border(&work, band, 0);
      accord_sweep_rounds(&work, &forward, first, of_band, 1);
    }
    accord_sweep_rounds(&work, &backward, first, of_band, 1);
  }
}

#endif
