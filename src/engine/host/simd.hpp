// SPDX-License-Identifier: Apache-2.0
// Lane vectors of one instruction set, and their operations, for the shared kernel text.
// kernels/shared/vector.h describes most operations; comments here describe those that it lacks.
// Included only by src/engine/host/kernels_isa.cpp, which is compiled once for each instruction
// set; everything here has internal linkage, so that code for a newer processor cannot leak into a
// function that an older one runs.
#pragma once

#if defined(ACCORD_SIMD_AVX512)
#include <immintrin.h>
#define ACCORD_LANES 16
typedef __m512 accord_vf;
#elif defined(ACCORD_SIMD_AVX512_HALF) || defined(ACCORD_SIMD_AVX2)
#include <immintrin.h>
#define ACCORD_LANES 8
typedef __m256 accord_vf;
#else
#define ACCORD_LANES 4
typedef float accord_vf __attribute__((vector_size(16)));
#endif

#include "shared/platform.h"

/// Whether fused multiply-adds are instructions of the processor.
#if defined(__FMA__) || defined(__ARM_FEATURE_FMA)
#define ACCORD_FUSES true
#else
#define ACCORD_FUSES false
#endif

typedef accord_i32 accord_vi __attribute__((vector_size(4 * ACCORD_LANES)));

#define accord_as_vi(v) ((accord_vi)(v))
#define accord_as_vf(v) ((accord_vf)(v))
#define accord_lane(v, lane) ((v)[lane])
#define accord_lane_int(v, lane) ((v)[lane])
#define ACCORD_SHIFT_LEFT(v, bits) ((v) << (bits))
#define ACCORD_SHIFT_RIGHT(v, bits) ((v) >> (bits))

ACCORD_FUNCTION accord_vf accord_set(float value) { return value - accord_vf{}; }
ACCORD_FUNCTION accord_vi accord_set_int(accord_i32 value) { return value - accord_vi{}; }

#if defined(ACCORD_SIMD_AVX512)

ACCORD_FUNCTION accord_vf accord_fma(accord_vf a, accord_vf b, accord_vf c) {
  return _mm512_fmadd_ps(a, b, c);
}
ACCORD_FUNCTION accord_vf accord_lookup(const float* row, accord_vi codes) {
  return _mm512_permutex2var_ps(_mm512_loadu_ps(row), (__m512i)codes, _mm512_loadu_ps(row + 16));
}
ACCORD_FUNCTION accord_vf accord_lookup_context(const float* row, accord_vi codes) {
  return _mm512_permutexvar_ps((__m512i)codes, _mm512_loadu_ps(row));
}
ACCORD_FUNCTION accord_vf accord_pick(accord_vf v, accord_vi from, accord_vf other) {
  return _mm512_permutex2var_ps(v, (__m512i)from, other);
}
ACCORD_FUNCTION accord_vf accord_max(accord_vf a, accord_vf b) { return _mm512_max_ps(a, b); }
ACCORD_FUNCTION accord_vf accord_min(accord_vf a, accord_vf b) { return _mm512_min_ps(a, b); }
ACCORD_FUNCTION accord_vf accord_where_ge(accord_vf a, accord_vf b, accord_vf value) {
  return _mm512_maskz_mov_ps(_mm512_cmp_ps_mask(a, b, _CMP_GE_OQ), value);
}
ACCORD_FUNCTION accord_u32 accord_mask_ge(accord_vf a, accord_vf b) {
  return _mm512_cmp_ps_mask(a, b, _CMP_GE_OQ);
}

#elif defined(ACCORD_SIMD_AVX512_HALF) || defined(ACCORD_SIMD_AVX2)

