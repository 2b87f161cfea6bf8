// SPDX-License-Identifier: Apache-2.0
// Strips of the wavefront shape (wavefront_task.h): where their lanes are, the match weights of
// their tiles, and the borders that they hand on.
#ifndef ACCORD_SHARED_WAVEFRONT_STRIP_H
#define ACCORD_SHARED_WAVEFRONT_STRIP_H
#include "shared/lanes_task.h"
#include "shared/wavefront_workspace.h"

#define ACCORD_TILE_CELLS (ACCORD_TILE * ACCORD_TILE)

typedef struct accord_wavefront_input {
  const accord_u8 *x, *y;  // residue codes
  int m, n;                // lengths, at least 1
  // Told how many sweeps of strips are done; may be null.
  void (*tell)(void* teller, accord_u32 done, accord_u32 all);
  void* teller;
} accord_wavefront_input;

// Cells found so far; those beyond the capacity are counted but not stored.
typedef struct accord_wavefront_output {
  accord_cell* cells;
  accord_u32 count, capacity;
} accord_wavefront_output;

// What strips work on: read-only inputs, scratch memory, and where results go.
typedef struct accord_wavefront_work {
  const accord_wavefront_input* in;
  const accord_wavefront_workspace* w;
  const accord_model* model;
  accord_combination combination;
  accord_u32 letters;  // of x (accord_letters_of)
  accord_vf* memory;
  accord_lanes_totals* totals;             // forward, null once they are known; equal in all lanes
  accord_inverse hmm_inverse, pf_inverse;  // backward
  accord_wavefront_output* out;            // backward
  accord_u32 done, all;                    // sweeps of strips
} accord_wavefront_work;

// A strip in one direction.
typedef struct accord_wavefront_strip {
  int number;    // counted forward
  int is_first;  // of the sweep: nothing lies before it
  int keeps;     // M is kept (forward), or read (backward), at the next place
  int place;     // in the band
  int first_lane, last_lane;
  accord_vi behind;  // steps of each lane behind the first
  accord_vi from;    // the lane that comes before each; the first has none, ACCORD_LANES
  accord_vi tile_column;
  accord_vi profile;  // where in the profiles those of each lane begin
  float* border;      // read on the left, written on the right
  accord_i32* border_scale;
} accord_wavefront_strip;

ACCORD_FUNCTION float* accord_floats(const accord_wavefront_work* work, accord_u64 begin) {
  return (float*)work->memory + begin;
}
ACCORD_FUNCTION accord_vf* accord_vectors(const accord_wavefront_work* work, accord_u64 begin) {
  return work->memory + begin / ACCORD_LANES;
}

ACCORD_FUNCTION accord_vf accord_broadcast(accord_vf v, int lane) {
  return accord_set(accord_lane(v, lane));
}
ACCORD_FUNCTION accord_vi accord_broadcast_int(accord_vi v, int lane) {
  return accord_set_int(accord_lane_int(v, lane));
}

// Profiles of the columns of a strip: the weights of its residues of y against each of the letters
// of x, and their factors against each context: [model][lane][letter, then context][column].
ACCORD_FUNCTION void accord_fill_profiles(const accord_wavefront_work* work,
                                          const accord_sweep* sweep,
                                          const accord_wavefront_strip* strip) {
  float* profile = accord_floats(work, work->w->profile);
  for (int number = 0; number < ACCORD_MODELS; ++number) {
    const accord_recursion* of = number == ACCORD_HMM ? &work->model->hmm : &work->model->partition;
    for (int lane = 0; lane < ACCORD_LANES; ++lane, profile += ACCORD_PROFILE) {
      if (!work->combination.uses[number]) continue;
      int letters[ACCORD_TILE], contexts[ACCORD_TILE];
      for (int c = 0; c < ACCORD_TILE; ++c) {
        const int column = accord_lane_int(strip->tile_column, lane) * ACCORD_TILE + c;
        const int code =
            accord_code_at(work->in->y, work->in->n, sweep->cols, column, sweep->backward);
        letters[c] = ACCORD_LETTER(code);
        contexts[c] = ACCORD_CONTEXT(code);
      }
      // The tables are symmetric.
      for (accord_u32 left = work->letters; left != 0; left &= left - 1) {
        const int letter = accord_lowest_bit(left);
        const float* weights = of->weight + letter * ACCORD_SYMBOLS;
        for (int c = 0; c < ACCORD_TILE; ++c) {
          profile[letter * ACCORD_TILE + c] = weights[letters[c]];
        }
      }
      for (int context = 0; context < ACCORD_CONTEXTS; ++context) {
        const float* factors = of->context + context * ACCORD_SYMBOLS;
        for (int c = 0; c < ACCORD_TILE; ++c) {
          profile[(ACCORD_SYMBOLS + context) * ACCORD_TILE + c] = factors[contexts[c]];
        }
      }
    }
  }
}

// Factors of opening a gap behind the columns of a strip.
ACCORD_FUNCTION void accord_fill_column_openings(const accord_wavefront_work* work,
                                                 const accord_sweep* sweep,
                                                 const accord_wavefront_strip* strip) {
  accord_vf* opening = accord_vectors(work, work->w->column_opening);
  for (int lane = 0; lane < ACCORD_LANES; ++lane) {
    const int first = accord_lane_int(strip->tile_column, lane) * ACCORD_TILE;
    for (int c = 0; c < ACCORD_TILE; ++c) {
      accord_lane(opening[c], lane) =
          accord_opening(work->model, work->in->y, work->in->n,
                         accord_residues_at(sweep->cols, first + c, sweep->backward));
    }
  }
}

