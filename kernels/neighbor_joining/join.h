// SPDX-License-Identifier: Apache-2.0
// Neighbour joining in integers (Saitou & Nei 1987, Mol Biol Evol 4:406; Studier & Keppler 1988,
// Mol Biol Evol 5:729). With integers, row sums do not depend on the order of their terms, and
// every device gets the same tree.
//
// r clusters have places in a triangle of distances D; at first, each place is that of a sequence.
// R_i is the sum of D_ik over the other clusters. Each step joins the pair (i, j), j < i, with the
// least
//   S_ij = (r - 2) D_ij - R_i - R_j
// Ties go to the least i, then j. The new cluster takes place i:
//   D_ik = floor((D_ik + D_jk - D_ij) / 2),   and R_k changes with its distances.
//
// Most rows of the triangle cannot have the best pair and are skipped. For any number u_j (a
// reference) for each place, low_i <= D_ij - u_j for all j < i, and excess >= R_j - (r - 2) u_j,
//   S_ij = (r - 2)(D_ij - u_j) - (R_j - (r - 2) u_j) - R_i >= (r - 2) low_i - excess - R_i.
// The bound is close if u_j is about R_j / (r - 2), which changes slowly. It holds exactly for any
// u_j, so references never change which nodes are joined. (RapidNJ's bound, Simonsen et al. 2008,
// takes one number, the largest R, for all j; it skips little if a single sequence is far from all
// others.)
#ifndef ACCORD_KERNELS_NEIGHBOR_JOINING_JOIN_H
#define ACCORD_KERNELS_NEIGHBOR_JOINING_JOIN_H
#include "shared/platform.h"

// Distances and references are within +- these bounds, so that D_ij - u_j has 32 bits.
#define ACCORD_NJ_UNITS 16777216                  // the units of a distance of 1
#define ACCORD_NJ_FARTHEST 1073741824             // bound of distances
#define ACCORD_NJ_REFERENCE 536870912             // bound of references
#define ACCORD_NJ_LOWEST (-2147483647 - 1)        // a `low` with which no row is skipped
#define ACCORD_NJ_GONE (-((accord_i64)1 << 60))   // row sum of a place without a cluster
#define ACCORD_NJ_NO_VALUE ((accord_i64)1 << 62)  // S if there is no pair
#define ACCORD_NJ_NO_PLACE 0xffffffffu            // a place that does not exist

// One step: the clusters in places i and j < i become the cluster in place i. Row sums are those
// before the step. The last step has three clusters left (or two, if there never were more) and
// ends the tree.
typedef struct accord_join {
  accord_u32 i;
  accord_u32 j;
  accord_i64 between;  // D_ij
  accord_i64 sum_i;    // R_i
  accord_i64 sum_j;    // R_j
} accord_join;

// A candidate pair; value is ACCORD_NJ_NO_VALUE if there is none.
typedef struct accord_nj_candidate {
  accord_i64 value;
  accord_u32 i;
  accord_u32 j;
} accord_nj_candidate;

// The best pair of a work-group, and the sums of its rows. If the group found none in this step,
// value is ACCORD_NJ_NO_VALUE, and i and j are left from an earlier step.
typedef struct accord_nj_found {
  accord_nj_candidate best;
  accord_i64 sum_i;
  accord_i64 sum_j;
} accord_nj_found;

// The results of a work-group of unite() (join.cl), which computes the distances of the new cluster
// to the remaining clusters: sums and bounds over the clusters of the work-group.
typedef struct accord_nj_tally {
  accord_i64 sum;     // of distances to the new cluster
  accord_i64 excess;  // largest excess
  accord_i32 low;     // low of the new cluster's row
  accord_i32 unused;
} accord_nj_tally;

// A matrix on a device. The distances of all matrices are in one buffer, one matrix after another.
// So are their steps, row sums, references and lows, in a buffer each.
typedef struct accord_nj_task {
  accord_u64 cells;        // offset of the first distance
  accord_u32 places;       // number of sequences, at least 2
  accord_u32 first_place;  // offset of its row sums, references and lows
  accord_u32 first_step;   // offset of its steps
  accord_u32 unused;       // keeps the size a multiple of 8
} accord_nj_task;

