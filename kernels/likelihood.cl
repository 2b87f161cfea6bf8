// SPDX-License-Identifier: Apache-2.0
// The likelihood of one tree (shared/likelihood.h has the formulas), in these launches:
//
//   fill_matrices   P of all branches and categories, and r Q P if slopes are wanted
//   fill_tables     of tips: the sums over the states of each code
//   climb_level     F of nodes whose children are done, and M of them, from the tips to the root
//   peel_root       L of each pattern and category
//   other_level     g of the nodes below those whose H is done,
//   slope_level     their slopes, and
//   multiply_level  H of those that are no tips, from the root to the tips
//
// A work-item is one pattern and one category of one node, in multiply_level some of its states, in
// climb_level some states of a few patterns; those of a group are successive patterns, so that they
// read a matrix together and everything else side by side. All nodes of a level share a launch.
//
//   matrices    [branch][category][j][s], a column filled up to ACCORD_PEEL_COLUMN
//   tables      [tip][category][s][code]           exponents  [join][category][pattern]
//   values      [join or node][category][group][s][pattern of the group]
//
// Built with ACCORD_SINGLE for floats, with ACCORD_STATES, with ACCORD_PATTERN_GROUP, the patterns
// of a group, a multiple of ACCORD_PATTERN_BLOCK, and with ACCORD_PEEL_PATTERNS, those of a
// work-item of climb_level.
#include "shared/layout.h"
#include "shared/likelihood.h"

#define accord_fma_real(a, b, c) fma(a, b, c)
#ifdef ACCORD_SINGLE
typedef float2 accord_real2;
#else
typedef double2 accord_real2;
#endif

// Matrices are made of doubles in either precision; without these the host makes them.
#ifdef cl_khr_fp64

__kernel void fill_matrices(__global const double* right_columns, __global const double* left,
                            __global const double* factors, uint first_factor, uint matrices,
                            uint states, uint is_probability, __global accord_real* out) {
  const uint item = (uint)get_global_id(0), column = ACCORD_PEEL_COLUMN_OF(states);
  if (item >= matrices * states * column) return;
  const uint matrix = item / (states * column);              // integers
  const uint j = item / column % states, s = item % column;  // integers
  if (s >= states) {
    out[item] = 0;
    return;
  }
  __global const double* own = factors + first_factor + matrix * states;
  double sum = 0;
  for (uint k = 0; k < states; ++k) {
    const double scaled = right_columns[k * states + s] * own[k];
    sum = accord_fma_real(scaled, left[k * states + j], sum);
  }
  out[item] = (accord_real)(is_probability && sum < 0 ? 0 : sum);
}
#endif

__kernel void fill_tables(__global const accord_real* matrices, __global const ulong* symbols,
                          uint codes, uint width, uint tables, uint states, uint is_probability,
                          __global accord_real* out) {
  const uint item = (uint)get_global_id(0);
  if (item >= tables * states * width) return;
  const uint table = item / (states * width), s = item / width % states;  // integers
  const uint code = item % width;
  if (code >= codes) return;
  const uint column = ACCORD_PEEL_COLUMN_OF(states);
  __global const accord_real* matrix = matrices + (ulong)table * states * column;
  const ulong symbol = symbols[code], every = ~0ul >> (64 - states);
  accord_real sum = 0;
  for (uint j = 0; j < states; ++j) {
    if (symbol >> j & 1) sum += matrix[j * column + s];
  }
  out[item] = symbol == every ? (is_probability ? 1 : 0) : sum;
}

// What the device does at most (`accord bench`): chains of multiply-adds, as in shared/peak.h.
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

#define ACCORD_PEEL_ROWS ACCORD_PEEL_ROWS_OF(ACCORD_STATES)
#define ACCORD_PEEL_PARTS ACCORD_PEEL_PARTS_OF(ACCORD_STATES)
#define ACCORD_PEEL_COLUMN ACCORD_PEEL_COLUMN_OF(ACCORD_STATES)
#define ACCORD_PEEL_MATRIX ((ulong)ACCORD_STATES * ACCORD_PEEL_COLUMN)
#define ACCORD_PEEL_LANES (ACCORD_PATTERN_GROUP / ACCORD_PEEL_PATTERNS)

