// SPDX-License-Identifier: Apache-2.0
// The lanes of the wavefront layout (wavefront_task.h): their places, the match weights of their
// tiles, and the borders that they hand on.
#ifndef ACCORD_STAGES_POSTERIORS_WAVEFRONT_LANES_H
#define ACCORD_STAGES_POSTERIORS_WAVEFRONT_LANES_H
#include "posteriors/lanes_task.h"
#include "stages/posteriors/wavefront_workspace.h"

#define ACCORD_TILE_CELLS (ACCORD_TILE * ACCORD_TILE)
// The row of tiles of a lane without a column, far from every border.
#define ACCORD_FAR (-(1 << 24))

// The data of a task: read-only inputs, scratch memory, and the results. Totals and their inverses
// have a lane for each pair.
typedef struct accord_wavefront_work {
  const accord_lanes_input* in;
  const accord_wavefront_workspace* w;
  const accord_model* model;
  accord_combination combination;
  accord_u32 letters;  // the letters that occur in any x (accord_letters_of)
  accord_vf* memory;
  accord_end* ends;       // receives the last cell of each pair; null once the totals are known
  accord_vi* ends_scale;  // exponents of `ends`
  accord_inverse inverse[ACCORD_MODELS];  // of the totals; for backward sweeps
  accord_lanes_output* out;               // for backward sweeps
  accord_u32 done, all;                   // rounds that are swept, and rounds to sweep in all
} accord_wavefront_work;

// The lanes of a sweep, each at a tile of its column.
typedef struct accord_wavefront {
  accord_sweep sweep;                 // border_row differs from lane to lane, with the lane's pair
  int first_lane, last_lane;          // of a round, in the order of the sweep
  accord_vi number;                   // [lane]: the number of the lane
  int pair[ACCORD_LANES];             // the pair of the lane's column; -1 without a column
  int tiles[ACCORD_LANES];            // number of rows of tiles of that pair
  accord_vi last_row;                 // last row of tiles of the pair; -1 if the lane has no column
  accord_u32 last_columns;            // bit k: lane k has the last column of a pair, forward
  int column[ACCORD_LANES];           // column of tiles in the pair, counted forward
  accord_vi tile_row;                 // in the sweep; outside of the matrix while the lane waits
  accord_vi tile_column;              // in the sweep
  accord_vi from;                     // lane that hands values to it; ACCORD_LANES + itself if none
  accord_vi profile;                  // [lane]: offset of the lane's part of a profile
  accord_u32 heads;                   // bit k: lane k has a column, and no lane hands values to it
  accord_vi row_codes[ACCORD_TILE];   // residues of the tiles in work
  accord_vi head_codes[ACCORD_TILE];  // residues for the lanes in `heads`
  accord_vf head_opening[ACCORD_TILE];
  accord_inverse inverse[ACCORD_MODELS];  // backward
  float* border[2];         // right borders of the rounds with even and with odd numbers
  int round[ACCORD_LANES];  // the round of the lane's column
} accord_wavefront;

// The part of the working memory that begins at float number `begin`, as floats or as vectors. For
// vectors, `begin` is a multiple of ACCORD_LANES.
ACCORD_FUNCTION float* accord_floats(const accord_wavefront_work* work, accord_u64 begin) {
  return (float*)work->memory + begin;
}
ACCORD_FUNCTION accord_vf* accord_vectors(const accord_wavefront_work* work, accord_u64 begin) {
  return work->memory + begin / ACCORD_LANES;
}

// Returns the lanes before a sweep, without columns. In the working memory, sets the weights of
// their profiles to 0, and their factors of opening a gap for rows to 1.
ACCORD_FUNCTION accord_wavefront accord_make_wavefront(const accord_wavefront_work* work,
                                                       const accord_sweep* sweep) {
  const accord_wavefront_workspace* w = work->w;
  accord_wavefront wave;
  wave.sweep = *sweep;
  wave.first_lane = sweep->backward ? ACCORD_LANES - 1 : 0;
  wave.last_lane = ACCORD_LANES - 1 - wave.first_lane;
  for (int k = 0; k < 2; ++k) {
    const int slot = !sweep->backward ? 0 : k == 0 ? 1 : (int)w->bands + 1;
    wave.border[k] = accord_floats(work, w->border + (accord_u64)slot * w->border_size);
  }
  wave.tile_row = accord_set_int(ACCORD_FAR);
  wave.tile_column = accord_set_int(0);
  wave.heads = wave.last_columns = 0;
  wave.last_row = accord_set_int(-1);
  for (int lane = 0; lane < ACCORD_LANES; ++lane) {
    wave.pair[lane] = -1;
    accord_lane_int(wave.number, lane) = lane;
    accord_lane_int(wave.from, lane) = ACCORD_LANES + lane;
    accord_lane_int(wave.profile, lane) = lane * ACCORD_PROFILE;
  }
  // A lane that has no column yet has weights of 0.
  float* profile = accord_floats(work, w->profile);
  for (int k = 0; k < ACCORD_MODELS * ACCORD_LANES * ACCORD_PROFILE; ++k) profile[k] = 0.0f;
  accord_vf* row_opening = accord_vectors(work, w->row_opening);
  for (int r = 0; r < ACCORD_TILE; ++r) {
    wave.row_codes[r] = wave.head_codes[r] = accord_set_int(ACCORD_BORDER_SYMBOL);
    wave.head_opening[r] = row_opening[r] = accord_set(1.0f);
  }
  for (int k = 0; k < ACCORD_MODELS; ++k) {
    wave.inverse[k].r = accord_set(0.0f);
    wave.inverse[k].scale = accord_set_int(0);
  }
  return wave;
}

