// SPDX-License-Identifier: Apache-2.0
// One work-item of climb (kernels/likelihood/peel.cl): it holds the values of ACCORD_PEEL_ROWS
// states of ACCORD_PEEL_PATTERNS patterns in registers. likelihood/peel.h defines F, M and L.
#ifndef ACCORD_KERNELS_LIKELIHOOD_PEEL_ITEM_H
#define ACCORD_KERNELS_LIKELIHOOD_PEEL_ITEM_H
#include "likelihood/peel_values.h"

// Returns a key of 32 bits for the largest of some nonnegative values. A larger value has a key
// that is no smaller. accord_scale_shift() gives the same result for accord_of_scale_key() of the
// key as for the value. The key is the upper half of the bits of the largest value; its last bit is
// set if any of the values has a bit set in its lower half. In single precision, the key is all
// bits of the largest value.
ACCORD_FUNCTION uint accord_scale_key(const accord_real values[ACCORD_PEEL_ROWS]) {
  uint largest = 0, below = 0;
  ACCORD_UNROLL
  for (uint k = 0; k < ACCORD_PEEL_ROWS; ++k) {
    accord_real_bits bits;
    bits.f = values[k];
#ifdef ACCORD_SINGLE
    largest = max(largest, bits.u);
#else
    largest = max(largest, (uint)(bits.u >> 32));
    below |= (uint)bits.u;
#endif
  }
  return largest | (below != 0 ? 1 : 0);
}

// Returns a value whose key is `key`, for accord_scale_shift().
ACCORD_FUNCTION accord_real accord_of_scale_key(uint key) {
  accord_real_bits bits;
#ifdef ACCORD_SINGLE
  bits.u = key;
#else
  bits.u = (ulong)key << 32;
#endif
  return bits.f;
}

// The states and patterns of a work-item of climb. ACCORD_PEEL_ITEM is its number in the group,
// ACCORD_PEEL_ITEMS the number of work-items of a group, ACCORD_PEEL_EXPONENTS the most patterns
// whose exponent a work-item sets. ACCORD_STATE_OF(k) and ACCORD_PATTERN_OF(t) are its state k and
// its pattern t, relative to its first state and pattern. States and patterns come in pairs, and a
// pair is read at once.
#define ACCORD_PEEL_ITEM ((uint)get_local_id(1) * ACCORD_PEEL_LANES + (uint)get_local_id(0))
#define ACCORD_PEEL_ITEMS (ACCORD_PEEL_LANES * ACCORD_PEEL_PARTS)
#define ACCORD_PEEL_EXPONENTS ((ACCORD_PATTERN_GROUP + ACCORD_PEEL_ITEMS - 1) / ACCORD_PEEL_ITEMS)
#ifdef ACCORD_MATRIX_UNITS
// 32 successive work-items have 32 states of 32 patterns. Of each tile of 16 patterns and 8 states,
// a work-item holds the values that a matrix unit gives it (peel_multiply.h). In these, the states
// of two tiles alternate, and so do the patterns of the halves of a tile.
#define ACCORD_STATE_OF(k) ((k) / 4 * 16 + (k) % 4)
#define ACCORD_PATTERN_OF(t) ((t) / 2 * 16 + (t) % 2)
#define ACCORD_FIRST_STATE (ACCORD_PEEL_ITEM / 64 * 32 + ACCORD_PEEL_ITEM % 4 * 4)
#define ACCORD_FIRST_PATTERN (ACCORD_PEEL_ITEM / 32 % 2 * 32 + ACCORD_PEEL_ITEM % 32 / 4 * 2)
#else
// The pairs of the work-items of a group are adjacent.
#define ACCORD_STATE_OF(k) ((k) / 2 * (2 * ACCORD_PEEL_PARTS) + (k) % 2)
#define ACCORD_PATTERN_OF(t) ((t) / 2 * (2 * ACCORD_PEEL_LANES) + (t) % 2)
#define ACCORD_FIRST_STATE (2 * (uint)get_local_id(1))
#define ACCORD_FIRST_PATTERN (2 * (uint)get_local_id(0))
#endif

