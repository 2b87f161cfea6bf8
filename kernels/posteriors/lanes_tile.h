// SPDX-License-Identifier: Apache-2.0
// Tiles in the lanes layout: 8 x 8 cells of up to ACCORD_LANES pairs at once, one pair per vector
// lane. The lanes share y, so the weights of a cell are one vector load from a table that is made
// for each row of tiles. recursion.h defines M and S, scaling.h the exponents of tiles, and sweep.h
// the walk over the tiles.
#ifndef ACCORD_KERNELS_POSTERIORS_LANES_TILE_H
#define ACCORD_KERNELS_POSTERIORS_LANES_TILE_H
#include "posteriors/sweep.h"

// The residues of a task. A lane without an x has length 0 and a pointer of another lane.
typedef struct accord_lanes_input {
  ACCORD_GLOBAL const accord_u8* x[ACCORD_LANES];  // residue codes of each x
  ACCORD_GLOBAL const accord_u8* y;
  accord_vi m;     // length of each x, in residues
  int m_longest;   // the largest m
  int m_shortest;  // the smallest m of a lane with an x
  int n;           // length of y, at least 1
#ifndef __OPENCL_C_VERSION__
  // Called with the number of finished steps of a task; may be null. Devices have no listener.
  void (*tell)(void* listener, accord_u32 done, accord_u32 all);
  void* listener;
#endif
} accord_lanes_input;

// The values that a tile hands to the tile on its right, for one model. `left` has the last column.
typedef struct accord_carry {
  accord_side left[ACCORD_TILE];
  accord_vi scale;         // exponent of `left`; ACCORD_NO_EXPONENT if the tile hands nothing on
  accord_vi tile_scale;    // exponent of the cells of the tile itself
  accord_vf corner;        // S of the cell above the last column of the tile
  accord_vi corner_scale;  // exponent of `corner`
} accord_carry;

// Returns the set of the letters in `codes`, with the border symbol: bit a is set for letter a.
ACCORD_FUNCTION accord_u32 accord_letters_of(ACCORD_GLOBAL const accord_u8* codes, int length) {
  accord_u32 letters = 1u << ACCORD_BORDER_SYMBOL;
  for (int k = 0; k < length; ++k) letters |= 1u << ACCORD_LETTER(codes[k]);
  return letters;
}

// The letters of y that the forward or the backward sweep reads in forward tile columns [first,
// last): one set for both directions.
ACCORD_FUNCTION accord_u32 accord_letters_of_tiles(const accord_lanes_input* in, int first,
                                                   int last) {
  const int begin = first > 0 ? first * ACCORD_TILE - 1 : 0;
  const int end = last * ACCORD_TILE < in->n ? last * ACCORD_TILE : in->n;
  return accord_letters_of(in->y + begin, end - begin);
}

// Stores the factors of opening a gap, by the number of residues before the gap: in x for each lane
// (w->row_opening), and in y (w->column_opening).
ACCORD_FUNCTION void accord_fill_openings(ACCORD_GLOBAL accord_vf* memory,
                                          const accord_workspace* w,
                                          ACCORD_CONSTANT const accord_model* model,
                                          const accord_lanes_input* in) {
  for (int i = 0; i < (int)w->row_tiles * ACCORD_TILE; ++i) {
    accord_vf opening;
    for (int lane = 0; lane < ACCORD_LANES; ++lane) {
      accord_lane(opening, lane) =
          accord_opening(model, in->x[lane], accord_lane_int(in->m, lane), i);
    }
    memory[w->row_opening + (accord_u64)i] = opening;
  }
  for (int j = 0; j < (int)w->col_tiles * ACCORD_TILE; ++j) {
    memory[w->column_opening + (accord_u64)j] = accord_set(accord_opening(model, in->y, in->n, j));
  }
}