// Fills in the profile of the column of a lane: the weights of its residues of y with each letter
// of x, and their factors with each context.
ACCORD_FUNCTION void accord_fill_profile(const accord_wavefront_work* work,
                                         const accord_wavefront* wave, int lane) {
  const int tile_column = accord_lane_int(wave->tile_column, lane);
  accord_i32 letters[ACCORD_TILE], contexts[ACCORD_TILE];
  for (int c = 0; c < ACCORD_TILE; ++c) {
    const int code = accord_code_at(work->in->y, work->in->n, wave->sweep.cols,
                                    tile_column * ACCORD_TILE + c, wave->sweep.backward);
    letters[c] = ACCORD_LETTER(code);
    contexts[c] = ACCORD_CONTEXT(code);
  }
  float* profile = accord_floats(work, work->w->profile) + lane * ACCORD_PROFILE;
  for (int number = 0; number < ACCORD_MODELS; ++number, profile += ACCORD_LANES * ACCORD_PROFILE) {
    if (!work->combination.uses[number]) continue;
    const accord_recursion* of = number == ACCORD_HMM ? &work->model->hmm : &work->model->partition;
    // The tables are symmetric.
    for (accord_u32 left = work->letters; left != 0; left &= left - 1) {
      const int letter = accord_lowest_bit(left);
      accord_lookup_eight(of->weight + letter * ACCORD_SYMBOLS, letters,
                          profile + letter * ACCORD_TILE);
    }
    for (int context = 0; context < ACCORD_CONTEXTS; ++context) {
      accord_lookup_eight(of->context + context * ACCORD_SYMBOLS, contexts,
                          profile + (ACCORD_SYMBOLS + context) * ACCORD_TILE);
    }
  }
}

// Clears the row above the tiles of a lane.
ACCORD_FUNCTION void accord_clear_lane(const accord_wavefront_work* work,
                                       const accord_wavefront* wave, int lane) {
  const accord_vi here = accord_set_int(lane);
  accord_vf* state = accord_vectors(work, work->w->state);
  for (int k = 0; k < ACCORD_TILE * ACCORD_CARRIED; ++k) {
    state[k] = accord_as_vf(
        accord_choose_eq_int(wave->number, here, accord_set_int(0), accord_as_vi(state[k])));
  }
  accord_vi* scale = (accord_vi*)accord_vectors(work, work->w->state_scale);
  for (int k = 0; k < ACCORD_MODELS; ++k) {
    scale[k] =
        accord_choose_eq_int(wave->number, here, accord_set_int(ACCORD_NO_EXPONENT), scale[k]);
  }
}