ACCORD_FUNCTION accord_vf accord_fma(accord_vf a, accord_vf b, accord_vf c) {
  return _mm256_fmadd_ps(a, b, c);
}
ACCORD_FUNCTION accord_vf accord_pick(accord_vf v, accord_vi from, accord_vf other) {
  const accord_vf inside = _mm256_permutevar8x32_ps(v, (__m256i)from);
  return (accord_vf)(from < ACCORD_LANES ? (accord_vi)inside : (accord_vi)other);
}
ACCORD_FUNCTION accord_vf accord_max(accord_vf a, accord_vf b) { return _mm256_max_ps(a, b); }
ACCORD_FUNCTION accord_vf accord_min(accord_vf a, accord_vf b) { return _mm256_min_ps(a, b); }
ACCORD_FUNCTION accord_vf accord_lookup_context(const float* row, accord_vi codes) {
  return _mm256_permutevar8x32_ps(_mm256_loadu_ps(row), (__m256i)codes);
}
#if defined(ACCORD_SIMD_AVX512_HALF)
ACCORD_FUNCTION accord_vf accord_lookup(const float* row, accord_vi codes) {
  const __m256i places = (__m256i)codes;  // each permutation looks at the lower 4 bits
  const __m256 low = _mm256_permutex2var_ps(_mm256_loadu_ps(row), places, _mm256_loadu_ps(row + 8));
  const __m256 high =
      _mm256_permutex2var_ps(_mm256_loadu_ps(row + 16), places, _mm256_loadu_ps(row + 24));
  return _mm256_mask_blend_ps(_mm256_cmpgt_epi32_mask(places, _mm256_set1_epi32(15)), low, high);
}
ACCORD_FUNCTION accord_vf accord_where_ge(accord_vf a, accord_vf b, accord_vf value) {
  return _mm256_maskz_mov_ps(_mm256_cmp_ps_mask(a, b, _CMP_GE_OQ), value);
}
ACCORD_FUNCTION accord_u32 accord_mask_ge(accord_vf a, accord_vf b) {
  return _mm256_cmp_ps_mask(a, b, _CMP_GE_OQ);
}
#else
ACCORD_FUNCTION accord_vf accord_lookup(const float* row, accord_vi codes) {
  return _mm256_i32gather_ps(row, (__m256i)codes, 4);
}
ACCORD_FUNCTION accord_vf accord_where_ge(accord_vf a, accord_vf b, accord_vf value) {
  return _mm256_and_ps(_mm256_cmp_ps(a, b, _CMP_GE_OQ), value);
}
ACCORD_FUNCTION accord_u32 accord_mask_ge(accord_vf a, accord_vf b) {
  return static_cast<accord_u32>(_mm256_movemask_ps(_mm256_cmp_ps(a, b, _CMP_GE_OQ)));
}
#endif

#else  // any processor

#if defined(__ARM_FEATURE_FMA)
ACCORD_FUNCTION accord_vf accord_fma(accord_vf a, accord_vf b, accord_vf c) {
  accord_vf r = a;
  for (int lane = 0; lane < ACCORD_LANES; ++lane) {
    r[lane] = __builtin_fmaf(a[lane], b[lane], c[lane]);
  }
  return r;
}
#else
/// By doubles: fmaf() of the C library takes at least three times as long, and the C libraries of
/// Emscripten and MinGW-w64 round some results wrongly. The product is exact. The sum is rounded to
/// odd (Boldo & Melquiond 2008, IEEE Transactions on Computers 57:462): if the rounded sum is
/// inexact, its last bit is 1, and it lies on the same side of every float as the exact sum. So
/// both round to the same float. The function is not inlined: it takes much longer than a call, and
/// the kernels would contain it a thousand times.
__attribute__((noinline, unused)) static accord_vf accord_fma(accord_vf a, accord_vf b,
                                                              accord_vf c) {
  typedef double doubles __attribute__((vector_size(8 * ACCORD_LANES)));
  typedef accord_i64 bits __attribute__((vector_size(8 * ACCORD_LANES)));
  const doubles product = __builtin_convertvector(a, doubles) * __builtin_convertvector(b, doubles);
  const doubles addend = __builtin_convertvector(c, doubles);
  const doubles sum = product + addend, part = sum - product;
  const doubles error = (product - (sum - part)) + (addend - part);       // exact (Knuth's TwoSum)
  const bits is_inexact = (bits)((error < 0.0) | (error > 0.0));          // not for NaN
  const bits is_beyond = is_inexact & (((bits)error ^ (bits)sum) >> 63);  // farther from 0
  const bits odd = ((bits)sum + is_beyond) | (is_inexact & 1);
  return __builtin_convertvector((doubles)odd, accord_vf);
}
#endif
ACCORD_FUNCTION accord_vf accord_lookup(const float* row, accord_vi codes) {
  accord_vf values{};
  for (int lane = 0; lane < ACCORD_LANES; ++lane) values[lane] = row[codes[lane]];
  return values;
}
ACCORD_FUNCTION accord_vf accord_lookup_context(const float* row, accord_vi codes) {
  return accord_lookup(row, codes);
}
ACCORD_FUNCTION accord_vf accord_pick(accord_vf v, accord_vi from, accord_vf other) {
  accord_vf picked = other;
  for (int lane = 0; lane < ACCORD_LANES; ++lane) {
    if (from[lane] < ACCORD_LANES) picked[lane] = v[from[lane]];
  }
  return picked;
}
ACCORD_FUNCTION accord_vf accord_max(accord_vf a, accord_vf b) { return a > b ? a : b; }
ACCORD_FUNCTION accord_vf accord_min(accord_vf a, accord_vf b) { return a < b ? a : b; }
ACCORD_FUNCTION accord_vf accord_where_ge(accord_vf a, accord_vf b, accord_vf value) {
  return a >= b ? value : accord_vf{};
}
ACCORD_FUNCTION accord_u32 accord_mask_ge(accord_vf a, accord_vf b) {
  accord_u32 mask = 0;
  for (int lane = 0; lane < ACCORD_LANES; ++lane) mask |= (a[lane] >= b[lane] ? 1u : 0u) << lane;
  return mask;
}