// The tally of no cluster.
ACCORD_FUNCTION accord_nj_tally accord_nj_no_tally(void) {
  const accord_nj_tally none = {0, ACCORD_NJ_GONE, ACCORD_NJ_FARTHEST, 0};
  return none;
}

// The tally of the clusters of two tallies.
ACCORD_FUNCTION accord_nj_tally accord_nj_add_tally(accord_nj_tally a, accord_nj_tally b) {
  a.sum += b.sum;
  a.excess = a.excess > b.excess ? a.excess : b.excess;
  a.low = a.low < b.low ? a.low : b.low;
  return a;
}

// The offset of row i of the triangle: cells (i, 0) ... (i, i - 1).
ACCORD_FUNCTION accord_u64 accord_nj_row(accord_u32 i) {
  return (accord_u64)i * (i - (i > 0u)) / 2;
}

// The offset of the distance of places i and k, in either order; i and k differ.
ACCORD_FUNCTION accord_u64 accord_nj_cell(accord_u32 i, accord_u32 k) {
  return i > k ? accord_nj_row(i) + k : accord_nj_row(k) + i;
}

// The number of steps for n >= 2 clusters.
ACCORD_FUNCTION accord_u32 accord_nj_steps(accord_u32 n) { return n > 3u ? n - 2u : 1u; }

// S_ij without R_i, with factor = r - 2.
ACCORD_FUNCTION accord_i64 accord_nj_value(accord_i32 factor, accord_i32 distance,
                                           accord_i64 sum_j) {
  return (accord_i64)factor * distance - sum_j;
}

// Whether a is a better pair than b.
ACCORD_FUNCTION int accord_nj_before(accord_nj_candidate a, accord_nj_candidate b) {
  if (a.value != b.value) return a.value < b.value;
  return a.i != b.i ? a.i < b.i : a.j < b.j;
}

// The distance of a cluster to the union of two others, computed from its distances to them.
ACCORD_FUNCTION accord_i32 accord_nj_distance(accord_i32 to_i, accord_i32 to_j,
                                              accord_i32 between) {
  const accord_i64 middle = ((accord_i64)to_i + to_j - between) >> 1;
  const accord_i64 least = -ACCORD_NJ_FARTHEST, most = ACCORD_NJ_FARTHEST;
  return (accord_i32)(middle < least ? least : middle > most ? most : middle);
}

// The reference of a cluster: its row sum / factor as an integer, within the bounds.
ACCORD_FUNCTION accord_i32 accord_nj_reference(accord_i64 sum, accord_i32 factor) {
  const accord_i64 u = sum / (factor > 0 ? factor : 1);  // integer
  const accord_i64 least = -ACCORD_NJ_REFERENCE, most = ACCORD_NJ_REFERENCE;
  return (accord_i32)(u < least ? least : u > most ? most : u);
}

// The reference of the union of clusters i and j, when its row sum is not yet known. r is the
// number of clusters before the union; the sums and `between` are R_i, R_j and D_ij.
ACCORD_FUNCTION accord_i32 accord_nj_union_reference(accord_i64 sum_i, accord_i64 sum_j,
                                                     accord_i64 between, accord_u32 r) {
  return accord_nj_reference((sum_i + sum_j - (accord_i64)r * between) >> 1, (accord_i32)r - 3);
}

// R_j - (r - 2) u_j of a cluster, with factor = r - 2 and u_j = reference.
ACCORD_FUNCTION accord_i64 accord_nj_excess(accord_i64 sum, accord_i32 factor,
                                            accord_i32 reference) {
  return sum - (accord_i64)factor * reference;
}

// The lower bound of S_ij for all j < i: (r - 2) low_i - excess - R_i.
ACCORD_FUNCTION accord_i64 accord_nj_bound(accord_i32 factor, accord_i32 low, accord_i64 excess,
                                           accord_i64 sum_i) {
  return (accord_i64)factor * low - excess - sum_i;
}

// Whether all references are computed anew, and all rows are searched, when r clusters are left.
// This happens each time that the number of clusters has fallen by 1/16 to 1/8.
ACCORD_FUNCTION int accord_nj_refreshes(accord_u32 r) {
  accord_u32 step = 1;
  while (step * 16u <= r) step *= 2;
  return (r & (step - 1u)) == 0u;
}

#endif
