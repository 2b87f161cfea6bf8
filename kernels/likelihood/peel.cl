// SPDX-License-Identifier: Apache-2.0
// Computes the likelihood of one tree (formulas in likelihood/peel.h), in these launches:
//
//   fill_matrices   P of all branches and categories, and r Q P if slopes are wanted
//   fill_tables     for tips: for each code, the sums over its states
//   climb           F and M of the nodes of a part of the tree, one after the other; L
//   other_level     g of the nodes below those with a known H,
//   slope_level     their slopes, and
//   multiply_level  H of the inner nodes among them, from the root to the tips
//
// A work-item computes one pattern and one category of one node; in multiply_level some of its
// states; in climb some states of a few patterns of all nodes of a part. The work-items of a group
// have successive patterns, so that they read a matrix together, and all other values side by side.
// One launch computes all nodes of a level, or all parts that do not wait for another part.
//
//   matrices    [branch][category][j][s], columns padded to ACCORD_PEEL_COLUMN
//   tables      [tip][category][code][s], padded as a matrix
//   exponents   [join][category][pattern], followed by L as reals, [category][pattern]
//   values      [join or node][category][group][s][pattern of the group]
//
// Build options: ACCORD_SINGLE for floats; ACCORD_STATES; ACCORD_PATTERN_GROUP, the patterns of a
// group, a multiple of ACCORD_PATTERN_BLOCK; ACCORD_PEEL_PATTERNS, the patterns of a work-item of
// climb, an even number. ACCORD_MATRIX_UNITS if matrix units multiply doubles: 57 to 64 states,
// groups of 64 patterns, and 4 patterns per work-item.
#include "likelihood/peel.h"
#include "likelihood/peel_item.h"
#include "likelihood/peel_multiply.h"
#include "likelihood/peel_values.h"
#include "shared/layout.h"

// Matrices are computed in double precision for both types. On a device without doubles the host
// computes them.
#ifdef cl_khr_fp64

// A work-item computes ACCORD_FILL_COLUMNS values of a row, which share products.
__kernel void fill_matrices(__global const double* right_columns, __global const double* left,
                            __global const double* factors, uint first_factor, uint matrices,
                            uint states, uint is_probability, __global accord_real* out) {
  const uint item = (uint)get_global_id(0), column = ACCORD_PEEL_COLUMN_OF(states);
  const uint blocks = (states + ACCORD_FILL_COLUMNS - 1) / ACCORD_FILL_COLUMNS;  // integers
  if (item >= matrices * blocks * column) return;
  const uint matrix = item / (blocks * column), s = item % column;  // integers
  const uint first = item / column % blocks * ACCORD_FILL_COLUMNS;  // integers
  __global const double* scale = factors + first_factor + matrix * states;
  double sum[ACCORD_FILL_COLUMNS] = {0};
  for (uint k = 0; s < states && k < states; ++k) {
    const double scaled = right_columns[k * states + s] * scale[k];
    ACCORD_UNROLL
    for (uint n = 0; n < ACCORD_FILL_COLUMNS; ++n) {
      const double weight = left[k * states + min(first + n, states - 1)];
      sum[n] = accord_fma_real(scaled, weight, sum[n]);
    }
  }
  ACCORD_UNROLL
  for (uint n = 0; n < ACCORD_FILL_COLUMNS; ++n) {
    if (first + n >= states) continue;
    const accord_real value = (accord_real)(is_probability && sum[n] < 0 ? 0 : sum[n]);
    out[(matrix * states + first + n) * column + s] = value;
  }
}
#endif

__kernel void fill_tables(__global const accord_real* matrices, __global const ulong* symbols,
                          uint codes, uint tables, uint states, uint is_probability,
                          __global accord_real* out) {
  const uint item = (uint)get_global_id(0), column = ACCORD_PEEL_COLUMN_OF(states);
  if (item >= tables * codes * column) return;
  const uint table = item / (codes * column);                  // integers
  const uint code = item / column % codes, s = item % column;  // integers
  __global const accord_real* matrix = matrices + (ulong)table * states * column;
  const ulong symbol = symbols[code], every = ~0ul >> (64 - states);
  accord_real sum = 0;
  for (uint j = 0; j < states; ++j) {
    if (symbol >> j & 1) sum += matrix[j * column + s];
  }
  out[item] = s < states && symbol == every ? (is_probability ? 1 : 0) : sum;
}

