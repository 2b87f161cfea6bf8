// SPDX-License-Identifier: Apache-2.0
// The likelihood of a tree by peeling (Felsenstein 1981, J Mol Evol 17:368), for one site pattern
// and one category of rates. With P_v = exp(Q r t_v) for the branch above node v, c and d the
// children of v, p its parent and b its sister, all sums in increasing order of the state:
//
//   F_v(s) = 1 for the states that a tip may have, else 0;   M_c(s) M_d(s) for any other node
//   M_v(s) = sum_j P_v(s,j) F_v(j)                           what the subtree of v says at p
//   g_v(s) = H_p(s) M_b(s),  H_v(s) = sum_j P_v(s,j) g_v(j),  H_root = 1
//   L      = sum_s pi_s F_root(s)
//   dL/dt_v = sum_s pi_s g_v(s) M'_v(s)                      M' with r Q P in place of P
//
// H needs no other matrix than M because the process is reversible: the tree is read as if v were
// its root. F and g, which shrink from node to node, are multiplied by powers of two where all of
// their states are small; their exponents are integers, one per node, pattern and category. A sum
// is a product and then fused multiply-adds, so that every device gets the same bits.
#ifndef ACCORD_SHARED_LIKELIHOOD_H
#define ACCORD_SHARED_LIKELIHOOD_H
#include "shared/platform.h"

// The type of all values: double, or float if ACCORD_SINGLE is defined; and what its bits are.
#ifdef ACCORD_SINGLE
typedef float accord_real;
typedef accord_u32 accord_real_word;
#define ACCORD_REAL_FRACTION 23
#define ACCORD_REAL_BIAS 127
#else
typedef double accord_real;
typedef accord_u64 accord_real_word;
#define ACCORD_REAL_FRACTION 52
#define ACCORD_REAL_BIAS 1023
#endif
typedef union accord_real_bits {
  accord_real f;
  accord_real_word u;
} accord_real_bits;

// Patterns whose slopes are added up together, in pairs that are half as far apart each time.
#define ACCORD_PATTERN_BLOCK 16

// Values whose largest is below this are scaled: a quarter of the range down to the least normal
// number, so that a product of two of them, with probabilities in them, is still far from it.
#ifdef ACCORD_SINGLE
#define ACCORD_SCALE_BELOW 0x1p-32f
#else
#define ACCORD_SCALE_BELOW 0x1p-256
#endif

// States whose sums a work-item keeps in registers, an even number; how many such parts there are;
// and the values of a matrix between two columns on a device, where columns are filled up with 0.
#define ACCORD_PEEL_ROWS_OF(states) ((states) <= 4 ? 4 : (states) <= 20 ? 10 : 8)
#define ACCORD_PEEL_PARTS_OF(states) \
  (((states) + ACCORD_PEEL_ROWS_OF(states) - 1) / ACCORD_PEEL_ROWS_OF(states))
#define ACCORD_PEEL_COLUMN_OF(states) (ACCORD_PEEL_ROWS_OF(states) * ACCORD_PEEL_PARTS_OF(states))

// Columns of a matrix of which a work-item of fill_matrices makes one row.
#define ACCORD_FILL_COLUMNS 4

// What a device works on: some patterns of a tree.
typedef struct accord_peel_sizes {
  accord_u32 tips, joins, categories;
  accord_u32 codes;     // of which a tip's table has sums
  accord_u32 patterns;  // of the launch, a multiple of the work-items of a group
} accord_peel_sizes;

// One node of a launch and those around it, as far as there are any.
typedef struct accord_peel_node {
  accord_u32 node, left, right, parent, sister;
} accord_peel_node;

#define ACCORD_PEEL_START(p, f) ((p) * (f))
#define ACCORD_PEEL_ADD(sum, p, f) accord_fma_real(p, f, sum)

// The power of two that brings the largest of the values of a node into [1, 2); 0 if it is not
// small, or 0 itself.
ACCORD_FUNCTION accord_i32 accord_scale_shift(accord_real largest) {
  accord_real_bits bits;
  bits.f = largest;
  return largest < ACCORD_SCALE_BELOW && largest > 0
             ? ACCORD_REAL_BIAS - (accord_i32)(bits.u >> ACCORD_REAL_FRACTION)
             : 0;
}

// 2^shift, exactly for a shift of a normal number; 0 below, and the greatest power above that.
ACCORD_FUNCTION accord_real accord_power_of_two(accord_i32 shift) {
  accord_real_bits bits;
  const accord_i32 bias = ACCORD_REAL_BIAS;
  bits.u = shift <= -bias
               ? 0
               : (accord_real_word)((shift < bias ? shift : bias) + bias) << ACCORD_REAL_FRACTION;
  return bits.f;
}

#endif