// Fills `table` for the 8 rows of a row of tiles: [row][model][letter, then context]. An entry has
// the weight of the residue of a row with a letter of `letters`, or the factor of its context with
// a context. `uses`: whether the task uses a model. `first_row`: the first row, in the sweep.
ACCORD_FUNCTION void accord_fill_row_tables(ACCORD_GLOBAL accord_vf* table,
                                            ACCORD_CONSTANT const accord_model* model,
                                            const int* uses, const accord_lanes_input* in,
                                            accord_u32 letters, const accord_sweep* sweep,
                                            int first_row) {
  accord_vi row_letters[ACCORD_TILE], row_contexts[ACCORD_TILE];
  for (int r = 0; r < ACCORD_TILE; ++r) {
    for (int lane = 0; lane < ACCORD_LANES; ++lane) {
      const int code = accord_code_at(in->x[lane], accord_lane_int(in->m, lane), sweep->rows,
                                      first_row + r, sweep->backward);
      accord_lane_int(row_letters[r], lane) = ACCORD_LETTER(code);
      accord_lane_int(row_contexts[r], lane) = ACCORD_CONTEXT(code);
    }
  }
  // The tables are symmetric, so the row of a letter is looked up by the letters of the lanes. It
  // is loaded once for all rows of the tile.
  const int stride = ACCORD_MODELS * ACCORD_ENTRIES;
  for (int number = 0; number < ACCORD_MODELS; ++number, table += ACCORD_ENTRIES) {
    if (!uses[number]) continue;
    ACCORD_CONSTANT const accord_recursion* of =
        number == ACCORD_HMM ? &model->hmm : &model->partition;
    for (accord_u32 left = letters; left != 0; left &= left - 1) {
      const int letter = accord_lowest_bit(left);
      ACCORD_CONSTANT const float* weights = of->weight + letter * ACCORD_SYMBOLS;
      ACCORD_UNROLL
      for (int r = 0; r < ACCORD_TILE; ++r) {
        table[r * stride + letter] = accord_lookup(weights, row_letters[r]);
      }
    }
    for (int context = 0; context < ACCORD_CONTEXTS; ++context) {
      ACCORD_CONSTANT const float* factors = of->context + context * ACCORD_SYMBOLS;
      ACCORD_UNROLL
      for (int r = 0; r < ACCORD_TILE; ++r) {
        table[r * stride + ACCORD_SYMBOLS + context] =
            accord_lookup_context(factors, row_contexts[r]);
      }
    }
  }
}

// The place of a tile, and the data of its rows and columns. tile_row, tile_column: its place in
// the sweep, in each lane. edge: for each model, whether the tile may have a part of the border or
// the end of a lane.
typedef struct accord_tile_place {
  accord_vi tile_row, tile_column;
  int edge[ACCORD_MODELS];
  // 1: the table has the weights of the cells, [row][model][column]. 0: the table is that of
  // accord_fill_row_tables(), and column c has its letter and its context at the places letters[c]
  // and contexts[c] of a row.
  int weighted;
  int letters[ACCORD_TILE], contexts[ACCORD_TILE];
  // Factors of opening a gap behind the first row and behind the first column of the tile. Those of
  // the next row and the next column are `next` elements further.
  ACCORD_GLOBAL const accord_vf *row_opening, *column_opening;
  int next;
} accord_tile_place;

// The values that enter the cells of a tile, in the scale of the tile.
typedef struct accord_tile_inputs {
  accord_vf corner;                 // S of the cell above and left of the tile
  accord_vf from_above, from_left;  // factors that bring values in memory to the scale of the tile
  accord_border border;
  // The rows and columns of the tile, one bit each, in which the border injects in some lane.
  int touched_rows, touched_columns;
} accord_tile_inputs;

// For each of the 8 rows or columns from `first` on, a bit: whether it is the border in some lane.
ACCORD_FUNCTION int accord_touched(accord_vi first, accord_vi border) {
  const accord_vi one = accord_set_int(1);
  // 0 for a border before these rows, 9 for a border behind them.
  const accord_vi place = accord_min_int(accord_max_int(border - first, accord_set_int(-1)) + one,
                                         accord_set_int(ACCORD_TILE + 1));
  return (accord_all_bits(one << place) >> 1) & 0xff;
}

// Sets touched_rows and touched_columns of a tile. `row`, `column`: the first row and column of the
// tile. The border injects all along its row and its column if the model has free ends, else in the
// cells around the start.
ACCORD_FUNCTION void accord_find_touched(accord_tile_inputs* inputs, accord_kind kind,
                                         accord_vi row, accord_vi column) {
  const accord_border* border = &inputs->border;
  inputs->touched_rows = accord_touched(row, border->row);
  inputs->touched_columns = accord_touched(column, border->column);
  if (kind.free_ends) return;
  const accord_vi one = accord_set_int(1);
  const int columns = inputs->touched_columns | accord_touched(column, border->column + one);
  inputs->touched_rows |= accord_touched(row, border->row + one);
  if (columns == 0) inputs->touched_rows = 0;
  inputs->touched_columns = 0;
}