#define ACCORD_JOIN_AT(sizes, node, r) ((ulong)((node) - (sizes)->tips) * (sizes)->categories + (r))
#define ACCORD_NODE_AT(sizes, node, r) ((ulong)(node) * (sizes)->categories + (r))

// Where the values of state 0 lie that a pattern has at a place (of a join or a node); those of
// further states are ACCORD_PATTERN_GROUP apart, so that what a group reads lies together.
#define ACCORD_VALUES_AT(sizes, place, c)                                                \
  (((place) * ((sizes)->patterns / ACCORD_PATTERN_GROUP) + (c) / ACCORD_PATTERN_GROUP) * \
       ACCORD_STATES * ACCORD_PATTERN_GROUP +                                            \
   (c) % ACCORD_PATTERN_GROUP)

// M of a node for one pattern: that of state s is at values[s * step].
typedef struct accord_messages {
  __global const accord_real* values;
  uint step;
} accord_messages;

ACCORD_FUNCTION accord_messages accord_messages_of(const accord_peel_sizes* sizes, uint node,
                                                   uint r, uint c, __global const uchar* codes,
                                                   __global const accord_real* tables,
                                                   __global const accord_real* messages) {
  accord_messages found;
  const bool is_tip = node < sizes->tips;
  found.step = is_tip ? sizes->width : ACCORD_PATTERN_GROUP;
  found.values = is_tip ? tables + ACCORD_NODE_AT(sizes, node, r) * ACCORD_STATES * sizes->width +
                              codes[(ulong)node * sizes->patterns + c]
                        : messages + ACCORD_VALUES_AT(sizes, ACCORD_JOIN_AT(sizes, node, r), c);
  return found;
}

ACCORD_FUNCTION int accord_exponent(const accord_peel_sizes* sizes, uint node, uint r, uint c,
                                    __global const int* exponents) {
  return node < sizes->tips ? 0 : exponents[ACCORD_JOIN_AT(sizes, node, r) * sizes->patterns + c];
}

// Multiplies the values of a node by a power of two if the largest of them is small; returns its
// logarithm.
ACCORD_FUNCTION int accord_scale(__global accord_real* values, accord_real largest) {
  const int shift = accord_scale_shift(largest);
  if (shift != 0) {
    const accord_real factor = accord_power_of_two(shift);
    for (uint s = 0; s < ACCORD_STATES; ++s) values[s * ACCORD_PATTERN_GROUP] *= factor;
  }
  return shift;
}

// What accord_scale_shift looks at in a value that is not negative, in 32 bits, in which larger
// values are not smaller: the upper half of its bits, the last of them set if any below is.
ACCORD_FUNCTION uint accord_scale_key(accord_real value) {
  accord_real_bits bits;
  bits.f = value;
#ifdef ACCORD_SINGLE
  return bits.u;
#else
  return (uint)(bits.u >> 32) | ((uint)bits.u != 0 ? 1 : 0);
#endif
}

// The value with such a key, as far as it matters.
ACCORD_FUNCTION accord_real accord_of_scale_key(uint key) {
  accord_real_bits bits;
#ifdef ACCORD_SINGLE
  bits.u = key;
#else
  bits.u = (ulong)key << 32;
#endif
  return bits.f;
}

