// SPDX-License-Identifier: Apache-2.0
// Names with which the OpenCL C and the C++ compiler can read one text.
//
// Scalars: accord_u8, accord_u32, accord_i32, accord_u64, accord_i64.
// Pointers: ACCORD_GLOBAL marks data in global memory; ACCORD_CONSTANT marks data there that
// kernels only read.
// Functions: ACCORD_FUNCTION begins the definition of a function, which is always inlined.
// ACCORD_UNROLL before a loop unrolls the loop; ACCORD_UNROLL_4 and ACCORD_NO_UNROLL, in OpenCL C
// only, unroll it four times and not at all. accord_fma_scalar(a, b, c) is a * b + c, rounded once.
// Vectors: accord_vf and accord_vi hold one float or int for each of the ACCORD_LANES pairs that
// are computed side by side; with ACCORD_LANES == 1 they are scalars. A file that uses them
// includes shared/vector.h after ACCORD_LANES is defined.
#ifndef ACCORD_KERNELS_SHARED_PLATFORM_H
#define ACCORD_KERNELS_SHARED_PLATFORM_H

#ifdef __OPENCL_C_VERSION__

// The compiler must not turn a * b + c into an fma (the host: -ffp-contract=off). This holds from
// here to the end of the program text, so for every kernel and every shared header.
#pragma OPENCL FP_CONTRACT OFF

typedef uchar accord_u8;
typedef int accord_i32;
typedef uint accord_u32;
typedef ulong accord_u64;
typedef long accord_i64;
#define ACCORD_GLOBAL __global
#define ACCORD_CONSTANT __global
// PoCL 3.1 crashes on a function that gets local memory and is not inlined.
#define ACCORD_FUNCTION static inline __attribute__((always_inline))
#define ACCORD_UNROLL _Pragma("unroll")
#define ACCORD_NO_UNROLL _Pragma("unroll 1")
#define ACCORD_UNROLL_4 _Pragma("unroll 4")
#define accord_fma_scalar(a, b, c) fma(a, b, c)

#else

#include <stdint.h>
typedef uint8_t accord_u8;
typedef int32_t accord_i32;
typedef uint32_t accord_u32;
typedef uint64_t accord_u64;
typedef int64_t accord_i64;
#ifdef __clang__
#define ACCORD_UNROLL _Pragma("unroll")
#else
#define ACCORD_UNROLL _Pragma("GCC unroll 8")
#endif
#define ACCORD_GLOBAL
#define ACCORD_CONSTANT
#define accord_fma_scalar(a, b, c) __builtin_fmaf(a, b, c)
#define ACCORD_FUNCTION static inline __attribute__((always_inline, unused))

#endif

// The bits of a float.
typedef union accord_float_bits {
  float f;
  accord_u32 u;
} accord_float_bits;

#endif