// The offset of the value of state s and a pattern of a group, in device memory. In local memory,
// the pattern is XORed with ACCORD_LOCAL_TURN(s). If work-items access four rows at once, these
// rows then begin in different banks.
#define ACCORD_VALUE_AT(s, pattern) ((s)*ACCORD_PATTERN_GROUP + (pattern))
#define ACCORD_NO_TURN(s) 0
#ifdef ACCORD_MATRIX_UNITS
#define ACCORD_LOCAL_TURN(s) (((s) % 4 ^ (s) / 4 % 4) * 4)
#else
#define ACCORD_LOCAL_TURN ACCORD_NO_TURN
#endif

// Whether state k of this work-item exists. The last part of the states may have more places than
// states.
#define ACCORD_MOST_FIRST_STATE (ACCORD_PEEL_COLUMN - 1 - ACCORD_STATE_OF(ACCORD_PEEL_ROWS - 1))
#define ACCORD_IS_STATE(k)                                         \
  (ACCORD_STATE_OF(k) + ACCORD_MOST_FIRST_STATE < ACCORD_STATES || \
   ACCORD_STATE_OF(k) + ACCORD_FIRST_STATE < ACCORD_STATES)

// Raises the keys of the patterns to those of the work-item's values. `key` has a key for each
// pattern of the group, first 0. All items of a group raise the same keys, so the caller needs a
// barrier before the keys are read.
ACCORD_FUNCTION void accord_raise_keys(
    __local uint* key, const accord_real held[ACCORD_PEEL_PATTERNS][ACCORD_PEEL_ROWS]) {
  ACCORD_UNROLL
  for (uint t = 0; t < ACCORD_PEEL_PATTERNS; ++t) {
    atomic_max(&key[ACCORD_FIRST_PATTERN + ACCORD_PATTERN_OF(t)], accord_scale_key(held[t]));
  }
}

// Multiplies the values by the powers of two that scale their patterns into range, by the keys that
// accord_raise_keys() has raised.
ACCORD_FUNCTION void accord_bring_into_range(
    __local const uint* key, accord_real held[ACCORD_PEEL_PATTERNS][ACCORD_PEEL_ROWS]) {
  ACCORD_UNROLL
  for (uint t = 0; t < ACCORD_PEEL_PATTERNS; ++t) {
    const uint pattern = ACCORD_FIRST_PATTERN + ACCORD_PATTERN_OF(t);
    const int shift = accord_scale_shift(accord_of_scale_key(key[pattern]));
    if (shift == 0) continue;
    const accord_real factor = accord_power_of_two(shift);
    ACCORD_UNROLL
    for (uint k = 0; k < ACCORD_PEEL_ROWS; ++k) held[t][k] *= factor;
  }
}

