// SPDX-License-Identifier: Apache-2.0
// What the files share that are compiled once for each instruction set and compute likelihoods
// (likelihood_isa.cpp, quartet_isa.cpp). In a namespace without a name, so that each of them has
// its own; nothing of the C++ library.
#pragma once
#if defined(__AVX2__)
#include <immintrin.h>
#endif

#include <cstdint>

#include "shared/likelihood.h"

namespace accord::host {
namespace {

// A native vector of accord_real, how many of them are worked on at once, and the states of which
// sums are kept in registers meanwhile.
#if defined(ACCORD_SIMD_AVX512)
constexpr int kVectorBytes = 64, kChunk = 2, kRows = 10;
#elif defined(ACCORD_SIMD_AVX512_HALF) || defined(ACCORD_SIMD_AVX2)
constexpr int kVectorBytes = 32, kChunk = 2, kRows = 5;
#else
constexpr int kVectorBytes = 16, kChunk = 2, kRows = 4;
#endif
typedef accord_real Vector __attribute__((vector_size(kVectorBytes)));
typedef accord_real LooseVector __attribute__((vector_size(kVectorBytes), aligned(8)));
constexpr int kWidth = kVectorBytes / static_cast<int>(sizeof(accord_real));
constexpr int kLanes = ACCORD_PATTERN_BLOCK;
constexpr int kVectors = kLanes / kWidth;

ACCORD_FUNCTION Vector accord_fma_real(Vector a, Vector b, Vector c) {
#if defined(ACCORD_SIMD_AVX512)
  return _mm512_fmadd_pd(a, b, c);
#elif defined(ACCORD_SIMD_AVX512_HALF) || defined(ACCORD_SIMD_AVX2)
  return _mm256_fmadd_pd(a, b, c);
#else
  Vector r = a;
  for (int lane = 0; lane < kWidth; ++lane) r[lane] = __builtin_fma(a[lane], b[lane], c[lane]);
  return r;
#endif
}

ACCORD_FUNCTION Vector load(const accord_real* from) {
  return *reinterpret_cast<const LooseVector*>(from);
}
ACCORD_FUNCTION void store(accord_real* to, Vector value) {
  *reinterpret_cast<LooseVector*>(to) = value;
}
ACCORD_FUNCTION Vector all(accord_real value) { return value - Vector{}; }

/// kRows or fewer rows of out(s) = sum_j matrix(s,j) in(j), for kChunk vectors of lanes.
template <int rows>
ACCORD_FUNCTION void multiply_rows(const accord_real* matrix, const accord_real* in, int states,
                                   accord_real* out) {
  Vector sum[rows][kChunk];
#pragma GCC unroll 16
  for (int s = 0; s < rows; ++s) {
#pragma GCC unroll 2
    for (int c = 0; c < kChunk; ++c) {
      sum[s][c] = ACCORD_PEEL_START(all(matrix[s]), load(in + c * kWidth));
    }
  }
  for (int j = 1; j < states; ++j) {
    const accord_real* const column = matrix + static_cast<std::int64_t>(j) * states;
    Vector value[kChunk];
#pragma GCC unroll 2
    for (int c = 0; c < kChunk; ++c) value[c] = load(in + j * kLanes + c * kWidth);
#pragma GCC unroll 16
    for (int s = 0; s < rows; ++s) {
      const Vector p = all(column[s]);
#pragma GCC unroll 2
      for (int c = 0; c < kChunk; ++c) sum[s][c] = ACCORD_PEEL_ADD(sum[s][c], p, value[c]);
    }
  }
#pragma GCC unroll 16
  for (int s = 0; s < rows; ++s) {
#pragma GCC unroll 2
    for (int c = 0; c < kChunk; ++c) store(out + s * kLanes + c * kWidth, sum[s][c]);
  }
}

/// out(s) = sum_j matrix(s,j) in(j). `fixed` is the number of states, or 0 if it is not known.
template <int fixed>
ACCORD_FUNCTION void multiply(const accord_real* matrix, const accord_real* in, int any_states,
                              accord_real* out) {
  const int states = fixed > 0 ? fixed : any_states;
  for (int c = 0; c < kLanes; c += kChunk * kWidth) {
    int s = 0;
    for (; s + kRows <= states; s += kRows) {
      multiply_rows<kRows>(matrix + s, in + c, states, out + s * kLanes + c);
    }
    if constexpr (fixed > 0) {
      constexpr int rest = fixed % kRows;
      if constexpr (rest > 0) multiply_rows<rest>(matrix + s, in + c, states, out + s * kLanes + c);
    } else {
      for (; s < states; ++s) multiply_rows<1>(matrix + s, in + c, states, out + s * kLanes + c);
    }
  }
}

/// Of each row of a tip's table the values at the codes of the lanes. Rows have `width` values.
ACCORD_FUNCTION void look_up(const accord_real* table, int rows, std::uint32_t width,
                             const std::uint8_t* codes, accord_real* out) {
#if defined(ACCORD_SIMD_AVX512)
  __m512i places[2];
  __mmask8 is_high[2];
  for (int half = 0; half < 2; ++half) {
    places[half] =
        _mm512_cvtepu8_epi64(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(codes + 8 * half)));
    is_high[half] = _mm512_test_epi64_mask(places[half], _mm512_set1_epi64(16));
  }
  for (int row = 0; row < rows; ++row, table += width, out += kLanes) {
    for (int half = 0; half < 2; ++half) {
      __m512d found;
      if (width > 32) {
        found = _mm512_i64gather_pd(places[half], table, 8);
      } else {
        // A permutation looks at the lower 4 bits.
        found = _mm512_permutex2var_pd(_mm512_loadu_pd(table), places[half],
                                       _mm512_loadu_pd(table + 8));
        if (width > 16) {
          const __m512d high = _mm512_permutex2var_pd(_mm512_loadu_pd(table + 16), places[half],
                                                      _mm512_loadu_pd(table + 24));
          found = _mm512_mask_blend_pd(is_high[half], found, high);
        }
      }
      _mm512_storeu_pd(out + 8 * half, found);
    }
  }
#else
  for (int row = 0; row < rows; ++row, table += width, out += kLanes) {
    for (int lane = 0; lane < kLanes; ++lane) out[lane] = table[codes[lane]];
  }
#endif
}

/// Whether any lane is to be scaled.
ACCORD_FUNCTION bool any_small(const accord_real* largest) {
  for (int lane = 0; lane < kLanes; lane += kWidth) {
#if defined(ACCORD_SIMD_AVX512)
    const __m512d values = _mm512_loadu_pd(largest + lane);
    if (_mm512_cmp_pd_mask(values, _mm512_set1_pd(ACCORD_SCALE_BELOW), _CMP_LT_OQ)) return true;
#elif defined(ACCORD_SIMD_AVX512_HALF) || defined(ACCORD_SIMD_AVX2)
    const __m256d values = _mm256_loadu_pd(largest + lane);
    const __m256d small = _mm256_cmp_pd(values, _mm256_set1_pd(ACCORD_SCALE_BELOW), _CMP_LT_OQ);
    if (_mm256_movemask_pd(small)) return true;
#else
    for (int k = 0; k < kWidth; ++k) {
      if (largest[lane + k] < ACCORD_SCALE_BELOW) return true;
    }
#endif
  }
  return false;
}

}  // namespace
}  // namespace accord::host