// The inputs of four cells of a row.
typedef struct accord_row_inputs {
  accord_vf diagonal;                             // S of the cell above and left of the first cell
  int weighted;                                   // as in accord_tile_place
  ACCORD_GLOBAL const accord_vf* weights;         // of the cells, or of a row of the table
  const int *letters, *contexts;                  // places of the columns in that row
  ACCORD_GLOBAL const accord_vf* column_opening;  // the next column is `next` elements further
  accord_vf row_opening;
  int next;
} accord_row_inputs;

// Computes four cells of a row. `top` has the cells above them and `side` the cell on their left;
// both are updated. `touched` has a bit for each cell into which the border may inject. `out`
// receives S of each cell if `want_s`, else M. If `end` is not null, it receives the cell in column
// `end_column` of the four.
ACCORD_FUNCTION void accord_half_row(accord_side* top, accord_side* side,
                                     const accord_row_inputs* of, const accord_gaps* gaps,
                                     accord_kind kind, int touched, const accord_border* border,
                                     accord_vi row, accord_vi column, accord_start start,
                                     int want_s, ACCORD_GLOBAL accord_vf* out, accord_end* end,
                                     int end_column) {
  accord_inject inject = accord_no_inject();
  accord_vf diagonal = of->diagonal;
  ACCORD_UNROLL
  for (int c = 0; c < 4; ++c) {
    const accord_opens opens = {of->column_opening[c * of->next], of->row_opening};
    const accord_vf weight =
        of->weighted ? of->weights[c] : of->weights[of->letters[c]] * of->weights[of->contexts[c]];
    if (touched >> c & 1) {
      inject = accord_border_cell(*border, kind, row, column + accord_set_int(c), start);
      accord_cell_step(&top[c], side, &diagonal, weight, opens, gaps, kind, 1, &inject);
    } else {
      accord_cell_step(&top[c], side, &diagonal, weight, opens, gaps, kind, 0, &inject);
    }
    out[c] = want_s ? top[c].s : top[c].m;
    if (end != 0 && c == end_column) {
      end->m = top[c].m;
      ACCORD_UNROLL
      for (int k = 0; k < ACCORD_GAP_CLASSES; ++k) {
        end->x[k] = top[c].gap[k];
        end->y[k] = side->gap[k];
      }
    }
  }
}

// Computes the 64 cells of a tile, four columns at a time, so that their state stays in registers.
// `state` has the cells above and `left` the cells on the left; both are updated for the next
// tiles. `out` receives S of each cell if `want_s`, else M. With `edge`, the border injects, and
// end[r], unless `end` is null, receives the cell of row r in column `end_column` of the tile.
ACCORD_FUNCTION void accord_tile_cells(ACCORD_GLOBAL accord_vf* state, accord_side* left,
                                       const accord_tile_inputs* inputs,
                                       ACCORD_GLOBAL const accord_vf* table,
                                       const accord_sweep* sweep, accord_kind kind,
                                       const accord_tile_place* place, int edge, int want_s,
                                       ACCORD_GLOBAL accord_vf* out, accord_end* end,
                                       int end_column) {
  const accord_vi first_row = ACCORD_SHIFT_LEFT(place->tile_row, 3);
  const accord_vi first_column = ACCORD_SHIFT_LEFT(place->tile_column, 3);
  const accord_gaps gaps = sweep->of[kind.number].gaps;
  const accord_start start = sweep->of[kind.number].start;
  accord_vf corner = inputs->corner;
  ACCORD_UNROLL
  for (int first = 0; first < ACCORD_TILE; first += 4) {
    accord_side top[4];
    ACCORD_UNROLL
    for (int c = 0; c < 4; ++c) {
      ACCORD_GET_SIDE(top[c], kind, state + (first + c) * ACCORD_CARRIED, 1);
      accord_rescale_side(&top[c], kind, inputs->from_above);
    }
    const accord_vf next_corner = top[3].s;
    for (int r = 0; r < ACCORD_TILE; ++r) {
      accord_side side;
      accord_copy_side(&side, &left[r], kind);
      if (first == 0) accord_rescale_side(&side, kind, inputs->from_left);
      accord_row_inputs of;
      of.diagonal = corner;
      of.weighted = place->weighted;
      const int row_of_model = r * ACCORD_MODELS + kind.number;
      of.weights = table + (place->weighted ? row_of_model * ACCORD_TILE + first
                                            : row_of_model * ACCORD_ENTRIES);
      of.letters = place->letters + first;
      of.contexts = place->contexts + first;
      of.column_opening = place->column_opening + first * place->next;
      of.row_opening = place->row_opening[r * place->next];
      of.next = place->next;
      corner = side.s;
      ACCORD_GLOBAL accord_vf* to = out + r * ACCORD_TILE + first;
      // Most rows of an edge tile are not at the border.
      const int touched = inputs->touched_columns >> first | -(inputs->touched_rows >> r & 1);
      if (edge && ((touched & 15) != 0 || end != 0)) {
        const accord_vi row = first_row + accord_set_int(r);
        accord_half_row(top, &side, &of, &gaps, kind, touched, &inputs->border, row,
                        first_column + accord_set_int(first), start, want_s, to,
                        end == 0 ? 0 : end + r, end_column - first);
      } else {
        accord_half_row(top, &side, &of, &gaps, kind, 0, &inputs->border, first_row, first_column,
                        start, want_s, to, 0, -1);
      }
      accord_copy_side(&left[r], &side, kind);
    }
    corner = next_corner;
    ACCORD_UNROLL
    for (int c = 0; c < 4; ++c) {
      ACCORD_PUT_SIDE(top[c], kind, state + (first + c) * ACCORD_CARRIED, 1);
    }
  }
}

