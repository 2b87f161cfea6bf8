// SPDX-License-Identifier: Apache-2.0
// Vector functions for likelihoods. The files that include this header (likelihood_peel.hpp,
// quartet_isa.cpp) are compiled once for each instruction set. So the namespace is unnamed, which
// gives each file separate copies, and the functions do not use the C++ library. Values are those
// of a block of kLanes patterns, the lanes: [state][lane].
#pragma once
#if defined(__AVX2__)
#include <immintrin.h>
#endif

#include <cstdint>

#include "likelihood/peel.h"

namespace accord::host {
namespace {

// Bytes of a native vector, and the largest number of states whose sums stay in registers, for two
// vectors each.
#if defined(ACCORD_SIMD_AVX512)
constexpr int kVectorBytes = 64, kMostRows = 10;
#elif defined(ACCORD_SIMD_AVX2)
constexpr int kVectorBytes = 32, kMostRows = 5;
#else
constexpr int kVectorBytes = 16, kMostRows = 4;
#endif
// The numbers of values of a vector, of patterns of a block, and of vectors of a block; then the
// numbers of vectors and of states for which multiply_rows() computes sums at once.
constexpr int kWidth = kVectorBytes / static_cast<int>(sizeof(accord_real));
constexpr int kLanes = ACCORD_PATTERN_BLOCK;
constexpr int kVectors = kLanes / kWidth;
constexpr int kChunk = kVectors < 2 ? kVectors : 2;
constexpr int kRows = kMostRows * 2 / kChunk;
// Vector: kWidth values. WordVector: integers of the size of the values, for their bits.
// ShiftVector: kWidth exponents. LooseVector: a Vector at any address.
typedef accord_real Vector __attribute__((vector_size(kVectorBytes)));
#ifdef ACCORD_SINGLE
typedef std::int32_t WordVector __attribute__((vector_size(kVectorBytes)));
#else
typedef std::int64_t WordVector __attribute__((vector_size(kVectorBytes)));
#endif
typedef std::int32_t ShiftVector __attribute__((vector_size(kWidth * sizeof(std::int32_t))));
typedef accord_real LooseVector
    __attribute__((vector_size(kVectorBytes), aligned(sizeof(accord_real))));

// accord_fma_real: a b + c. any_below: whether a < b in any lane. GCC has no operators for these.
#if defined(ACCORD_SIMD_AVX512) && defined(ACCORD_SINGLE)
ACCORD_FUNCTION Vector accord_fma_real(Vector a, Vector b, Vector c) {
  return _mm512_fmadd_ps(a, b, c);
}
ACCORD_FUNCTION bool any_below(Vector a, Vector b) {
  return _mm512_cmp_ps_mask(a, b, _CMP_LT_OQ) != 0;
}
#elif defined(ACCORD_SIMD_AVX512)
ACCORD_FUNCTION Vector accord_fma_real(Vector a, Vector b, Vector c) {
  return _mm512_fmadd_pd(a, b, c);
}
ACCORD_FUNCTION bool any_below(Vector a, Vector b) {
  return _mm512_cmp_pd_mask(a, b, _CMP_LT_OQ) != 0;
}
#elif defined(ACCORD_SIMD_AVX2) && defined(ACCORD_SINGLE)
ACCORD_FUNCTION Vector accord_fma_real(Vector a, Vector b, Vector c) {
  return _mm256_fmadd_ps(a, b, c);
}
ACCORD_FUNCTION bool any_below(Vector a, Vector b) {
  return _mm256_movemask_ps(_mm256_cmp_ps(a, b, _CMP_LT_OQ)) != 0;
}
#elif defined(ACCORD_SIMD_AVX2)
ACCORD_FUNCTION Vector accord_fma_real(Vector a, Vector b, Vector c) {
  return _mm256_fmadd_pd(a, b, c);
}
ACCORD_FUNCTION bool any_below(Vector a, Vector b) {
  return _mm256_movemask_pd(_mm256_cmp_pd(a, b, _CMP_LT_OQ)) != 0;
}
#else
ACCORD_FUNCTION Vector accord_fma_real(Vector a, Vector b, Vector c) {
  Vector r = a;
  for (int lane = 0; lane < kWidth; ++lane) {
    r[lane] = sizeof(accord_real) == 4
                  ? __builtin_fmaf(static_cast<float>(a[lane]), static_cast<float>(b[lane]),
                                   static_cast<float>(c[lane]))
                  : static_cast<accord_real>(__builtin_fma(a[lane], b[lane], c[lane]));
  }
  return r;
}
ACCORD_FUNCTION bool any_below(Vector a, Vector b) {
  bool found = false;
  for (int lane = 0; lane < kWidth; ++lane) found = found || a[lane] < b[lane];
  return found;
}
#endif

// Load and store a vector, at any address; and make a vector with the same value in all lanes.
ACCORD_FUNCTION Vector load(const accord_real* from) {
  return *reinterpret_cast<const LooseVector*>(from);
}
ACCORD_FUNCTION void store(accord_real* to, Vector value) {
  *reinterpret_cast<LooseVector*>(to) = value;
}
ACCORD_FUNCTION Vector all(accord_real value) { return value - Vector{}; }

/// Computes out(s) = sum_j matrix(s,j) in(j) for the first `rows` states s, and kChunk vectors of
/// lanes. The columns j of `matrix` lie one after another, `states` values each.
template <int rows>
ACCORD_FUNCTION void multiply_rows(const accord_real* matrix, const accord_real* in, int states,
                                   accord_real* out) {
  Vector sum[rows][kChunk];
#pragma GCC unroll 32
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
#pragma GCC unroll 32
    for (int s = 0; s < rows; ++s) {
      const Vector p = all(column[s]);
#pragma GCC unroll 2
      for (int c = 0; c < kChunk; ++c) sum[s][c] = ACCORD_PEEL_ADD(sum[s][c], p, value[c]);
    }
  }
#pragma GCC unroll 32
  for (int s = 0; s < rows; ++s) {
#pragma GCC unroll 2
    for (int c = 0; c < kChunk; ++c) store(out + s * kLanes + c * kWidth, sum[s][c]);
  }
}

/// Computes out(s) = sum_j matrix(s,j) in(j) for all states s and lanes. `fixed` is the number of
/// states, or 0 if only `any_states` has it. The columns j of `matrix` lie one after another.
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

/// Looks up the code of each lane in each row of a tip's table, and stores the found values as
/// out[row][lane]. A row has `width` values: one for each code, then padding to a multiple of 16.
ACCORD_FUNCTION void look_up(const accord_real* table, int rows, std::uint32_t width,
                             const std::uint8_t* codes, accord_real* out) {
#if defined(ACCORD_SIMD_AVX512) && defined(ACCORD_SINGLE)
  const __m512i places = _mm512_cvtepu8_epi32(_mm_loadu_si128((const __m128i*)codes));
  const __mmask16 is_high = _mm512_test_epi32_mask(places, _mm512_set1_epi32(32));
  for (int row = 0; row < rows; ++row, table += width, out += kLanes) {
    __m512 found = _mm512_permutexvar_ps(places, load(table));  // looks at the lower 4 bits
    if (width > 16) found = _mm512_permutex2var_ps(load(table), places, load(table + 16));
    if (width > 64) {
      found = _mm512_i32gather_ps(places, table, 4);
    } else if (width > 32) {
      const Vector last = width > 48 ? load(table + 48) : Vector{};
      const __m512 high = _mm512_permutex2var_ps(load(table + 32), places, last);
      found = _mm512_mask_blend_ps(is_high, found, high);
    }
    store(out, found);
  }
#elif defined(ACCORD_SIMD_AVX512)
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

/// Computes the products of the values a and b of two nodes, for each state and lane. `largest`
/// gets the largest product of each lane.
ACCORD_FUNCTION void product(const accord_real* a, const accord_real* b, int states,
                             accord_real* out, accord_real* largest) {
  Vector most[kVectors];
  for (int v = 0; v < kVectors; ++v) most[v] = Vector{};
  for (int s = 0; s < states; ++s) {
    for (int v = 0; v < kVectors; ++v) {
      const int at = s * kLanes + v * kWidth;
      const Vector value = load(a + at) * load(b + at);
      store(out + at, value);
      most[v] = value > most[v] ? value : most[v];
    }
  }
  for (int v = 0; v < kVectors; ++v) store(largest + v * kWidth, most[v]);
}

/// Multiplies all values of each lane by 2^shift of the lane.
ACCORD_FUNCTION void scale(accord_real* values, int states, const std::int32_t* shift) {
  accord_real factor[kLanes];
  for (int lane = 0; lane < kLanes; ++lane) factor[lane] = accord_power_of_two(shift[lane]);
  for (int s = 0; s < states; ++s) {
    for (int v = 0; v < kVectors; ++v) {
      const int at = s * kLanes + v * kWidth;
      store(values + at, load(values + at) * load(factor + v * kWidth));
    }
  }
}

/// Computes the products as product(), and multiplies those of each lane by 2^shift of the lane.
/// The shift of a lane is accord_scale_shift() of its largest product, computed for all lanes at
/// once.
ACCORD_FUNCTION void scaled_product(const accord_real* a, const accord_real* b, int states,
                                    accord_real* out, std::int32_t* shift) {
  accord_real largest[kLanes];
  product(a, b, states, out, largest);
  bool is_any_small = false;
  for (int v = 0; v < kVectors; ++v) {
    is_any_small |= any_below(load(largest + v * kWidth), all(ACCORD_SCALE_BELOW));
  }
  for (int lane = 0; lane < kLanes; ++lane) shift[lane] = 0;
  if (!is_any_small) return;
  for (int v = 0; v < kVectors; ++v) {
    const Vector most = load(largest + v * kWidth);
    const WordVector is_small = (most < ACCORD_SCALE_BELOW) & (most > 0);
    const WordVector by = is_small & (ACCORD_REAL_BIAS -
                                      (reinterpret_cast<WordVector>(most) >> ACCORD_REAL_FRACTION));
    const auto factor = reinterpret_cast<Vector>((by + ACCORD_REAL_BIAS) << ACCORD_REAL_FRACTION);
    const ShiftVector kept = __builtin_convertvector(by, ShiftVector);
    __builtin_memcpy(shift + v * kWidth, &kept, sizeof kept);
    for (int s = 0; s < states; ++s) {
      accord_real* const values = out + s * kLanes + v * kWidth;
      store(values, load(values) * factor);
    }
  }
}

}  // namespace
}  // namespace accord::host
