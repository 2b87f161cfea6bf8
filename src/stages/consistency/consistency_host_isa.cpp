// SPDX-License-Identifier: Apache-2.0
// The consistency transform for one instruction set; see engine/host/isa.hpp.
#include "engine/host/isa.hpp"
#include "engine/host/simd.hpp"
#include "stages/consistency/consistency_host_kernels.hpp"
// The shared text reads the vector names that simd.hpp has defined.
#include "consistency/transform.h"

namespace accord::host {
namespace {

// The kernel of the consistency transform: each term of a column j is added to the sums of
// kConsistencyRows residues of x by one vector operation. About half of the terms meet none of
// these residues and add zeros, which changes nothing; finding these terms would take longer.

#if defined(__AVX2__) && defined(__FMA__)

typedef __m256 ColumnSums;
ACCORD_FUNCTION ColumnSums load_sums(const float* sums) { return _mm256_loadu_ps(sums); }
ACCORD_FUNCTION void store_sums(ColumnSums value, float* sums) { _mm256_storeu_ps(sums, value); }
ACCORD_FUNCTION ColumnSums add_term(ColumnSums sums, const float* row, float value) {
  return _mm256_fmadd_ps(_mm256_loadu_ps(row), _mm256_set1_ps(value), sums);
}

#else

/// Whether a lane has another value than 0 or -0.
ACCORD_FUNCTION bool accord_any_nonzero(accord_vf v) {
  accord_i32 any = 0;
  for (int lane = 0; lane < ACCORD_LANES; ++lane) any |= accord_as_vi(v)[lane];
  return (any & 0x7fffffff) != 0;
}

struct ColumnSums {
  accord_vf of[kConsistencyRows / ACCORD_LANES];
};
ACCORD_FUNCTION ColumnSums load_sums(const float* sums) {
  ColumnSums value;
  __builtin_memcpy(&value, sums, sizeof value);
  return value;
}
ACCORD_FUNCTION void store_sums(ColumnSums value, float* sums) {
  __builtin_memcpy(sums, &value, sizeof value);
}
ACCORD_FUNCTION ColumnSums add_term(ColumnSums sums, const float* row, float value) {
  const ColumnSums weighted = load_sums(row);
  for (std::uint32_t k = 0; k < kConsistencyRows / ACCORD_LANES; ++k) {
    // Most values are 0, and a fused multiply-add in software is slow.
    if (ACCORD_FUSES || accord_any_nonzero(weighted.of[k])) {
      sums.of[k] = accord_fma(weighted.of[k], accord_set(value), sums.of[k]);
    }
  }
  return sums;
}

#endif

/// The number of columns whose terms are added side by side. The terms of one column form a chain
/// in a fixed order, whose latency is hidden only by the chains of other columns.
constexpr std::uint32_t kChains = 8;

struct TermChain {
  const ConsistencyTerm* term;
  std::uint32_t terms;
  ColumnSums sums;
};

/// Adds the terms of the first `chains` chains, from term number t on, up to the end of the
/// shortest chain, which is the last one. Then goes on with one chain less.
template <std::uint32_t chains>
ACCORD_FUNCTION void add_terms(const ConsistencyColumns& columns, TermChain* chain,
                               std::uint32_t t) {
  for (; t < chain[chains - 1].terms; ++t) {
    ACCORD_UNROLL
    for (std::uint32_t c = 0; c < chains; ++c) {
      const ConsistencyTerm& term = chain[c].term[t];
      chain[c].sums = add_term(chain[c].sums, columns.x + term.place, term.value);
    }
  }
  if constexpr (chains > 1) add_terms<chains - 1>(columns, chain, t);
}

void add_columns(const ConsistencyColumns& columns) {
  for (std::uint32_t first = 0; first < columns.columns; first += kChains) {
    const std::uint32_t left = columns.columns - first, chains = left < kChains ? left : kChains;
    TermChain chain[kChains];
    for (std::uint32_t c = 0; c < kChains; ++c) {
      const std::uint32_t j = columns.column[first + (c < chains ? c : 0)];
      chain[c] = {columns.y_terms + columns.y_begin[j],
                  c < chains ? columns.y_begin[j + 1] - columns.y_begin[j] : 0,
                  load_sums(columns.sums + kConsistencyRows * j)};
    }
    add_terms<kChains>(columns, chain, 0);
    for (std::uint32_t c = 0; c < chains; ++c) {
      store_sums(chain[c].sums, columns.sums + kConsistencyRows * columns.column[first + c]);
    }
  }
}

}  // namespace

extern const ConsistencyKernels ACCORD_OF_ISA(kConsistencyKernels);
const ConsistencyKernels ACCORD_OF_ISA(kConsistencyKernels) = {add_columns};

}  // namespace accord::host