// Clears the corner above the first row of tiles of a band.
ACCORD_FUNCTION void accord_clear_corner(accord_carry* carry) {
  carry->corner = accord_set(0.0f);
  carry->corner_scale = accord_set_int(ACCORD_NO_EXPONENT);
}

// Loads the carry at the left end of a row of tiles: zeros in the first band of a sweep, else the
// border of the band before. The caller sets the corner.
ACCORD_FUNCTION void accord_load_carry(accord_carry* carry, accord_kind kind,
                                       ACCORD_GLOBAL const accord_vf* border,
                                       ACCORD_GLOBAL const accord_vi* scale, int tile_row,
                                       int first_band) {
  border += tile_row * ACCORD_TILE * ACCORD_CARRIED;
  for (int r = 0; r < ACCORD_TILE; ++r) {
    accord_side* left = &carry->left[r];
    if (first_band) {
      left->m = left->s = accord_set(0.0f);
      ACCORD_UNROLL
      for (int k = 0; k < ACCORD_GAP_CLASSES; ++k) left->gap[k] = accord_set(0.0f);
    } else {
      ACCORD_GET_SIDE(*left, kind, border + r * ACCORD_CARRIED, 1);
    }
  }
  carry->scale = first_band ? accord_set_int(ACCORD_NO_EXPONENT)
                            : scale[ACCORD_MODELS * tile_row + kind.number];
}

// Stores the carry at the right end of a row of tiles in `border` and `scale`.
ACCORD_FUNCTION void accord_store_carry(const accord_carry* carry, accord_kind kind,
                                        ACCORD_GLOBAL accord_vf* border,
                                        ACCORD_GLOBAL accord_vi* scale, int tile_row) {
  border += tile_row * ACCORD_TILE * ACCORD_CARRIED;
  for (int r = 0; r < ACCORD_TILE; ++r) {
    ACCORD_PUT_SIDE(carry->left[r], kind, border + r * ACCORD_CARRIED, 1);
  }
  scale[ACCORD_MODELS * tile_row + kind.number] = carry->scale;
}

// The largest value that a tile of a model hands on.
ACCORD_FUNCTION accord_vf accord_largest_handed_on(ACCORD_GLOBAL const accord_vf* state,
                                                   const accord_carry* carry, accord_kind kind) {
  accord_vf largest = accord_set(0.0f);
  ACCORD_UNROLL
  for (int c = 0; c < ACCORD_TILE; ++c) {
    accord_side side;
    ACCORD_GET_SIDE(side, kind, state + c * ACCORD_CARRIED, 1);
    largest = accord_max(largest, accord_largest_of_side(&side, kind));
    largest = accord_max(largest, accord_largest_of_side(&carry->left[c], kind));
  }
  return largest;
}