// Measures the peak of the device (`accord_bench`): chains of multiply-adds, as in shared/peak.h.
__kernel void peak_real_fma(__global const accord_real* start, __global accord_real* sums,
                            accord_real factor, accord_real addend, uint rounds) {
  accord_real chain[ACCORD_CHAINS];
  ACCORD_UNROLL
  for (uint c = 0; c < ACCORD_CHAINS; ++c) chain[c] = start[0] + c;
  for (uint round = 0; round < rounds; ++round) {
    ACCORD_UNROLL
    for (uint step = 0; step < ACCORD_CHAIN_STEPS; ++step) {
      ACCORD_UNROLL
      for (uint c = 0; c < ACCORD_CHAINS; ++c) chain[c] = fma(chain[c], factor, addend);
    }
  }
  accord_real sum = 0;
  ACCORD_UNROLL
  for (uint c = 0; c < ACCORD_CHAINS; ++c) sum += chain[c];
  sums[get_global_id(0)] = sum;
}

#ifdef ACCORD_STATES

// A group has ACCORD_PATTERN_GROUP patterns and all states, and climbs a part of the tree step by
// step. In the order of the steps, the node of a step is mostly the left child of the next, so that
// its M stays in registers. A work-item computes F of some states and patterns; the group scales F
// into range, stores it in local memory, and multiplies it by P. A work-item uses each value of a
// matrix for all of its patterns. It reads no M except those that it wrote itself, or that an
// earlier launch wrote.
__kernel __attribute__((reqd_work_group_size(ACCORD_PEEL_LANES, ACCORD_PEEL_PARTS, 1))) void climb(
    accord_peel_sizes all, __global const accord_peel_node* steps, __global const uint* part_begin,
    uint first_part, __global const uchar* codes, __global const accord_real* tables,
    __global const accord_real* matrices, __global const accord_real* frequencies, uint keeps_all,
    __global accord_real* messages, __global accord_real* products, __global int* exponents) {
  // Read in pairs.
  __local accord_real values[ACCORD_STATES * ACCORD_PATTERN_GROUP]
      __attribute__((aligned(sizeof(accord_real2))));
  __local uint keys[2][ACCORD_PATTERN_GROUP];  // of this step, and of the next one
  const uint item = ACCORD_PEEL_ITEM;
  const uint r = (uint)get_group_id(1), start = (uint)get_group_id(0) * ACCORD_PATTERN_GROUP;
  const uint part = first_part + (uint)get_group_id(2);
  const uint begin = part_begin[part], end = part_begin[part + 1];
  const accord_peel_sizes* sizes = &all;
  accord_real held[ACCORD_PEEL_PATTERNS][ACCORD_PEEL_ROWS];
  for (uint k = item; k < ACCORD_PATTERN_GROUP; k += ACCORD_PEEL_ITEMS) keys[0][k] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint step = begin; step < end; ++step) {
    const accord_peel_node at = steps[step];
    const bool is_root = at.node - all.tips + 1 == all.joins;
    const ulong place = ACCORD_JOIN_AT(sizes, at.node, r);
    __local uint* key = keys[(step - begin) % 2];
    __local uint* next_key = keys[(step - begin + 1) % 2];
    int exponent[ACCORD_PEEL_EXPONENTS];  // read early, since nothing waits for them
    ACCORD_UNROLL
    for (uint k = 0; k < ACCORD_PEEL_EXPONENTS; ++k) {
      const uint pattern = item + k * ACCORD_PEEL_ITEMS;
      if (pattern >= ACCORD_PATTERN_GROUP) continue;
      exponent[k] = accord_exponent(sizes, at.left, r, start + pattern, exponents) +
                    accord_exponent(sizes, at.right, r, start + pattern, exponents);
    }
    if (step == begin || steps[step - 1].node != at.left) {
      accord_take(sizes, at.left, r, start, codes, tables, messages, true, held);
    }
    accord_take(sizes, at.right, r, start, codes, tables, messages, false, held);
    accord_raise_keys(key, held);
    barrier(CLK_LOCAL_MEM_FENCE);
    accord_bring_into_range(key, held);
    ACCORD_PUT(__local, held, values, ACCORD_LOCAL_TURN)
    ACCORD_UNROLL
    for (uint k = 0; k < ACCORD_PEEL_EXPONENTS; ++k) {
      const uint pattern = item + k * ACCORD_PEEL_ITEMS;
      if (pattern >= ACCORD_PATTERN_GROUP) continue;
      next_key[pattern] = 0;
      exponents[place * all.patterns + start + pattern] =
          exponent[k] - accord_scale_shift(accord_of_scale_key(key[pattern]));
    }
    if (keeps_all) {
      ACCORD_PUT(__global, held, products + ACCORD_VALUES_AT(sizes, place, start), ACCORD_NO_TURN)
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (is_root) {  // the root has no branch above it
      __global accord_real* root =
          (__global accord_real*)(exponents + (ulong)all.joins * all.categories * all.patterns);
      accord_sum_root(values, frequencies, root + r * all.patterns + start);
      continue;
    }
    accord_multiply_group(matrices + ACCORD_NODE_AT(sizes, at.node, r) * ACCORD_PEEL_MATRIX, values,
                          held);
    if (keeps_all || step + 1 == end || steps[step + 1].left != at.node) {
      ACCORD_PUT(__global, held, messages + ACCORD_VALUES_AT(sizes, place, start), ACCORD_NO_TURN)
    }
  }
}