ACCORD_FUNCTION accord_wavefront_strip accord_make_strip(const accord_wavefront_work* work,
                                                         const accord_sweep* sweep, int number) {
  const accord_wavefront_workspace* w = work->w;
  accord_wavefront_strip strip;
  strip.number = number;
  strip.is_first = number == (sweep->backward ? (int)w->strips - 1 : 0);
  strip.place = number % (int)w->band_strips;
  strip.keeps = 1;
  strip.first_lane = sweep->backward ? ACCORD_LANES - 1 : 0;
  strip.last_lane = ACCORD_LANES - 1 - strip.first_lane;
  strip.border = accord_floats(work, w->border + (accord_u64)sweep->backward * w->border_size);
  strip.border_scale =
      (accord_i32*)(strip.border + (accord_u64)w->row_tiles * ACCORD_TILE * ACCORD_CARRIED);
  for (int lane = 0; lane < ACCORD_LANES; ++lane) {
    const int behind = sweep->backward ? ACCORD_LANES - 1 - lane : lane;
    const int column = number * ACCORD_LANES + lane;
    const int tile_column = sweep->backward ? sweep->cols / ACCORD_TILE - 1 - column : column;
    accord_lane_int(strip.behind, lane) = behind;
    accord_lane_int(strip.from, lane) = behind == 0       ? ACCORD_LANES
                                        : sweep->backward ? lane + 1
                                                          : lane - 1;
    accord_lane_int(strip.tile_column, lane) = tile_column;
    accord_lane_int(strip.profile, lane) = lane * ACCORD_PROFILE;
  }
  return strip;
}

// Match weights of all cells of a step, factors included, where accord_lanes_tile looks for them:
// as if the columns of a tile had the letters 0 ... ACCORD_TILE - 1, and all the same context.
ACCORD_FUNCTION void accord_fill_tile_table(const accord_wavefront_work* work,
                                            const accord_wavefront_strip* strip,
                                            const accord_vi* row_codes) {
  accord_vf* table = accord_vectors(work, work->w->table);
  for (int r = 0; r < ACCORD_TILE; ++r) {
    const accord_vi letters = strip->profile + ACCORD_LETTER(row_codes[r]) * ACCORD_TILE;
    const accord_vi contexts =
        strip->profile + (ACCORD_SYMBOLS + ACCORD_CONTEXT(row_codes[r])) * ACCORD_TILE;
    const float* profile = accord_floats(work, work->w->profile);
    for (int number = 0; number < ACCORD_MODELS; ++number, table += ACCORD_ENTRIES) {
      if (work->combination.uses[number]) {
        accord_multiply_places(profile, letters, contexts, table);
        table[ACCORD_SYMBOLS] = accord_set(1.0f);
      }
      profile += ACCORD_LANES * ACCORD_PROFILE;
    }
  }
}

// Hands the carry of a step on to the lanes after; the first lane gets that of the border at row of
// tiles `step`. `corner` is what entered its last row in the step before.
ACCORD_FUNCTION void accord_pass_carry(accord_carry* carry, accord_kind kind,
                                       const accord_wavefront_strip* strip, int inside, int step) {
  const int reads = inside && !strip->is_first;
  const float* values = strip->border + (accord_u64)step * ACCORD_TILE * ACCORD_CARRIED;
  const int has_corner = reads && step > 0;
  const float corner = has_corner ? values[kind.first + 1 - ACCORD_CARRIED] : 0.0f;
  const accord_i32* scale = strip->border_scale + ACCORD_MODELS * step + kind.number;
  for (int r = 0; r < ACCORD_TILE; ++r, values += ACCORD_CARRIED) {
    accord_side* left = &carry->left[r];
    left->m = accord_pick(left->m, strip->from, accord_set(reads ? values[kind.first] : 0.0f));
    left->s = accord_pick(left->s, strip->from, accord_set(reads ? values[kind.first + 1] : 0.0f));
    ACCORD_UNROLL
    for (int k = 0; k < ACCORD_GAP_CLASSES; ++k) {
      if (k >= kind.classes) continue;
      left->gap[k] = accord_pick(left->gap[k], strip->from,
                                 accord_set(reads ? values[kind.first + 2 + k] : 0.0f));
    }
  }
  carry->scale = accord_pick_int(carry->scale, strip->from, reads ? scale[0] : ACCORD_NO_EXPONENT);
  carry->corner = accord_pick(carry->corner, strip->from, accord_set(corner));
  carry->corner_scale = accord_pick_int(carry->corner_scale, strip->from,
                                        has_corner ? scale[-ACCORD_MODELS] : ACCORD_NO_EXPONENT);
}

// Leaves what the last lane hands on in the border, at row of tiles `tile_row`.
ACCORD_FUNCTION void accord_leave_carry(const accord_carry* carry, accord_kind kind,
                                        const accord_wavefront_strip* strip, int tile_row) {
  const int lane = strip->last_lane;
  float* values = strip->border + (accord_u64)tile_row * ACCORD_TILE * ACCORD_CARRIED;
  for (int r = 0; r < ACCORD_TILE; ++r, values += ACCORD_CARRIED) {
    const accord_side* left = &carry->left[r];
    values[kind.first] = accord_lane(left->m, lane);
    values[kind.first + 1] = accord_lane(left->s, lane);
    ACCORD_UNROLL
    for (int k = 0; k < ACCORD_GAP_CLASSES; ++k) {
      if (k < kind.classes) values[kind.first + 2 + k] = accord_lane(left->gap[k], lane);
    }
  }
  strip->border_scale[ACCORD_MODELS * tile_row + kind.number] = accord_lane_int(carry->scale, lane);
}

#endif