// Moves a lane to column `number` of tiles, counted over all pairs; -1: to no column. Forward, the
// lane begins at row 0, and waits behind its last row. Backward, it waits as long before its first
// row.
ACCORD_FUNCTION void accord_begin_column(const accord_wavefront_work* work, accord_wavefront* wave,
                                         int lane, int number) {
  const int backward = wave->sweep.backward, all = (int)work->w->col_tiles;
  accord_clear_lane(work, wave, lane);
  wave->heads &= ~(1u << lane);
  wave->last_columns &= ~(1u << lane);
  accord_lane_int(wave->last_row, lane) = -1;
  accord_lane_int(wave->from, lane) = ACCORD_LANES + lane;
  wave->pair[lane] = -1;
  if (number < 0) {
    accord_lane_int(wave->tile_row, lane) = ACCORD_FAR;
    for (int r = 0; r < ACCORD_TILE; ++r) {
      accord_lane_int(wave->head_codes[r], lane) = ACCORD_BORDER_SYMBOL;
      accord_lane(wave->head_opening[r], lane) = 1.0f;
    }
    return;
  }
  const int pair = number / all, column = number % all;  // integers
  const int m = accord_lane_int(work->in->m, pair), tiles = m / ACCORD_TILE + 1;
  const int tile_column = backward ? all - 1 - column : column;
  wave->pair[lane] = pair;
  wave->tiles[lane] = tiles;
  wave->column[lane] = column;
  wave->round[lane] = number / ACCORD_LANES;
  wave->last_columns |= (accord_u32)(column == all - 1) << lane;
  accord_lane_int(wave->last_row, lane) = tiles - 1;
  accord_lane_int(wave->tile_row, lane) = backward ? tiles - (int)work->w->period : 0;
  accord_lane_int(wave->tile_column, lane) = tile_column;
  accord_lane_int(wave->sweep.border_row, lane) = backward ? tiles * ACCORD_TILE - 1 - m : 0;
  if (tile_column == 0 || lane == wave->first_lane) {
    wave->heads |= 1u << lane;
  } else {
    accord_lane_int(wave->from, lane) = backward ? lane + 1 : lane - 1;
  }
  accord_fill_profile(work, wave, lane);
  accord_vf* opening = accord_vectors(work, work->w->column_opening);
  for (int c = 0; c < ACCORD_TILE; ++c) {
    accord_lane(opening[c], lane) = accord_opening(
        work->model, work->in->y, work->in->n,
        accord_residues_at(wave->sweep.cols, tile_column * ACCORD_TILE + c, backward));
  }
  if (!backward) return;
  for (int k = 0; k < ACCORD_MODELS; ++k) {
    accord_lane(wave->inverse[k].r, lane) = accord_lane(work->inverse[k].r, pair);
    accord_lane_int(wave->inverse[k].scale, lane) = accord_lane_int(work->inverse[k].scale, pair);
  }
}

// Whether a lane is at a tile of its pair.
ACCORD_FUNCTION int accord_is_inside(const accord_wavefront* wave, int lane) {
  const int row = accord_lane_int(wave->tile_row, lane);
  return wave->pair[lane] >= 0 && row >= 0 && row < wave->tiles[lane];
}

// Passes residues of x, and their factors of opening a gap, from each lane to the next; the lanes
// in `heads` read new ones.
ACCORD_FUNCTION void accord_pass_rows(const accord_wavefront_work* work, accord_wavefront* wave) {
  for (accord_u32 left = wave->heads; left != 0; left &= left - 1) {
    const int lane = accord_lowest_bit(left), pair = wave->pair[lane];
    const int m = accord_lane_int(work->in->m, pair), rows = wave->tiles[lane] * ACCORD_TILE;
    const int first = accord_lane_int(wave->tile_row, lane) * ACCORD_TILE;
    const int is_inside = accord_is_inside(wave, lane);
    for (int r = 0; r < ACCORD_TILE; ++r) {
      accord_lane_int(wave->head_codes[r], lane) =
          is_inside ? accord_code_at(work->in->x[pair], m, rows, first + r, wave->sweep.backward)
                    : ACCORD_BORDER_SYMBOL;
      accord_lane(wave->head_opening[r], lane) =
          is_inside ? accord_opening(work->model, work->in->x[pair], m,
                                     accord_residues_at(rows, first + r, wave->sweep.backward))
                    : 1.0f;
    }
  }
  accord_vf* opening = accord_vectors(work, work->w->row_opening);
  for (int r = 0; r < ACCORD_TILE; ++r) {
    wave->row_codes[r] = accord_pick_int(wave->row_codes[r], wave->from, wave->head_codes[r]);
    opening[r] = accord_pick(opening[r], wave->from, wave->head_opening[r]);
  }
}

// Computes the match weights of all cells of a step, factors included, and stores them where
// accord_lanes_tile reads them.
ACCORD_FUNCTION void accord_fill_tile_table(const accord_wavefront_work* work,
                                            const accord_wavefront* wave) {
  // The offsets of the weights of the letters of each row, and of the factors of its contexts.
  accord_vi letters[ACCORD_TILE], contexts[ACCORD_TILE];
  for (int r = 0; r < ACCORD_TILE; ++r) {
    letters[r] = wave->profile + ACCORD_LETTER(wave->row_codes[r]) * ACCORD_TILE;
    contexts[r] =
        wave->profile + (ACCORD_SYMBOLS + ACCORD_CONTEXT(wave->row_codes[r])) * ACCORD_TILE;
  }
  for (int number = 0; number < ACCORD_MODELS; ++number) {
    if (!work->combination.uses[number]) continue;
    const float* profile =
        accord_floats(work, work->w->profile) + number * ACCORD_LANES * ACCORD_PROFILE;
    accord_vf* table = accord_vectors(work, work->w->table) + number * ACCORD_TILE;
    for (int r = 0; r < ACCORD_TILE; ++r, table += ACCORD_MODELS * ACCORD_TILE) {
      accord_multiply_places(profile, (const accord_u32*)&letters[r],
                             (const accord_u32*)&contexts[r], table);
    }
  }
}