#endif

#if defined(ACCORD_SIMD_AVX512) || defined(ACCORD_SIMD_AVX512_HALF) || defined(ACCORD_SIMD_AVX2)

/// Turns rows into columns: float c of row r becomes float r of row c.
ACCORD_FUNCTION void accord_transpose(__m256* rows) {
  __m256 pairs[8], fours[8];
  ACCORD_UNROLL
  for (int r = 0; r < 8; r += 2) {
    pairs[r] = _mm256_unpacklo_ps(rows[r], rows[r + 1]);
    pairs[r + 1] = _mm256_unpackhi_ps(rows[r], rows[r + 1]);
  }
  ACCORD_UNROLL
  for (int r = 0; r < 8; r += 4) {
    fours[r] = _mm256_shuffle_ps(pairs[r], pairs[r + 2], 0x44);
    fours[r + 1] = _mm256_shuffle_ps(pairs[r], pairs[r + 2], 0xEE);
    fours[r + 2] = _mm256_shuffle_ps(pairs[r + 1], pairs[r + 3], 0x44);
    fours[r + 3] = _mm256_shuffle_ps(pairs[r + 1], pairs[r + 3], 0xEE);
  }
  ACCORD_UNROLL
  for (int c = 0; c < 4; ++c) {
    rows[c] = _mm256_permute2f128_ps(fours[c], fours[c + 4], 0x20);
    rows[c + 4] = _mm256_permute2f128_ps(fours[c], fours[c + 4], 0x31);
  }
}

/// For each of 8 lanes k, multiplies the 8 floats of `values` from place a[k] on by the 8 floats
/// from place b[k] on. column[c] gets product c of each lane.
ACCORD_FUNCTION void accord_multiply_eight(const float* values, const accord_u32* a,
                                           const accord_u32* b, __m256* column) {
  ACCORD_UNROLL
  for (int k = 0; k < 8; ++k) {
    column[k] = _mm256_mul_ps(_mm256_loadu_ps(values + a[k]), _mm256_loadu_ps(values + b[k]));
  }
  accord_transpose(column);
}

#endif

/// values[c] = row[codes[c]] for the columns c of a tile; `row`: a table row of ACCORD_SYMBOLS
/// floats.
ACCORD_FUNCTION void accord_lookup_eight(const float* row, const accord_i32* codes, float* values) {
#if defined(ACCORD_SIMD_AVX512)
  const __m256i eight = _mm256_loadu_si256((const __m256i*)codes);
  _mm256_storeu_ps(values, _mm512_castps512_ps256((__m512)accord_lookup(
                               row, (accord_vi)_mm512_zextsi256_si512(eight))));
#elif defined(ACCORD_SIMD_AVX512_HALF) || defined(ACCORD_SIMD_AVX2)
  const __m256i eight = _mm256_loadu_si256((const __m256i*)codes);
  _mm256_storeu_ps(values, accord_lookup(row, (accord_vi)eight));
#else
  for (int c = 0; c < 8; ++c) values[c] = row[codes[c]];
#endif
}