// Multiplies the values of a work-item (one for each of its patterns and states) by M of a node in
// category r. If `is_first`, copies M instead. `start` is the first pattern of the group. M of a
// tip is in `tables`, by its letter codes in `codes`; M of an inner node is in `messages` (see
// accord_messages_of() in peel_values.h).
ACCORD_FUNCTION void accord_take(const accord_peel_sizes* sizes, uint node, uint r, uint start,
                                 __global const uchar* codes, __global const accord_real* tables,
                                 __global const accord_real* messages, bool is_first,
                                 accord_real held[ACCORD_PEEL_PATTERNS][ACCORD_PEEL_ROWS]) {
  if (node < sizes->tips) {
    __global const uchar* code =
        codes + (ulong)node * sizes->patterns + start + ACCORD_FIRST_PATTERN;
    __global const accord_real* table =
        tables + ACCORD_TABLE_ROW(sizes, node, r, 0) + ACCORD_FIRST_STATE;
    ACCORD_UNROLL
    for (uint t = 0; t < ACCORD_PEEL_PATTERNS; ++t) {
      __global const accord_real* row =
          table + (uint)code[ACCORD_PATTERN_OF(t)] * ACCORD_PEEL_COLUMN;
      ACCORD_UNROLL
      for (uint k = 0; k < ACCORD_PEEL_ROWS; k += 2) {
        const accord_real2 pair = *(__global const accord_real2*)(row + ACCORD_STATE_OF(k));
        held[t][k] = is_first ? pair.x : held[t][k] * pair.x;
        held[t][k + 1] = is_first ? pair.y : held[t][k + 1] * pair.y;
      }
    }
    return;
  }
  __global const accord_real* values =
      messages + ACCORD_VALUES_AT(sizes, ACCORD_JOIN_AT(sizes, node, r), start) +
      ACCORD_VALUE_AT(ACCORD_FIRST_STATE, ACCORD_FIRST_PATTERN);
  ACCORD_UNROLL
  for (uint k = 0; k < ACCORD_PEEL_ROWS; ++k) {
    ACCORD_UNROLL
    for (uint t = 0; t < ACCORD_PEEL_PATTERNS; t += 2) {
      accord_real2 pair = 0;
      const uint at = ACCORD_VALUE_AT(ACCORD_STATE_OF(k), ACCORD_PATTERN_OF(t));
      if (ACCORD_IS_STATE(k)) pair = *(__global const accord_real2*)(values + at);
      held[t][k] = is_first ? pair.x : held[t][k] * pair.x;
      held[t + 1][k] = is_first ? pair.y : held[t + 1][k] * pair.y;
    }
  }
}

// Writes the values of a work-item to local or global memory, with patterns turned by `turn`. (A
// turn does not change the offsets between the patterns of a work-item; the sums are grouped so
// that few registers hold addresses.)
#define ACCORD_PUT(memory, held, to, turn)                                                         \
  ACCORD_UNROLL                                                                                    \
  for (uint k = 0; k < ACCORD_PEEL_ROWS; ++k) {                                                    \
    if (!ACCORD_IS_STATE(k)) continue;                                                             \
    const uint put_pattern = ACCORD_FIRST_PATTERN ^ turn(ACCORD_FIRST_STATE + ACCORD_STATE_OF(k)); \
    ACCORD_UNROLL                                                                                  \
    for (uint t = 0; t < ACCORD_PEEL_PATTERNS; t += 2) {                                           \
      const accord_real2 pair = (accord_real2)((held)[t][k], (held)[t + 1][k]);                    \
      *(memory accord_real2*)((to) + ACCORD_VALUE_AT(ACCORD_FIRST_STATE, put_pattern) +            \
                              ACCORD_VALUE_AT(ACCORD_STATE_OF(k), ACCORD_PATTERN_OF(t))) = pair;   \
    }                                                                                              \
  }

// Computes L of the patterns of a group in a category, from F of the root in `values`, where
// patterns are turned by ACCORD_LOCAL_TURN. `root` gets L of each pattern of the group.
ACCORD_FUNCTION void accord_sum_root(__local const accord_real* values,
                                     __global const accord_real* frequencies,
                                     __global accord_real* root) {
  for (uint pattern = ACCORD_PEEL_ITEM; pattern < ACCORD_PATTERN_GROUP;
       pattern += ACCORD_PEEL_ITEMS) {
    accord_real sum = ACCORD_PEEL_START(frequencies[0], values[pattern ^ ACCORD_LOCAL_TURN(0)]);
    for (uint s = 1; s < ACCORD_STATES; ++s) {
      const uint at = ACCORD_VALUE_AT(s, pattern ^ ACCORD_LOCAL_TURN(s));
      sum = ACCORD_PEEL_ADD(sum, frequencies[s], values[at]);
    }
    root[pattern] = sum;
  }
}

#endif