// The exponents of a border.
ACCORD_FUNCTION accord_i32* accord_border_scales(const accord_wavefront_work* work,
                                                 const float* border) {
  return (accord_i32*)(border + (accord_u64)work->w->row_tiles * ACCORD_TILE * ACCORD_CARRIED);
}

// Passes the carry of a step to the next lanes. The first lane of a round reads the border of the
// previous round, if its pair began in that round.
ACCORD_FUNCTION void accord_pass_carry(const accord_wavefront_work* work, accord_carry* carry,
                                       accord_kind kind, const accord_wavefront* wave) {
  const int lane = wave->first_lane, row = accord_lane_int(wave->tile_row, lane);
  const int reads = accord_is_inside(wave, lane) && accord_lane_int(wave->tile_column, lane) > 0;
  const int has_corner = reads && row > 0;
  const accord_vi first = accord_set_int(lane);
  const float* border = wave->border[reads ? (wave->round[lane] + 1) & 1 : 0];
  const float* values = border + (accord_u64)(reads ? row : 0) * ACCORD_TILE * ACCORD_CARRIED;
  const accord_i32* scale =
      accord_border_scales(work, border) + ACCORD_MODELS * (reads ? row : 0) + kind.number;
  const float corner = has_corner ? values[kind.first + 1 - ACCORD_CARRIED] : 0.0f;
#define ACCORD_HANDED(value) accord_where_eq_int(wave->number, first, accord_set(value))
  for (int r = 0; r < ACCORD_TILE; ++r, values += ACCORD_CARRIED) {
    accord_side* left = &carry->left[r];
    left->m = accord_pick(left->m, wave->from, ACCORD_HANDED(reads ? values[kind.first] : 0.0f));
    left->s =
        accord_pick(left->s, wave->from, ACCORD_HANDED(reads ? values[kind.first + 1] : 0.0f));
    ACCORD_UNROLL
    for (int k = 0; k < ACCORD_GAP_CLASSES; ++k) {
      if (k >= kind.classes) continue;
      left->gap[k] = accord_pick(left->gap[k], wave->from,
                                 ACCORD_HANDED(reads ? values[kind.first + 2 + k] : 0.0f));
    }
  }
  carry->corner = accord_pick(carry->corner, wave->from, ACCORD_HANDED(corner));
#undef ACCORD_HANDED
  const accord_vi none = accord_set_int(ACCORD_NO_EXPONENT);
  const accord_vi left_scale = accord_set_int(reads ? scale[0] : ACCORD_NO_EXPONENT);
  const accord_vi corner_scale =
      accord_set_int(has_corner ? scale[-ACCORD_MODELS] : ACCORD_NO_EXPONENT);
  carry->scale = accord_pick_int(carry->scale, wave->from,
                                 accord_choose_eq_int(wave->number, first, left_scale, none));
  carry->corner_scale =
      accord_pick_int(carry->corner_scale, wave->from,
                      accord_choose_eq_int(wave->number, first, corner_scale, none));
}

// Writes the carry of the last lane of a round to the border, for the next round.
ACCORD_FUNCTION void accord_leave_carry(const accord_wavefront_work* work,
                                        const accord_carry* carry, accord_kind kind,
                                        const accord_wavefront* wave) {
  const int lane = wave->last_lane, row = accord_lane_int(wave->tile_row, lane);
  if (!accord_is_inside(wave, lane)) return;
  float* border = wave->border[wave->round[lane] & 1];
  float* values = border + (accord_u64)row * ACCORD_TILE * ACCORD_CARRIED;
  for (int r = 0; r < ACCORD_TILE; ++r, values += ACCORD_CARRIED) {
    const accord_side* left = &carry->left[r];
    values[kind.first] = accord_lane(left->m, lane);
    values[kind.first + 1] = accord_lane(left->s, lane);
    ACCORD_UNROLL
    for (int k = 0; k < ACCORD_GAP_CLASSES; ++k) {
      if (k < kind.classes) values[kind.first + 2 + k] = accord_lane(left->gap[k], lane);
    }
  }
  accord_border_scales(work, border)[ACCORD_MODELS * row + kind.number] =
      accord_lane_int(carry->scale, lane);
}

#endif
