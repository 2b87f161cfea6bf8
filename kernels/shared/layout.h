// SPDX-License-Identifier: Apache-2.0
// Sizes and structs that the host and the kernels share. Read by the C++ and the OpenCL compiler.
#ifndef ACCORD_SHARED_LAYOUT_H
#define ACCORD_SHARED_LAYOUT_H
#include "shared/platform.h"

// Weight tables are 32 x 32: room for every residue code, and one symbol that never matches.
#define ACCORD_SYMBOLS 32
#define ACCORD_BORDER_SYMBOL 31

// Cells per side of a tile that shares one exponent (scaling.h).
#define ACCORD_TILE 8

// One recursion of the odds form with up to two gap classes; a class k that is not used has
// gap_scale[k] = 0 and gap_extend[k] = 0 and is not computed.
typedef struct accord_recursion {
  float weight[ACCORD_SYMBOLS * ACCORD_SYMBOLS];  // match weight of two residue codes
  float gap_scale[2];                             // a_k: weight of opening and closing a gap
  float gap_extend[2];                            // e_k: weight of each further gap residue
  float forward_start;                            // S(0,0)
  float forward_gap[2];                           // X_k(1,0) = Y_k(0,1)
  float backward_start;                           // the same for the reversed sequences
  float backward_gap[2];
  float end_match[2];    // weight of ending in a match: value = [0] + [1]
  float end_gap[2][2];   // weight of ending in gap class k: value = [k][0] + [k][1]
} accord_recursion;

// Everything the posterior kernels need to know of a parameter set.
typedef struct accord_model {
  accord_recursion hmm;        // global pair-HMM, two gap classes, Z at the last cell
  accord_recursion partition;  // one gap class, free end gaps, Z over last row and column
  float keep_from;             // keep a cell if P_hmm^2 + P_partition^2 >= keep_from
} accord_model;

// A posterior cell as the kernels emit it; residues are 0-based.
typedef struct accord_cell {
  accord_u32 row;
  accord_u32 column;
  float probability;
} accord_cell;

// A stored sparse cell is one 32-bit word: probability in units of 2^-16 in the upper half, and
// the distance from the previous column of the row (from column 0 for the first) in the lower
// half. A step of more than 65535 columns goes through filler cells of probability 0, so no
// length is too long.
#define ACCORD_CELL_STEP(cell) ((cell) & 0xffffu)
#define ACCORD_CELL_UNITS(cell) ((cell) >> 16)
#define ACCORD_CELL_VALUE(cell) ((float)((cell) >> 16) * (1.0f / 65536.0f))

#endif
