// SPDX-License-Identifier: Apache-2.0
// The host kernels for one instruction set. CMake compiles this file once for each, with
// ACCORD_KERNELS the name of the table entry and the set's own flags; it must not use
// anything from the C++ library, whose inline functions the linker might share with others.
#include "engine/host/kernels.hpp"
#include "engine/host/simd.hpp"
// The shared text reads the vector names that simd.hpp has defined.
#include "consistency/transform.h"
#include "local_pairs/task.h"
#include "neighbor_joining/join.h"
#include "posteriors/lanes_task.h"
#include "shared/peak.h"
#include "stages/posteriors/wavefront_task.h"

namespace accord::host {
namespace {

/// The inputs of a posterior task, and where its results go.
struct PosteriorLanes {
  accord_lanes_input in;
  accord_lanes_output out;

  explicit PosteriorLanes(const LanesTask& task) {
    in.m = accord_set_int(0);
    in.m_longest = 0;
    in.m_shortest = 0x7fffffff;
    for (int lane = 0; lane < ACCORD_LANES; ++lane) {
      const bool used = static_cast<std::uint32_t>(lane) < task.count;
      in.x[lane] = used ? task.x[lane] : task.x[0];
      out.cells[lane] = task.cells + (used ? static_cast<std::uint64_t>(lane) * task.capacity : 0);
      out.count[lane] = 0;
      if (!used) continue;
      const int m = static_cast<int>(task.m[lane]);
      in.m[lane] = m;
      in.m_longest = m > in.m_longest ? m : in.m_longest;
      in.m_shortest = m < in.m_shortest ? m : in.m_shortest;
    }
    in.y = task.y;
    in.n = static_cast<int>(task.n);
    in.tell = task.tell;
    in.teller = task.teller;
    out.capacity = task.capacity;
  }

