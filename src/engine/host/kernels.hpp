// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

#include "local_pairs/layout.h"
#include "shared/layout.h"
#include "stages/likelihood/host_block.hpp"
#include "stages/local_fit/quartet_kernels.hpp"

namespace accord::host {

/// The most lanes that any instruction set uses.
inline constexpr std::uint32_t kMaxLanes = 16;

/// One posterior task in memory: y against `count` x's (see posteriors/lanes_task.h and
/// stages/posteriors/wavefront_task.h).
struct LanesTask {
  const std::uint8_t* x[kMaxLanes];  ///< residue codes; the first `count` are set
  std::uint32_t m[kMaxLanes];        ///< their lengths, in residues
  std::uint32_t count;               ///< at most the lanes of the kernel
  const std::uint8_t* y;
  std::uint32_t n;  ///< length of y
  /// Width of a column band, 0 for a single band; in the wavefront shape a multiple of 8 times the
  /// lanes, over the columns of all pairs.
  std::uint32_t band_columns;
  const accord_model* model;
  void* memory;        ///< workspace, 64-byte aligned
  accord_cell* cells;  ///< room for `capacity` cells for each x, one x after another
  std::uint32_t capacity;
  std::uint32_t found[kMaxLanes];  ///< out: cells of each x, also those beyond the capacity
  /// Told after each of the steps of the task how many are done; may be null. It may throw.
  void (*tell)(void* teller, std::uint32_t done, std::uint32_t all);
  void* teller;
};

/// Residues of x whose sums are computed side by side in the consistency transform.
inline constexpr std::uint32_t kRelaxRows = 8;

/// One task of local alignments in memory: y against `count` x's (see local_pairs/task.h).
struct LocalTask {
  const std::uint8_t* x[kMaxLanes];  ///< residue codes; the first `count` are set
  std::uint32_t m[kMaxLanes];        ///< their lengths, the longest first
  std::uint32_t count;               ///< at most the lanes of the kernel
  const std::uint8_t* y;
  std::uint32_t n;  ///< length of y
  const accord_local_scores* scores;
  accord_local_plan plan;
  void* memory;                               ///< accord_local_bytes() of the plan, 64-byte aligned
  accord_local_segment* segments[kMaxLanes];  ///< room for n each; last to first
  std::uint32_t found[kMaxLanes];             ///< out: their numbers
  std::int32_t score[kMaxLanes];              ///< out
};

/// A term of a residue in the consistency transform: its posterior with a residue (z, k) of an
/// intermediate sequence.
struct RelaxTerm {
  std::uint32_t residue;  ///< (z, k), counted over the intermediates
  float value;
};

/// Cells (i, j) of a pair (x, y) in the consistency transform, for kRelaxRows successive residues
/// i of x and some residues j of y.
struct RelaxColumns {
  const std::uint32_t*
      row_of;      ///< for each residue k of every z: where its row in `x` begins, or 0
  const float* x;  ///< rows of kRelaxRows values w_z S_xz(i, k); the first is all 0
  const std::uint32_t* y_begin;  ///< for each residue j of y where its terms begin
  const RelaxTerm* y_terms;      ///< (z, k) and S_zy(k, j), (z, k) increasing for each j
  const std::uint32_t* column;   ///< residues j of y, those with most terms first
  std::uint32_t columns;
  float* sums;  ///< kRelaxRows for each residue of y; the terms are added to those of the columns
};

/// One row of the triangle of distances in neighbour joining (see neighbor_joining/join.h).
struct JoinRow {
  const std::int32_t* distance;   ///< to the places before it
  const std::int64_t* sum;        ///< R_j of these places
  const std::int32_t* reference;  ///< u_j of these places
  std::uint32_t count;            ///< their number
  std::int32_t factor;            ///< clusters that are left, less 2
  std::int64_t least;             ///< out: the least S_ij + R_i
  std::int32_t low;               ///< out: the least D_ij - u_j
};

/// Chains of fused multiply-adds that do nothing else (see shared/peak.h).
struct FmaChains {
  float start[kMaxLanes];  ///< of each lane; those that the kernel does not have are left out
  float factor = ACCORD_CHAIN_FACTOR, addend = ACCORD_CHAIN_ADDEND;
  std::uint32_t rounds;
  float sum[kMaxLanes];  ///< out
};

/// The host's kernels compiled for one instruction set.
struct Kernels {
  const char* name;  ///< "avx512", "avx512_half" (its registers, half as wide), "avx2", "generic"
  std::uint32_t lanes;  ///< pairs that run_lanes computes side by side
  bool fuses;           ///< the processor has fused multiply-adds for them
  void (*run_lanes)(LanesTask& task);
  void (*run_wavefront)(LanesTask& task);
  void (*run_local)(LocalTask& task);
  void (*relax_columns)(const RelaxColumns& columns);
  void (*scan_join_row)(JoinRow& row);
  void (*run_fma_chains)(FmaChains& chains);
  const LikelihoodKernels* likelihood;
  const QuartetKernels* quartets;
};

/// The kernels that this build has and this processor can run, the fastest first; never empty.
/// All give the same bits. Whether vectors of 512 bits come first is measured, once a process.
std::vector<const Kernels*> available_kernels();

}  // namespace accord::host
