// SPDX-License-Identifier: Apache-2.0
// The product in climb (kernels/likelihood/peel.cl): a matrix in device memory, times the values of
// a group in local memory, into the registers of its work-items.
#ifndef ACCORD_KERNELS_LIKELIHOOD_PEEL_MULTIPLY_H
#define ACCORD_KERNELS_LIKELIHOOD_PEEL_MULTIPLY_H
#include "likelihood/peel_item.h"

// Only tests compile ACCORD_MATRIX_UNITS for other devices; there the work-items keep the layout
// for matrix units, and the second branch multiplies.
#if defined(ACCORD_MATRIX_UNITS) && (defined(__NV_CL_C_VERSION) || defined(__NVPTX__))

// NVIDIA's matrix units multiply 16 rows of four doubles (patterns) by eight columns of four
// (states). 32 work-items hold these tiles together: each holds one value of a column and two of
// the rows, and gets two columns of two rows (PTX ISA, "mma.m16n8k4"). The units add the four
// products in order, one fused multiply-add after the other. A product of 32 by 32 reads a quarter
// of the memory that is read if each work-item multiplies by itself.

// The number of states that one step adds, and the unrolling of the loop over steps.
#define ACCORD_PEEL_STEP 4
#define ACCORD_PEEL_UNROLL ACCORD_UNROLL_4

// The factors of one step that a work-item holds. p: values of the matrix, one of each tile of
// columns (states). f: values of a node, two of each tile of rows (patterns).
typedef struct accord_terms {
  accord_real2 p[ACCORD_PEEL_ROWS / 4], f[ACCORD_PEEL_PATTERNS / 2];
} accord_terms;

// Reads the terms from state j on. The last step may have fewer than four states.
ACCORD_FUNCTION accord_terms accord_read_terms(__global const accord_real* matrix,
                                               __local const accord_real* values, uint j,
                                               bool is_last) {
  const uint lane = ACCORD_PEEL_ITEM % 32, state = j + lane % 4;
  const bool is_state = !is_last || state < ACCORD_STATES;
  __local const accord_real* value =
      values + ACCORD_VALUE_AT(state, ACCORD_FIRST_PATTERN ^ ACCORD_LOCAL_TURN(state));
  accord_terms terms;
  ACCORD_UNROLL
  for (uint k = 0; k < ACCORD_PEEL_ROWS; k += 4) {
    const uint s = ACCORD_PEEL_ITEM / 64 * 32 + lane / 4 * 2 + ACCORD_STATE_OF(k);
    __global const accord_real* at = matrix + state * ACCORD_PEEL_COLUMN + s;
    terms.p[k / 4] = is_state ? *(__global const accord_real2*)at : (accord_real2)(0);
  }
  ACCORD_UNROLL
  for (uint t = 0; t < ACCORD_PEEL_PATTERNS; t += 2) {
    terms.f[t / 2] =
        is_state ? *(__local const accord_real2*)(value + ACCORD_PATTERN_OF(t)) : (accord_real2)(0);
  }
  return terms;
}

// Adds the product of a tile of 16 rows and a tile of 8 columns, by one matrix instruction. `rows`
// and `column` are the values that this work-item holds: of two patterns, and of one state. The
// work-item has four sums. first_* and second_* are those of its two patterns; *_low and *_high are
// those of two neighbouring columns of the tile.
ACCORD_FUNCTION void accord_multiply_tile(accord_real2 rows, accord_real column,
                                          accord_real* first_low, accord_real* first_high,
                                          accord_real* second_low, accord_real* second_high) {
  __asm__ volatile(
      "mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 "
      "{%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
      : "+d"(*first_low), "+d"(*first_high), "+d"(*second_low), "+d"(*second_high)
      : "d"(rows.x), "d"(rows.y), "d"(column));
}

// Adds the products of the terms of one step to the sums [pattern][state] of the work-item.
ACCORD_FUNCTION void accord_add_terms(const accord_terms* terms,
                                      accord_real sum[ACCORD_PEEL_PATTERNS][ACCORD_PEEL_ROWS]) {
  ACCORD_UNROLL
  for (uint k = 0; k < ACCORD_PEEL_ROWS; k += 4) {
    ACCORD_UNROLL
    for (uint t = 0; t < ACCORD_PEEL_PATTERNS; t += 2) {
      const accord_real2 rows = terms->f[t / 2], columns = terms->p[k / 4];
      accord_multiply_tile(rows, columns.x, &sum[t][k], &sum[t][k + 2], &sum[t + 1][k],
                           &sum[t + 1][k + 2]);
      accord_multiply_tile(rows, columns.y, &sum[t][k + 1], &sum[t][k + 3], &sum[t + 1][k + 1],
                           &sum[t + 1][k + 3]);
    }
  }
}