// The terms of state j in the sums of accord_multiply_own(); `is_first` says that there are none
// yet.
ACCORD_FUNCTION void accord_add_terms(__global const accord_real* matrix,
                                      __local const accord_real* values, uint j, bool is_first,
                                      accord_real sum[ACCORD_PEEL_PATTERNS][ACCORD_PEEL_ROWS]) {
  __global const accord_real2* column =
      (__global const accord_real2*)(matrix + j * ACCORD_PEEL_COLUMN);
  accord_real value[ACCORD_PEEL_PATTERNS];
  ACCORD_UNROLL
  for (uint t = 0; t < ACCORD_PEEL_PATTERNS; ++t) {
    value[t] = values[j * ACCORD_PATTERN_GROUP + t * ACCORD_PEEL_LANES];
  }
  ACCORD_UNROLL
  for (uint k = 0; k < ACCORD_PEEL_ROWS; ++k) {
    const accord_real p = k % 2 == 0 ? column[k / 2].x : column[k / 2].y;
    ACCORD_UNROLL
    for (uint t = 0; t < ACCORD_PEEL_PATTERNS; ++t) {
      sum[t][k] =
          is_first ? ACCORD_PEEL_START(p, value[t]) : ACCORD_PEEL_ADD(sum[t][k], p, value[t]);
    }
  }
}

// sum[t][k] = sum_j matrix(k, j) value(t, j), for ACCORD_PEEL_ROWS states and the patterns of a
// work-item, the first of which `values` points to.
ACCORD_FUNCTION void accord_multiply_own(__global const accord_real* matrix,
                                         __local const accord_real* values,
                                         accord_real sum[ACCORD_PEEL_PATTERNS][ACCORD_PEEL_ROWS]) {
  accord_add_terms(matrix, values, 0, true, sum);
  for (uint j = 1; j < ACCORD_STATES; ++j) accord_add_terms(matrix, values, j, false, sum);
}