/// For each lane, multiplies the ACCORD_TILE floats of `values` from place a[lane] on by those from
/// place b[lane] on. column[c] gets product c of each lane.
ACCORD_FUNCTION void accord_multiply_places(const float* values, const accord_u32* a,
                                            const accord_u32* b, accord_vf* column) {
#if defined(ACCORD_SIMD_AVX512)
  __m256 low[8], high[8];
  accord_multiply_eight(values, a, b, low);
  accord_multiply_eight(values, a + 8, b + 8, high);
  ACCORD_UNROLL
  for (int c = 0; c < 8; ++c) {
    column[c] = _mm512_castpd_ps(_mm512_insertf64x4(
        _mm512_castps_pd(_mm512_castps256_ps512(low[c])), _mm256_castps_pd(high[c]), 1));
  }
#elif defined(ACCORD_SIMD_AVX512_HALF) || defined(ACCORD_SIMD_AVX2)
  __m256 product[8];  // not in `column`, which the compiler would write and read again
  accord_multiply_eight(values, a, b, product);
  ACCORD_UNROLL
  for (int c = 0; c < 8; ++c) column[c] = product[c];
#else
  for (int lane = 0; lane < ACCORD_LANES; ++lane) {
    for (int c = 0; c < 8; ++c) column[c][lane] = values[a[lane] + c] * values[b[lane] + c];
  }
#endif
}

/// For each lane, returns the value of v in the lane `from`. If `from` is ACCORD_LANES + the number
/// of the lane, returns the value of `other` in the same lane. accord_pick does the same for
/// floats.
ACCORD_FUNCTION accord_vi accord_pick_int(accord_vi v, accord_vi from, accord_vi other) {
  return accord_as_vi(accord_pick(accord_as_vf(v), from, accord_as_vf(other)));
}
ACCORD_FUNCTION accord_vi accord_max_int(accord_vi a, accord_vi b) { return a > b ? a : b; }
ACCORD_FUNCTION accord_vi accord_min_int(accord_vi a, accord_vi b) { return a < b ? a : b; }
ACCORD_FUNCTION accord_vf accord_where_eq_int(accord_vi a, accord_vi b, accord_vf value) {
  return accord_as_vf((a == b) & accord_as_vi(value));
}
ACCORD_FUNCTION accord_vf accord_where_gt_int(accord_vi a, accord_vi b, accord_vf value) {
  return accord_as_vf((a > b) & accord_as_vi(value));
}
ACCORD_FUNCTION accord_vi accord_choose_positive(accord_vf a, accord_vi yes, accord_vi no) {
  return accord_as_vi(a) > accord_vi{} ? yes : no;  // the bits of a positive float are positive
}
ACCORD_FUNCTION accord_vi accord_choose_gt_int(accord_vi a, accord_vi b, accord_vi yes,
                                               accord_vi no) {
  return a > b ? yes : no;
}
ACCORD_FUNCTION accord_vi accord_choose_eq_int(accord_vi a, accord_vi b, accord_vi yes,
                                               accord_vi no) {
  return a == b ? yes : no;
}
ACCORD_FUNCTION int accord_any_eq_int(accord_vi a, accord_vi b) {
#if defined(ACCORD_SIMD_AVX512)
  return _mm512_cmpeq_epi32_mask((__m512i)a, (__m512i)b) != 0;
#elif defined(ACCORD_SIMD_AVX512_HALF)
  return _mm256_cmpeq_epi32_mask((__m256i)a, (__m256i)b) != 0;
#endif
  const accord_vi equal = a == b;
  accord_i32 any = 0;
  for (int lane = 0; lane < ACCORD_LANES; ++lane) any |= equal[lane];
  return any != 0;
}
ACCORD_FUNCTION int accord_all_bits(accord_vi v) {
  accord_i32 all = 0;
  for (int lane = 0; lane < ACCORD_LANES; ++lane) all |= v[lane];
  return all;
}
ACCORD_FUNCTION int accord_lowest_bit(accord_u32 mask) { return __builtin_ctz(mask); }

/// row[codes] for a table row of ACCORD_SYMBOLS ints.
ACCORD_FUNCTION accord_vi accord_lookup_int(const accord_i32* row, accord_vi codes) {
#if defined(ACCORD_SIMD_AVX512) || defined(ACCORD_SIMD_AVX512_HALF) || defined(ACCORD_SIMD_AVX2)
  return accord_as_vi(accord_lookup(reinterpret_cast<const float*>(row), codes));
#else
  accord_vi values{};
  for (int lane = 0; lane < ACCORD_LANES; ++lane) values[lane] = row[codes[lane]];
  return values;
#endif
}
/// Stores the lowest byte of each lane, as ACCORD_LANES bytes.
ACCORD_FUNCTION void accord_store_bytes(accord_u8* to, accord_vi v) {
  typedef accord_u8 bytes __attribute__((vector_size(ACCORD_LANES)));
  const bytes narrow = __builtin_convertvector(v, bytes);
  __builtin_memcpy(to, &narrow, ACCORD_LANES);
}