// Computes sum[k] = sum_j matrix(first + k, j) value(j), for ACCORD_PEEL_ROWS states.
ACCORD_FUNCTION void accord_multiply(__global const accord_real* matrix,
                                     __global const accord_real* values, uint first,
                                     accord_real* sum) {
  const accord_real value = values[0];
  ACCORD_UNROLL
  for (uint k = 0; k < ACCORD_PEEL_ROWS; ++k) sum[k] = ACCORD_PEEL_START(matrix[first + k], value);
  for (uint j = 1; j < ACCORD_STATES; ++j) {
    __global const accord_real* column = matrix + j * ACCORD_PEEL_COLUMN + first;
    const accord_real next = values[j * ACCORD_PATTERN_GROUP];
    ACCORD_UNROLL
    for (uint k = 0; k < ACCORD_PEEL_ROWS; ++k) sum[k] = ACCORD_PEEL_ADD(sum[k], column[k], next);
  }
}

// Computes H of the inner nodes of a level from their g.
__kernel void multiply_level(accord_peel_sizes all, __global const accord_peel_node* nodes,
                             uint first_node, __global const accord_real* matrices,
                             __global const accord_real* others, __global accord_real* messages) {
  const uint c = (uint)get_global_id(0), part = (uint)get_global_id(1);
  const uint r = part / ACCORD_PEEL_PARTS;  // integers
  const uint first = part % ACCORD_PEEL_PARTS * ACCORD_PEEL_ROWS;
  const accord_peel_sizes* sizes = &all;
  const accord_peel_node at = nodes[first_node + get_global_id(2)];
  if (at.node < all.tips) return;
  const ulong branch = ACCORD_NODE_AT(sizes, at.node, r);
  accord_real sum[ACCORD_PEEL_ROWS];
  accord_multiply(matrices + branch * ACCORD_PEEL_MATRIX,
                  others + ACCORD_VALUES_AT(sizes, branch, c), first, sum);
  __global accord_real* to =
      messages + ACCORD_VALUES_AT(sizes, ACCORD_JOIN_AT(sizes, at.node, r), c);
  ACCORD_UNROLL
  for (uint k = 0; k < ACCORD_PEEL_ROWS; ++k) {
    if (first + k < ACCORD_STATES) to[(first + k) * ACCORD_PATTERN_GROUP] = sum[k];
  }
}

// If the largest value of a node is small, multiplies all values of the node by 2^shift. Returns
// the shift, or 0.
ACCORD_FUNCTION int accord_scale(__global accord_real* values, accord_real largest) {
  const int shift = accord_scale_shift(largest);
  if (shift != 0) {
    const accord_real factor = accord_power_of_two(shift);
    for (uint s = 0; s < ACCORD_STATES; ++s) values[s * ACCORD_PATTERN_GROUP] *= factor;
  }
  return shift;
}

