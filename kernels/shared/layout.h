// SPDX-License-Identifier: Apache-2.0
// Sizes and structs that the host and the kernels share. The C++ and the OpenCL compiler read it.
#ifndef ACCORD_KERNELS_SHARED_LAYOUT_H
#define ACCORD_KERNELS_SHARED_LAYOUT_H
#include "shared/platform.h"

// A residue is a byte: its letter in the lower 5 bits, the class of its context above. Table rows
// have 32 entries: for every letter, and for a symbol that never matches.
#define ACCORD_SYMBOLS 32
#define ACCORD_CONTEXTS 8
#define ACCORD_LETTER(code) ((code)&31)
#define ACCORD_CONTEXT(code) ((code) >> 5)
#define ACCORD_BORDER_SYMBOL 31

// The letters of sequences are below this.
#define ACCORD_LETTERS 24

// Cells per side of a tile, whose cells share one exponent (scaling.h).
#define ACCORD_TILE 8

// The largest number of gap classes of a recursion.
#define ACCORD_GAP_CLASSES 3

// The largest factor of opening a gap; its inverse is the smallest. It is below the largest match
// weight, so that gaps cannot outgrow the scale of a tile (scaling.h).
#define ACCORD_MOST_OPENING 4.0f

// The numbers of the models of a posterior.
#define ACCORD_HMM 0
#define ACCORD_PARTITION 1
#define ACCORD_MODELS 2

// The entries in a row of a table: every letter, then every context.
#define ACCORD_ENTRIES (ACCORD_SYMBOLS + ACCORD_CONTEXTS)

// One recursion in odds form; posteriors/recursion.h defines S, X_k and Y_k. An unused gap class k
// has gap_scale[k] = 0 and gap_extend[k] = 0.
typedef struct accord_recursion {
  float weight[ACCORD_SYMBOLS * ACCORD_SYMBOLS];    // match weight of two letters, symmetric
  float context[ACCORD_CONTEXTS * ACCORD_SYMBOLS];  // factor for two contexts; a row uses 8 entries
  float gap_scale[ACCORD_GAP_CLASSES];              // a_k: weight of opening and closing a gap
  float gap_extend[ACCORD_GAP_CLASSES];             // e_k: weight of each further gap residue
  float forward_start;                              // S(0,0)
  float forward_gap[ACCORD_GAP_CLASSES];            // X_k(1,0) = Y_k(0,1)
  float backward_start;                             // S(0,0) for the reversed sequences
  float backward_gap[ACCORD_GAP_CLASSES];           // X_k(1,0) for the reversed sequences
  // Weights of ending in a match and in gap class k, each the sum of two floats: [0] + [1] has more
  // digits than one float.
  float end_match[2];
  float end_gap[ACCORD_GAP_CLASSES][2];
} accord_recursion;

// All parameters of the posterior kernels. With P and Q the posteriors of the two models, h and q
// their shares, and r = square_share, the posterior of a cell is
//
//   (1 - r) (h P + q Q) + r sqrt(h P^2 + q Q^2)
typedef struct accord_model {
  accord_recursion hmm;        // global pair-HMM, up to three gap classes; total at the last cell
  accord_recursion partition;  // one gap class, free end gaps; total over last row and column
  // Factors of opening a gap between two residues, in both models: by letter and by context of the
  // residue before the gap, and of the residue behind it. The product of all four is limited to [1
  // / ACCORD_MOST_OPENING, ACCORD_MOST_OPENING].
  float opening[2][ACCORD_ENTRIES];
  float hmm_share;  // h and q, both at least 0; their sum is 1
  float partition_share;
  float square_share;  // 0: the mean of both models; 1: their root mean square
  float cutoff;        // cells of at least this posterior are kept
} accord_model;

// The largest number of pairs that a posterior task computes side by side.
#define ACCORD_MAX_LANES 16

// The place of a sequence's residue codes among all codes on a device.
typedef struct accord_sequence {
  accord_u64 first;
  accord_u32 length;
  accord_u32 unused;  // keeps the size a multiple of 8
} accord_sequence;