#else

#define ACCORD_PEEL_STEP 1
// With codons, the loop is unrolled only if a work-item has enough registers. (AMD devices spilled
// registers without this condition.)
#if ACCORD_STATES > 20 && ACCORD_PEEL_PATTERNS < 8
#define ACCORD_PEEL_UNROLL ACCORD_NO_UNROLL
#else
#define ACCORD_PEEL_UNROLL ACCORD_UNROLL_4
#endif

// The terms of one state. p: the matrix from the state to the states of the work-item. f: the
// values of the patterns of the work-item.
typedef struct accord_terms {
  accord_real2 p[ACCORD_PEEL_ROWS / 2], f[ACCORD_PEEL_PATTERNS / 2];
} accord_terms;

// Reads the terms of state j. Every step is whole: `is_last` is for matrix units alone.
ACCORD_FUNCTION accord_terms accord_read_terms(__global const accord_real* matrix,
                                               __local const accord_real* values, uint j,
                                               bool is_last) {
  __global const accord_real* column = matrix + j * ACCORD_PEEL_COLUMN + ACCORD_FIRST_STATE;
  __local const accord_real* value =
      values + ACCORD_VALUE_AT(j, ACCORD_FIRST_PATTERN ^ ACCORD_LOCAL_TURN(j));
  accord_terms terms;
  ACCORD_UNROLL
  for (uint k = 0; k < ACCORD_PEEL_ROWS; k += 2) {
    terms.p[k / 2] = *(__global const accord_real2*)(column + ACCORD_STATE_OF(k));
  }
  ACCORD_UNROLL
  for (uint t = 0; t < ACCORD_PEEL_PATTERNS; t += 2) {
    terms.f[t / 2] = *(__local const accord_real2*)(value + ACCORD_PATTERN_OF(t));
  }
  return terms;
}

// Adds the products of the terms of one step to the sums [pattern][state] of the work-item.
ACCORD_FUNCTION void accord_add_terms(const accord_terms* terms,
                                      accord_real sum[ACCORD_PEEL_PATTERNS][ACCORD_PEEL_ROWS]) {
  ACCORD_UNROLL
  for (uint k = 0; k < ACCORD_PEEL_ROWS; ++k) {
    const accord_real p = k % 2 == 0 ? terms->p[k / 2].x : terms->p[k / 2].y;
    ACCORD_UNROLL
    for (uint t = 0; t < ACCORD_PEEL_PATTERNS; ++t) {
      const accord_real f = t % 2 == 0 ? terms->f[t / 2].x : terms->f[t / 2].y;
      sum[t][k] = ACCORD_PEEL_ADD(sum[t][k], p, f);
    }
  }
}

#endif

// Computes sum[t][k] = sum_j matrix(k, j) value(t, j), for the states and patterns of a work-item.
// `matrix` is stored in columns: column j begins at j * ACCORD_PEEL_COLUMN. `values` is addressed
// by ACCORD_VALUE_AT with ACCORD_LOCAL_TURN.
// No value is negative, so that sums that start with 0 have the same bits as sums that start with
// the first product. If steps are unrolled, the terms of the next step are read while this one is
// added; a work-item has many sums, so that few items run at the same time. (Reading one state
// ahead by hand was not faster on an H200.)
ACCORD_FUNCTION void accord_multiply_group(
    __global const accord_real* matrix, __local const accord_real* values,
    accord_real sum[ACCORD_PEEL_PATTERNS][ACCORD_PEEL_ROWS]) {
  const uint full = ACCORD_STATES / ACCORD_PEEL_STEP * ACCORD_PEEL_STEP;  // whole steps only
  ACCORD_UNROLL
  for (uint t = 0; t < ACCORD_PEEL_PATTERNS; ++t) {
    ACCORD_UNROLL
    for (uint k = 0; k < ACCORD_PEEL_ROWS; ++k) sum[t][k] = 0;
  }
  ACCORD_PEEL_UNROLL
  for (uint j = 0; j < full; j += ACCORD_PEEL_STEP) {
    const accord_terms terms = accord_read_terms(matrix, values, j, false);
    accord_add_terms(&terms, sum);
  }
  if (full < ACCORD_STATES) {
    const accord_terms terms = accord_read_terms(matrix, values, full, true);
    accord_add_terms(&terms, sum);
  }
}

#endif
