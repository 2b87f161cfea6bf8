// SPDX-License-Identifier: Apache-2.0
// Where the kernels of kernels/likelihood/peel.cl find their data; see the top of that file.
#ifndef ACCORD_KERNELS_LIKELIHOOD_PEEL_VALUES_H
#define ACCORD_KERNELS_LIKELIHOOD_PEEL_VALUES_H
#include "likelihood/peel.h"

#define accord_fma_real(a, b, c) fma(a, b, c)
#ifdef ACCORD_SINGLE
typedef float2 accord_real2;
#else
typedef double2 accord_real2;
#endif

// For the ACCORD_STATES states of this build: the number of states in a part, the number of parts,
// and the padded length of a matrix column (peel.h); the number of values of a matrix; and the
// number of work-items of climb among which the patterns of a group are divided.
#define ACCORD_PEEL_ROWS ACCORD_PEEL_ROWS_OF(ACCORD_STATES)
#define ACCORD_PEEL_PARTS ACCORD_PEEL_PARTS_OF(ACCORD_STATES)
#define ACCORD_PEEL_COLUMN ACCORD_PEEL_COLUMN_OF(ACCORD_STATES)
#define ACCORD_PEEL_MATRIX ((ulong)ACCORD_STATES * ACCORD_PEEL_COLUMN)
#define ACCORD_PEEL_LANES (ACCORD_PATTERN_GROUP / ACCORD_PEEL_PATTERNS)

// The place of category r of a node, among the categories of all joins (inner nodes), or of all
// nodes.
#define ACCORD_JOIN_AT(sizes, node, r) ((ulong)((node) - (sizes)->tips) * (sizes)->categories + (r))
#define ACCORD_NODE_AT(sizes, node, r) ((ulong)(node) * (sizes)->categories + (r))

// The offset of the value of state 0 for pattern c. `place` comes from ACCORD_JOIN_AT or
// ACCORD_NODE_AT. The values of successive states are ACCORD_PATTERN_GROUP apart, so that a group
// reads adjacent values.
#define ACCORD_VALUES_AT(sizes, place, c)                                                \
  (((place) * ((sizes)->patterns / ACCORD_PATTERN_GROUP) + (c) / ACCORD_PATTERN_GROUP) * \
       ACCORD_STATES * ACCORD_PATTERN_GROUP +                                            \
   (c) % ACCORD_PATTERN_GROUP)

// The offset of the row for a letter code in the table of a tip `node` in category r. The row has M
// for each state; in the tables for slopes, it has M' (peel.h).
#define ACCORD_TABLE_ROW(sizes, node, r, code) \
  ((ACCORD_NODE_AT(sizes, node, r) * (sizes)->codes + (code)) * ACCORD_PEEL_COLUMN)

// M of a node for one pattern: state s is at values[s * step].
typedef struct accord_messages {
  __global const accord_real* values;
  uint step;
} accord_messages;

// Finds M of a node for pattern c in category r: a row of the tip's table in `tables`, or, for an
// inner node, values in `messages`. `codes` has the letter codes of each tip, [tip][pattern].
ACCORD_FUNCTION accord_messages accord_messages_of(const accord_peel_sizes* sizes, uint node,
                                                   uint r, uint c, __global const uchar* codes,
                                                   __global const accord_real* tables,
                                                   __global const accord_real* messages) {
  accord_messages found;
  const bool is_tip = node < sizes->tips;
  found.step = is_tip ? 1 : ACCORD_PATTERN_GROUP;
  found.values =
      is_tip ? tables + ACCORD_TABLE_ROW(sizes, node, r, codes[(ulong)node * sizes->patterns + c])
             : messages + ACCORD_VALUES_AT(sizes, ACCORD_JOIN_AT(sizes, node, r), c);
  return found;
}

// The exponent of F of a node for pattern c in category r; 0 for a tip.
ACCORD_FUNCTION int accord_exponent(const accord_peel_sizes* sizes, uint node, uint r, uint c,
                                    __global const int* exponents) {
  return node < sizes->tips ? 0 : exponents[ACCORD_JOIN_AT(sizes, node, r) * sizes->patterns + c];
}

#endif