// One posterior task on a device: sequence y with the `count` sequences from x on, longest first.
typedef struct accord_pair_task {
  accord_u64 memory;  // first float of the task's workspace (workspace.h)
  accord_u64 cells;   // first of its cells: `capacity` cells for each x
  accord_u32 x, y;
  accord_u32 count;         // 1 in the group layout
  accord_u32 band_columns;  // 0 for a single band
  accord_u32 capacity;      // number of cells that fit for each x
  accord_u32 found;         // place of the first number of found cells: one number for each x
} accord_pair_task;

// A pair (x, y) in the consistency transform on a device. Its sequences are numbered among those
// that have cell rows (consistency/cell_rows.cl). consistency/transform.h defines f, w and W.
typedef struct accord_consistency_pair {
  accord_u32 first_row;   // its first row among the rows of all pairs of the launch
  accord_u32 sequence_x;  // number of x
  accord_u32 sequence_y;  // number of y
  float self;             // f (w_x + w_y)
  float inverse_total;    // 1 / W
} accord_consistency_pair;

// Stands for no cell row, no intermediate, or no column.
#define ACCORD_NONE 0xffffffffu

// Cells of a cell row that the transform reads at once, and work-items that make the cell rows of a
// matrix.
#define ACCORD_CELL_BLOCK 4
#define ACCORD_CELL_ITEMS 64

// A matrix (x, y) on a device that becomes cell rows of x and of y (consistency/cell_rows.cl).
// Matrices come to the device in chunks.
typedef struct accord_cell_matrix {
  accord_u32 first_row;             // its first row among the rows of the chunk
  accord_u32 rows, columns;         // residues of x and of y
  accord_u32 row_of_x, row_of_y;    // numbers of the first cell row of x and of y
  accord_u32 cell_of_x, cell_of_y;  // places of the first cells of both
} accord_cell_matrix;

// A posterior cell that a kernel emits; residues are 0-based.
typedef struct accord_cell {
  accord_u32 row;
  accord_u32 column;
  float probability;
} accord_cell;

// A cell of the group layout, with the posterior of each model; pack_cells or make_matrices
// combines both posteriors.
typedef struct accord_found_cell {
  accord_u32 row;
  accord_u32 column;
  float posterior[ACCORD_MODELS];
} accord_found_cell;

// A pair whose matrix is made on a device (posteriors/matrices.cl).
typedef struct accord_matrix_task {
  accord_u64 room;   // index of its first cell among the found cells
  accord_u64 word;   // index of the first word of its matrix
  accord_u32 count;  // number of its cells
  accord_u32 rows;   // residues of x
} accord_matrix_task;

// A stored probability has units of 2^-16: ACCORD_UNITS_OF_ONE units are 1, which itself is stored
// as one unit less. Both directions are exact, except for the rounding to units.
#define ACCORD_UNITS_OF_ONE 65536
#define ACCORD_FRACTION_OF_UNITS(units) ((float)(units) * (1.0f / ACCORD_UNITS_OF_ONE))
#define ACCORD_UNITS_OF_FRACTION(p) ((accord_u32)((p)*ACCORD_UNITS_OF_ONE + 0.5f))

// A stored sparse cell is one 32-bit word: the probability in units of 2^-16 in the upper half, and
// the distance from the previous column of the row (from column 0 for the first cell) in the lower
// half. A distance of more than 65535 columns is split by filler cells of probability 0, so that
// sequences of any length work.
#define ACCORD_CELL(step, units) ((units) << 16 | (step))
#define ACCORD_CELL_STEP(cell) ((cell)&0xffffu)
#define ACCORD_CELL_UNITS(cell) ((cell) >> 16)
#define ACCORD_CELL_VALUE(cell) ACCORD_FRACTION_OF_UNITS(ACCORD_CELL_UNITS(cell))

// The measurement of a device's peak arithmetic (shared/peak.h). A lane has ACCORD_CHAINS values. A
// step replaces each value by value * factor + addend, which converges to 0.5. A round has
// ACCORD_CHAIN_STEPS steps, so that the loop itself costs little.
#define ACCORD_CHAIN_FACTOR 0.5f
#define ACCORD_CHAIN_ADDEND 0.25f
#define ACCORD_CHAINS 12
#define ACCORD_CHAIN_STEPS 8
#define ACCORD_CHAIN_FMAS (ACCORD_CHAINS * ACCORD_CHAIN_STEPS)

#endif
