// SPDX-License-Identifier: Apache-2.0
// The few names that let one text be read by the OpenCL C and by the C++ compiler.
#ifndef ACCORD_SHARED_PLATFORM_H
#define ACCORD_SHARED_PLATFORM_H

#ifdef __OPENCL_VERSION__
typedef uint accord_u32;
typedef int accord_i32;
typedef uchar accord_u8;
#else
#include <stdint.h>
typedef uint32_t accord_u32;
typedef int32_t accord_i32;
typedef uint8_t accord_u8;
#endif

#endif