// A group has ACCORD_PATTERN_GROUP patterns and all states. A work-item makes F of some states and
// patterns in its registers, so that all it reads for them is on its way at once; the group brings
// F into range, puts it into local memory, and multiplies it. F of the root goes to `root_values`,
// that of other nodes to `products` if slopes will need it. What a work-item reads of the matrix
// serves all of its patterns.
__kernel __attribute__((reqd_work_group_size(ACCORD_PEEL_LANES, ACCORD_PEEL_PARTS, 1))) void
climb_level(accord_peel_sizes all, __global const accord_peel_node* nodes, uint first_node,
            __global const uchar* codes, __global const accord_real* tables,
            __global const accord_real* matrices, uint keeps_products,
            __global accord_real* messages, __global accord_real* products,
            __global accord_real* root_values, __global int* exponents) {
  __local accord_real values[ACCORD_STATES * ACCORD_PATTERN_GROUP];
  __local uint keys[ACCORD_PATTERN_GROUP];
  const uint lane = (uint)get_local_id(0), first = (uint)get_local_id(1) * ACCORD_PEEL_ROWS;
  const uint r = (uint)get_group_id(1), start = (uint)get_group_id(0) * ACCORD_PATTERN_GROUP;
  const accord_peel_sizes* sizes = &all;
  const accord_peel_node at = nodes[first_node + get_global_id(2)];
  const bool is_root = at.node - all.tips + 1 == all.joins;
  const ulong place = ACCORD_JOIN_AT(sizes, at.node, r);
  accord_real own[ACCORD_PEEL_PATTERNS][ACCORD_PEEL_ROWS];
  ACCORD_UNROLL
  for (uint t = 0; t < ACCORD_PEEL_PATTERNS; ++t) {
    const uint c = start + lane + t * ACCORD_PEEL_LANES;
    const accord_messages left = accord_messages_of(sizes, at.left, r, c, codes, tables, messages);
    const accord_messages right =
        accord_messages_of(sizes, at.right, r, c, codes, tables, messages);
    ACCORD_UNROLL
    for (uint k = 0; k < ACCORD_PEEL_ROWS; ++k) {
      const uint s = min(first + k, (uint)(ACCORD_STATES - 1));  // the last part repeats its last
      own[t][k] = left.values[s * left.step] * right.values[s * right.step];
    }
    if (first == 0) keys[lane + t * ACCORD_PEEL_LANES] = 0;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  ACCORD_UNROLL
  for (uint t = 0; t < ACCORD_PEEL_PATTERNS; ++t) {
    accord_real largest = own[t][0];
    ACCORD_UNROLL
    for (uint k = 1; k < ACCORD_PEEL_ROWS; ++k) largest = fmax(largest, own[t][k]);
    atomic_max(&keys[lane + t * ACCORD_PEEL_LANES], accord_scale_key(largest));
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  __global accord_real* kept =
      is_root ? root_values + ACCORD_VALUES_AT(sizes, (ulong)r, start)
              : products + (keeps_products ? ACCORD_VALUES_AT(sizes, place, start) : 0);
  ACCORD_UNROLL
  for (uint t = 0; t < ACCORD_PEEL_PATTERNS; ++t) {
    const uint pattern = lane + t * ACCORD_PEEL_LANES, c = start + pattern;
    const int shift = accord_scale_shift(accord_of_scale_key(keys[pattern]));
    const accord_real factor = accord_power_of_two(shift);
    if (first == 0) {
      exponents[place * all.patterns + c] = accord_exponent(sizes, at.left, r, c, exponents) +
                                            accord_exponent(sizes, at.right, r, c, exponents) -
                                            shift;
    }
    ACCORD_UNROLL
    for (uint k = 0; k < ACCORD_PEEL_ROWS; ++k) {
      if (first + k >= ACCORD_STATES) continue;
      const accord_real value = shift != 0 ? own[t][k] * factor : own[t][k];
      values[(first + k) * ACCORD_PATTERN_GROUP + pattern] = value;
      if (is_root || keeps_products) kept[(first + k) * ACCORD_PATTERN_GROUP + pattern] = value;
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (is_root) return;  // there is no branch above it
  accord_multiply_own(matrices + ACCORD_NODE_AT(sizes, at.node, r) * ACCORD_PEEL_MATRIX + first,
                      values + lane, own);
  __global accord_real* to = messages + ACCORD_VALUES_AT(sizes, place, start) + lane;
  ACCORD_UNROLL
  for (uint k = 0; k < ACCORD_PEEL_ROWS; ++k) {
    if (first + k >= ACCORD_STATES) continue;
    ACCORD_UNROLL
    for (uint t = 0; t < ACCORD_PEEL_PATTERNS; ++t) {
      to[(first + k) * ACCORD_PATTERN_GROUP + t * ACCORD_PEEL_LANES] = own[t][k];
    }
  }
}

// sum[k] = sum_j matrix(first + k, j) value(j), for ACCORD_PEEL_ROWS states.
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

// H of nodes from their g.
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

__kernel void peel_root(accord_peel_sizes all, __global const accord_real* root_values,
                        __global const accord_real* frequencies, __global accord_real* root) {
  const uint c = (uint)get_global_id(0), r = (uint)get_global_id(1);
  const accord_peel_sizes* sizes = &all;
  __global const accord_real* values = root_values + ACCORD_VALUES_AT(sizes, (ulong)r, c);
  accord_real sum = ACCORD_PEEL_START(frequencies[0], values[0]);
  for (uint s = 1; s < ACCORD_STATES; ++s) {
    sum = ACCORD_PEEL_ADD(sum, frequencies[s], values[s * ACCORD_PATTERN_GROUP]);
  }
  root[r * all.patterns + c] = sum;
}

// `messages` has H of the parent, unless that is the root, and M of the sister.
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

// `slopes` is [node][category][block].
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
  __global const accord_real* own = others + ACCORD_VALUES_AT(sizes, branch, c);
  accord_real total = 0;
  for (uint first = 0; first < ACCORD_STATES; first += ACCORD_PEEL_ROWS) {
    accord_real sum[ACCORD_PEEL_ROWS];
    if (is_tip) {
      ACCORD_UNROLL
      for (uint k = 0; k < ACCORD_PEEL_ROWS; ++k) {
        if (first + k >= ACCORD_STATES) continue;
        sum[k] = slope_tables[(branch * ACCORD_STATES + first + k) * all.width + code];
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
      const accord_real weighted = frequencies[s] * own[s * ACCORD_PATTERN_GROUP];
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