// Computes g of the nodes of a level. `messages` has H of the parent, unless the parent is the
// root, and M of the sister.
__kernel void other_level(accord_peel_sizes all, __global const accord_peel_node* nodes,
                          uint first_node, __global const uchar* codes,
                          __global const accord_real* tables, __global const accord_real* messages,
                          __global const int* exponents, __global accord_real* others,
                          __global int* other_exponents) {
  const uint c = (uint)get_global_id(0), r = (uint)get_global_id(1);
  const accord_peel_sizes* sizes = &all;
  const accord_peel_node at = nodes[first_node + get_global_id(2)];
  const bool is_below_root = at.parent - all.tips + 1 == all.joins;
  const accord_messages sister =
      accord_messages_of(sizes, at.sister, r, c, codes, tables, messages);
  const ulong place = ACCORD_NODE_AT(sizes, at.node, r);
  __global accord_real* values = others + ACCORD_VALUES_AT(sizes, place, c);
  __global const accord_real* above =
      messages + ACCORD_VALUES_AT(sizes, ACCORD_JOIN_AT(sizes, at.parent, r), c);
  accord_real largest = 0;
  for (uint s = 0; s < ACCORD_STATES; ++s) {
    const accord_real message = sister.values[s * sister.step];
    const accord_real value = is_below_root ? message : above[s * ACCORD_PATTERN_GROUP] * message;
    values[s * ACCORD_PATTERN_GROUP] = value;
    largest = value > largest ? value : largest;
  }
  const int shift = is_below_root ? 0 : accord_scale(values, largest);
  const int above_exponent =
      is_below_root ? 0 : other_exponents[ACCORD_NODE_AT(sizes, at.parent, r) * all.patterns + c];
  other_exponents[place * all.patterns + c] =
      accord_exponent(sizes, at.sister, r, c, exponents) - shift + above_exponent;
}

// Computes the slopes of the branches above the nodes of a level. `slopes` is
// [node][category][block].
__kernel void slope_level(accord_peel_sizes all, __global const accord_peel_node* nodes,
                          uint first_node, __global const uchar* codes,
                          __global const accord_real* slope_matrices,
                          __global const accord_real* slope_tables,
                          __global const accord_real* products, __global const int* exponents,
                          __global const accord_real* others, __global const int* other_exponents,
                          __global const accord_real* frequencies,
                          __global const accord_real* share, __global accord_real* slopes) {
  __local accord_real part[ACCORD_PATTERN_GROUP];
  const uint c = (uint)get_global_id(0), r = (uint)get_global_id(1), lane = (uint)get_local_id(0);
  const accord_peel_sizes* sizes = &all;
  const accord_peel_node at = nodes[first_node + get_global_id(2)];
  const bool is_tip = at.node < all.tips;
  const uint code = is_tip ? codes[(ulong)at.node * all.patterns + c] : 0;
  const ulong branch = ACCORD_NODE_AT(sizes, at.node, r);
  __global const accord_real* g = others + ACCORD_VALUES_AT(sizes, branch, c);
  accord_real total = 0;
  for (uint first = 0; first < ACCORD_STATES; first += ACCORD_PEEL_ROWS) {
    accord_real sum[ACCORD_PEEL_ROWS];
    if (is_tip) {
      ACCORD_UNROLL
      for (uint k = 0; k < ACCORD_PEEL_ROWS; ++k) {
        if (first + k >= ACCORD_STATES) continue;
        sum[k] = slope_tables[ACCORD_TABLE_ROW(sizes, at.node, r, code) + first + k];
      }
    } else {
      accord_multiply(slope_matrices + branch * ACCORD_PEEL_MATRIX,
                      products + ACCORD_VALUES_AT(sizes, ACCORD_JOIN_AT(sizes, at.node, r), c),
                      first, sum);
    }
    ACCORD_UNROLL
    for (uint k = 0; k < ACCORD_PEEL_ROWS; ++k) {
      const uint s = first + k;
      if (s >= ACCORD_STATES) continue;
      const accord_real weighted = frequencies[s] * g[s * ACCORD_PATTERN_GROUP];
      total =
          s == 0 ? ACCORD_PEEL_START(weighted, sum[k]) : ACCORD_PEEL_ADD(total, weighted, sum[k]);
    }
  }
  const uint root = all.tips + all.joins - 1;
  const int exponent = other_exponents[branch * all.patterns + c] +
                       accord_exponent(sizes, at.node, r, c, exponents) -
                       accord_exponent(sizes, root, r, c, exponents);
  part[lane] = total * accord_power_of_two(exponent) * share[r * all.patterns + c];
  for (uint step = ACCORD_PATTERN_BLOCK / 2; step > 0; step >>= 1) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lane % ACCORD_PATTERN_BLOCK < step) part[lane] += part[lane + step];
  }
  if (lane % ACCORD_PATTERN_BLOCK == 0) {
    const uint blocks = all.patterns / ACCORD_PATTERN_BLOCK;
    slopes[branch * blocks + c / ACCORD_PATTERN_BLOCK] = part[lane];
  }
}

#endif
