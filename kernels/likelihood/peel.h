// SPDX-License-Identifier: Apache-2.0
// The likelihood of a tree by peeling (Felsenstein 1981, J Mol Evol 17:368), for one site pattern
// and one category of rates. With P_v = exp(Q r t_v) for the branch above node v, c and d the
// children of v, p its parent and b its sister, all sums in increasing order of the state:
//
//   F_v(s) = 1 for the possible states of a tip, else 0;   M_c(s) M_d(s) for an inner node
//   M_v(s) = sum_j P_v(s,j) F_v(j)                           likelihood of the subtree of v, at p
//   g_v(s) = H_p(s) M_b(s),  H_v(s) = sum_j P_v(s,j) g_v(j),  H_root = 1
//   L      = sum_s pi_s F_root(s)
//   dL/dt_v = sum_s pi_s g_v(s) M'_v(s)                      M' with r Q P in place of P
//
// H needs no matrix besides P because the process is reversible: the tree is read as if v were its
// root. F and g shrink from node to node; if all states of a node are small, they are multiplied by
// a power of two. The exponents are integers, one per node, pattern and category. A sum is a
// product and then fused multiply-adds, so that every device gets the same bits.
#ifndef ACCORD_KERNELS_LIKELIHOOD_PEEL_H
#define ACCORD_KERNELS_LIKELIHOOD_PEEL_H
#include "shared/platform.h"

// The type of all values: double, or float if ACCORD_SINGLE is defined; and its bits.
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

// The number of successive patterns whose slopes are added up to one value. Patterns k and k + 8
// are added first, then k and k + 4, k and k + 2, and k and k + 1.
#define ACCORD_PATTERN_BLOCK 16

// Values are scaled if the largest is below this bound. It is at a quarter of the range of
// exponents below 1, so that a product of two such values and some probabilities is still far from
// the least normal number.
#ifdef ACCORD_SINGLE
#define ACCORD_SCALE_BELOW 0x1p-32f
#else
#define ACCORD_SCALE_BELOW 0x1p-256
#endif

// For a number of states: the number of states in a part, whose sums a work-item keeps in registers
// (an even number); the number of such parts; and the length of a matrix column on a device, padded
// with zeros to whole parts.
#define ACCORD_PEEL_ROWS_OF(states) ((states) <= 4 ? 4 : (states) <= 20 ? 10 : 8)
#define ACCORD_PEEL_PARTS_OF(states) \
  (((states) + ACCORD_PEEL_ROWS_OF(states) - 1) / ACCORD_PEEL_ROWS_OF(states))
#define ACCORD_PEEL_COLUMN_OF(states) (ACCORD_PEEL_ROWS_OF(states) * ACCORD_PEEL_PARTS_OF(states))

// The number of columns of a matrix for which a work-item of fill_matrices computes one row.
#define ACCORD_FILL_COLUMNS 4

// The sizes of a launch. A launch computes some patterns of a tree in all categories of rates.
typedef struct accord_peel_sizes {
  accord_u32 tips, joins, categories;
  accord_u32 codes;     // number of letter codes; the table of a tip has M for each code
  accord_u32 patterns;  // patterns of the launch, a multiple of the work-items of a group
} accord_peel_sizes;

// A node of a launch and its neighbours; unused entries have no meaning.
typedef struct accord_peel_node {
  accord_u32 node, left, right, parent, sister;
} accord_peel_node;

// The first term p f of a sum; and a sum with one more term p f.
#define ACCORD_PEEL_START(p, f) ((p) * (f))
#define ACCORD_PEEL_ADD(sum, p, f) accord_fma_real(p, f, sum)

// The exponent of the power of two that scales a largest value into [1, 2); 0 if the value is 0 or
// not small.
ACCORD_FUNCTION accord_i32 accord_scale_shift(accord_real largest) {
  accord_real_bits bits;
  bits.f = largest;
  return largest < ACCORD_SCALE_BELOW && largest > 0
             ? ACCORD_REAL_BIAS - (accord_i32)(bits.u >> ACCORD_REAL_FRACTION)
             : 0;
}

// 2^shift, exact if it is a normal number; 0 if it is smaller, and the largest power if it is
// larger.
ACCORD_FUNCTION accord_real accord_power_of_two(accord_i32 shift) {
  accord_real_bits bits;
  const accord_i32 bias = ACCORD_REAL_BIAS;
  bits.u = shift <= -bias
               ? 0
               : (accord_real_word)((shift < bias ? shift : bias) + bias) << ACCORD_REAL_FRACTION;
  return bits.f;
}

#endif