  void leave_counts(LanesTask& task) const {
    for (std::uint32_t lane = 0; lane < task.count; ++lane) task.found[lane] = out.count[lane];
  }
};

void run_lanes_task(LanesTask& task) {
  PosteriorLanes lanes(task);
  const accord_workspace plan =
      accord_plan_workspace(static_cast<accord_u32>(lanes.in.m_longest), task.n, task.band_columns);
  accord_lanes_task(&lanes.in, &plan, task.model, static_cast<accord_vf*>(task.memory), &lanes.out);
  lanes.leave_counts(task);
}

void run_wavefront_task(LanesTask& task) {
  PosteriorLanes lanes(task);
  const accord_wavefront_workspace plan =
      accord_plan_wavefront(static_cast<accord_u32>(lanes.in.m_longest), task.n, task.count,
                            task.band_columns / (ACCORD_LANES * ACCORD_TILE), ACCORD_LANES);
  accord_wavefront_task(&lanes.in, &plan, task.model, static_cast<accord_vf*>(task.memory),
                        &lanes.out);
  lanes.leave_counts(task);
}

void run_local_task(LocalTask& task) {
  accord_local_input in;
  accord_local_found found[ACCORD_LANES];
  for (int lane = 0; lane < ACCORD_LANES; ++lane) {
    const bool used = static_cast<std::uint32_t>(lane) < task.count;
    in.x[lane] = used ? task.x[lane] : task.x[0];
    in.m[lane] = used ? static_cast<int>(task.m[lane]) : 0;
    found[lane].segments = used ? task.segments[lane] : nullptr;
  }
  in.y = task.y;
  in.m_longest = in.m[0];
  in.n = static_cast<int>(task.n);
  in.scores = task.scores;
  accord_local_task(&in, task.plan, static_cast<accord_vi*>(task.memory), found);
  for (std::uint32_t lane = 0; lane < task.count; ++lane) {
    task.found[lane] = found[lane].count;
    task.score[lane] = found[lane].best;
  }
}

// The kernel of the consistency transform: each term of a column j is added to the sums of
// kRelaxRows residues of x by one vector operation. Most terms meet some of these residues, and
// those that meet none add the zeros of row 0, which changes nothing.

#if defined(__AVX2__) && defined(__FMA__)

typedef __m256 RelaxSums;
ACCORD_FUNCTION RelaxSums load_sums(const float* sums) { return _mm256_loadu_ps(sums); }
ACCORD_FUNCTION void store_sums(RelaxSums value, float* sums) { _mm256_storeu_ps(sums, value); }
ACCORD_FUNCTION RelaxSums add_term(RelaxSums sums, const float* row, float value) {
  return _mm256_fmadd_ps(_mm256_loadu_ps(row), _mm256_set1_ps(value), sums);
}

#else

struct RelaxSums {
  float of[kRelaxRows];
};
ACCORD_FUNCTION RelaxSums load_sums(const float* sums) {
  RelaxSums value;
  for (std::uint32_t i = 0; i < kRelaxRows; ++i) value.of[i] = sums[i];
  return value;
}
ACCORD_FUNCTION void store_sums(RelaxSums value, float* sums) {
  for (std::uint32_t i = 0; i < kRelaxRows; ++i) sums[i] = value.of[i];
}
ACCORD_FUNCTION RelaxSums add_term(RelaxSums sums, const float* row, float value) {
  for (std::uint32_t i = 0; i < kRelaxRows; ++i) {
    // Most are 0, and a fused multiply-add in software is slow.
    if (row[i] != 0.0f) sums.of[i] = accord_relax_add(sums.of[i], row[i], value);
  }
  return sums;
}

#endif

/// Chains of terms that are added side by side, each to the sums of one column in their fixed
/// order: the latency of a chain hides only behind the others.
constexpr std::uint32_t kChains = 4;

struct RelaxChain {
  const RelaxTerm* term;
  std::uint32_t terms;
  RelaxSums sums;
};

/// Adds the terms of the first chains from number t on, up to the shortest of them, which is the
/// last; then those of one chain less.
template <std::uint32_t chains>
ACCORD_FUNCTION void add_terms(const RelaxColumns& columns, RelaxChain* chain, std::uint32_t t) {
  for (; t < chain[chains - 1].terms; ++t) {
    ACCORD_UNROLL
    for (std::uint32_t c = 0; c < chains; ++c) {
      const RelaxTerm& term = chain[c].term[t];
      chain[c].sums = add_term(chain[c].sums, columns.x + columns.row_of[term.residue], term.value);
    }
  }
  if constexpr (chains > 1) add_terms<chains - 1>(columns, chain, t);
}

void relax_columns(const RelaxColumns& columns) {
  for (std::uint32_t first = 0; first < columns.columns; first += kChains) {
    const std::uint32_t left = columns.columns - first, chains = left < kChains ? left : kChains;
    RelaxChain chain[kChains];
    for (std::uint32_t c = 0; c < kChains; ++c) {
      const std::uint32_t j = columns.column[first + (c < chains ? c : 0)];
      chain[c] = {columns.y_terms + columns.y_begin[j],
                  c < chains ? columns.y_begin[j + 1] - columns.y_begin[j] : 0,
                  load_sums(columns.sums + kRelaxRows * j)};
    }
    add_terms<kChains>(columns, chain, 0);
    for (std::uint32_t c = 0; c < chains; ++c) {
      store_sums(chain[c].sums, columns.sums + kRelaxRows * columns.column[first + c]);
    }
  }
}

void scan_join_row(JoinRow& row) {
  const std::int32_t* const distance = row.distance;
  const std::int64_t* const sum = row.sum;
  const std::int32_t* const reference = row.reference;
  const std::int32_t factor = row.factor;
  std::int64_t least = ACCORD_JOIN_NO_VALUE;
  std::int32_t low = 0x7fffffff;
  for (std::uint32_t j = 0; j < row.count; ++j) {
    const std::int64_t value = accord_join_value(factor, distance[j], sum[j]);
    least = value < least ? value : least;
    const std::int32_t above = distance[j] - reference[j];
    low = above < low ? above : low;
  }
  row.least = least;
  row.low = low;
}

#if defined(__FMA__) || defined(__ARM_FEATURE_FMA)
constexpr bool kFuses = true;
#else
constexpr bool kFuses = false;
#endif

void run_fma_chains(FmaChains& chains) {
  accord_vf start = accord_set(0.0f);
  for (int lane = 0; lane < ACCORD_LANES; ++lane) start[lane] = chains.start[lane];
  const accord_vf sum = accord_fma_chains(start, chains.factor, chains.addend, chains.rounds);
  for (int lane = 0; lane < ACCORD_LANES; ++lane) chains.sum[lane] = sum[lane];
}

}  // namespace

extern const LikelihoodKernels ACCORD_LIKELIHOOD_KERNELS;  // likelihood_isa.cpp
extern const QuartetKernels ACCORD_QUARTET_KERNELS;        // quartet_isa.cpp
extern const Kernels ACCORD_KERNELS;
const Kernels ACCORD_KERNELS = {ACCORD_KERNELS_NAME,
                                ACCORD_LANES,
                                kFuses,
                                run_lanes_task,
                                run_wavefront_task,
                                run_local_task,
                                relax_columns,
                                scan_join_row,
                                run_fma_chains,
                                &ACCORD_LIKELIHOOD_KERNELS,
                                &ACCORD_QUARTET_KERNELS};

}  // namespace accord::host
