// SPDX-License-Identifier: Apache-2.0
// Vectors of lanes, and their operations for the recursions. Every operation acts on each lane
// alone and is correctly rounded, so that the bits of a lane do not depend on the number of lanes.
//
// In OpenCL C they are the built-in vector types. In C++ the including file defines them for one
// instruction set (engine/host/simd.hpp). accord_as_vi(v) and accord_as_vf(v) give the bits of each
// lane as an int and as a float.
#ifndef ACCORD_KERNELS_SHARED_VECTOR_H
#define ACCORD_KERNELS_SHARED_VECTOR_H
#include "shared/platform.h"

#ifdef __OPENCL_C_VERSION__

#if !defined(ACCORD_LANES)
#error build with -DACCORD_LANES=n, n one of 1 4 8 16
#elif ACCORD_LANES == 1
typedef float accord_vf;
typedef int accord_vi;
#define accord_as_vi as_int
#define accord_as_vf as_float
#elif ACCORD_LANES == 4
typedef float4 accord_vf;
typedef int4 accord_vi;
#define accord_as_vi as_int4
#define accord_as_vf as_float4
#elif ACCORD_LANES == 8
typedef float8 accord_vf;
typedef int8 accord_vi;
#define accord_as_vi as_int8
#define accord_as_vf as_float8
#else
typedef float16 accord_vf;
typedef int16 accord_vi;
#define accord_as_vi as_int16
#define accord_as_vf as_float16
#endif

// the same value in every lane
ACCORD_FUNCTION accord_vf accord_set(float value) { return (accord_vf)(value); }
ACCORD_FUNCTION accord_vi accord_set_int(int value) { return (accord_vi)(value); }
// a * b + c, rounded once
ACCORD_FUNCTION accord_vf accord_fma(accord_vf a, accord_vf b, accord_vf c) { return fma(a, b, c); }
// The larger and the smaller value. fmax and max are the same for numbers; a GPU has an
// instruction for fmax, a CPU for max.
#if ACCORD_LANES == 1
ACCORD_FUNCTION accord_vf accord_max(accord_vf a, accord_vf b) { return fmax(a, b); }
ACCORD_FUNCTION accord_vf accord_min(accord_vf a, accord_vf b) { return fmin(a, b); }
#else
ACCORD_FUNCTION accord_vf accord_max(accord_vf a, accord_vf b) { return max(a, b); }
ACCORD_FUNCTION accord_vf accord_min(accord_vf a, accord_vf b) { return min(a, b); }
#endif
ACCORD_FUNCTION accord_vi accord_max_int(accord_vi a, accord_vi b) { return max(a, b); }
ACCORD_FUNCTION accord_vi accord_min_int(accord_vi a, accord_vi b) { return min(a, b); }
// value where a >= b, else 0
ACCORD_FUNCTION accord_vf accord_where_ge(accord_vf a, accord_vf b, accord_vf value) {
  return select((accord_vf)(0.0f), value, a >= b);
}
// value where a == b, else 0
ACCORD_FUNCTION accord_vf accord_where_eq_int(accord_vi a, accord_vi b, accord_vf value) {
  return select((accord_vf)(0.0f), value, a == b);
}
// value where a > b, else 0
ACCORD_FUNCTION accord_vf accord_where_gt_int(accord_vi a, accord_vi b, accord_vf value) {
  return select((accord_vf)(0.0f), value, a > b);
}
// yes where a > 0, else no
ACCORD_FUNCTION accord_vi accord_choose_positive(accord_vf a, accord_vi yes, accord_vi no) {
  return select(no, yes, a > (accord_vf)(0.0f));
}
// yes where a > b, else no
ACCORD_FUNCTION accord_vi accord_choose_gt_int(accord_vi a, accord_vi b, accord_vi yes,
                                               accord_vi no) {
  return select(no, yes, a > b);
}
// yes where a == b, else no
ACCORD_FUNCTION accord_vi accord_choose_eq_int(accord_vi a, accord_vi b, accord_vi yes,
                                               accord_vi no) {
  return select(no, yes, a == b);
}
// lane `lane` of a vector, as a variable
#define accord_lane(v, lane) (((float*)&(v))[lane])
#define accord_lane_int(v, lane) (((int*)&(v))[lane])
// row[codes] for a table row of ACCORD_SYMBOLS floats
ACCORD_FUNCTION accord_vf accord_lookup(ACCORD_CONSTANT const float* row, accord_vi codes) {
  accord_vf values;
  for (int lane = 0; lane < ACCORD_LANES; ++lane) {
    accord_lane(values, lane) = row[accord_lane_int(codes, lane)];
  }
  return values;
}
// accord_lookup for codes below ACCORD_CONTEXTS
#define accord_lookup_context accord_lookup
// accord_lookup for a row of ints
ACCORD_FUNCTION accord_vi accord_lookup_int(ACCORD_CONSTANT const int* row, accord_vi codes) {
  accord_vi values;
  for (int lane = 0; lane < ACCORD_LANES; ++lane) {
    accord_lane_int(values, lane) = row[accord_lane_int(codes, lane)];
  }
  return values;
}
// stores the lowest byte of each lane: ACCORD_LANES bytes at `to`
ACCORD_FUNCTION void accord_store_bytes(ACCORD_GLOBAL accord_u8* to, accord_vi v) {
  for (int lane = 0; lane < ACCORD_LANES; ++lane) {
    to[lane] = (accord_u8)accord_lane_int(v, lane);
  }
}
// bit k is set if a >= b in lane k
ACCORD_FUNCTION accord_u32 accord_mask_ge(accord_vf a, accord_vf b) {
#if ACCORD_LANES == 1
  return a >= b;
#else
  accord_u32 mask = 0;
  if (any(a >= b)) {
    for (int lane = 0; lane < ACCORD_LANES; ++lane) {
      mask |= (accord_lane(a, lane) >= accord_lane(b, lane) ? 1u : 0u) << lane;
    }
  }
  return mask;
#endif
}
// nonzero if a == b in any lane
ACCORD_FUNCTION int accord_any_eq_int(accord_vi a, accord_vi b) {
#if ACCORD_LANES == 1
  return a == b;
#else
  return any(a == b);
#endif
}
// the bits that are set in any lane
ACCORD_FUNCTION int accord_all_bits(accord_vi v) {
#if ACCORD_LANES == 1
  return v;
#else
  int all = 0;
  for (int lane = 0; lane < ACCORD_LANES; ++lane) all |= accord_lane_int(v, lane);
  return all;
#endif
}
// number of the lowest bit of `mask` that is set, from 0; `mask` is not 0
ACCORD_FUNCTION int accord_lowest_bit(accord_u32 mask) {
  return 31 - (int)clz(mask & (~mask + 1u));
}
// every lane of an integer vector, shifted by `bits` bits
#define ACCORD_SHIFT_LEFT(v, bits) ((v) << (bits))
#define ACCORD_SHIFT_RIGHT(v, bits) ((v) >> (bits))

#endif
#endif