// Computes one tile of a model: chooses its exponent, rescales its inputs, computes the cells, and
// updates `state` for the tile below and `carry` for the tile on the right. `want_s` is set in the
// backward sweep. In this sweep, if the largest value in `state` and `carry` has an exponent below
// `least`, the tile hands nothing on: the scale of both becomes ACCORD_NO_EXPONENT. `out`, `end`
// and `end_column`: as in accord_tile_cells().
ACCORD_FUNCTION void accord_model_tile(ACCORD_GLOBAL accord_vf* state,
                                       ACCORD_GLOBAL accord_vi* state_scale, accord_carry* carry,
                                       ACCORD_GLOBAL const accord_vf* table,
                                       const accord_sweep* sweep, accord_kind kind,
                                       const accord_tile_place* place, int edge, int want_s,
                                       accord_vi least, ACCORD_GLOBAL accord_vf* out,
                                       accord_end* end, int end_column) {
  accord_side side;
  accord_input above, corner, from_left;
  above.value = from_left.value = accord_set(0.0f);
  ACCORD_UNROLL
  for (int c = 0; c < ACCORD_TILE; ++c) {
    ACCORD_GET_SIDE(side, kind, state + c * ACCORD_CARRIED, 1);
    above.value = accord_max(above.value, accord_largest_of_side(&side, kind));
  }
  const accord_vf next_corner = side.s;
  for (int r = 0; r < ACCORD_TILE; ++r) {
    from_left.value = accord_max(from_left.value, accord_largest_of_side(&carry->left[r], kind));
  }
  above.scale = state_scale[kind.number];
  from_left.scale = carry->scale;
  corner.value = carry->corner;
  corner.scale = carry->corner_scale;
  const accord_vi injected = edge
                                 ? accord_injected(sweep, kind, place->tile_row, place->tile_column)
                                 : accord_set_int(ACCORD_NO_EXPONENT);
  const accord_entry entry = accord_choose_scale(above, corner, from_left, injected);
  carry->corner = next_corner;
  carry->corner_scale = above.scale;
  carry->tile_scale = carry->scale = state_scale[kind.number] = entry.scale;
  if (want_s && !accord_any_enters(entry.scale)) {  // values in memory are not read then
    for (int k = 0; k < ACCORD_TILE * ACCORD_TILE; ++k) out[k] = accord_set(0.0f);
    return;
  }
  accord_tile_inputs inputs;
  inputs.corner = entry.corner;
  inputs.from_above = entry.from_above;
  inputs.from_left = entry.from_left;
  inputs.border = accord_make_border(sweep->border_row, sweep->border_column, entry.scale);
  if (edge) {
    accord_find_touched(&inputs, kind, ACCORD_SHIFT_LEFT(place->tile_row, 3),
                        ACCORD_SHIFT_LEFT(place->tile_column, 3));
  }
  accord_tile_cells(state, carry->left, &inputs, table, sweep, kind, place, edge, want_s, out, end,
                    end_column);
  if (want_s) {
    const accord_vf largest = accord_largest_handed_on(state, carry, kind);
    carry->scale = state_scale[kind.number] = accord_scale_handed_on(largest, entry.scale, least);
  }
}

// Computes one tile for each model that the task uses (`uses`). `carry`, `least`: [model], see
// accord_model_tile(). hmm_out and partition_out receive 64 values each. `end`: for the pair-HMM
// only. Each call of accord_model_tile() has a constant `edge`, so that most tiles, which are away
// from the borders, run no border code.
ACCORD_FUNCTION void accord_lanes_tile(ACCORD_GLOBAL accord_vf* state,
                                       ACCORD_GLOBAL accord_vi* state_scale, accord_carry* carry,
                                       ACCORD_GLOBAL const accord_vf* table, const int* uses,
                                       const accord_sweep* sweep, const accord_tile_place* place,
                                       int want_s, const accord_vi* least,
                                       ACCORD_GLOBAL accord_vf* hmm_out,
                                       ACCORD_GLOBAL accord_vf* partition_out, accord_end* end,
                                       int end_column) {
  const accord_kind hmm = accord_hmm_kind(), partition = accord_partition_kind();
  accord_carry *hmm_carry = carry + ACCORD_HMM, *partition_carry = carry + ACCORD_PARTITION;
  if (uses[ACCORD_HMM] && place->edge[ACCORD_HMM]) {
    accord_model_tile(state, state_scale, hmm_carry, table, sweep, hmm, place, 1, want_s,
                      least[ACCORD_HMM], hmm_out, end, end_column);
  } else if (uses[ACCORD_HMM]) {
    accord_model_tile(state, state_scale, hmm_carry, table, sweep, hmm, place, 0, want_s,
                      least[ACCORD_HMM], hmm_out, 0, -1);
  }
  if (uses[ACCORD_PARTITION] && place->edge[ACCORD_PARTITION]) {
    accord_model_tile(state, state_scale, partition_carry, table, sweep, partition, place, 1,
                      want_s, least[ACCORD_PARTITION], partition_out, 0, -1);
  } else if (uses[ACCORD_PARTITION]) {
    accord_model_tile(state, state_scale, partition_carry, table, sweep, partition, place, 0,
                      want_s, least[ACCORD_PARTITION], partition_out, 0, -1);
  }
}

#endif
