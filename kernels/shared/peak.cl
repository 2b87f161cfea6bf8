// SPDX-License-Identifier: Apache-2.0
// Measures the peak of a device (`accord_bench`): copying memory, and fused multiply-adds.
#include "shared/peak.h"

__kernel void peak_copy(__global const uint4* from, __global uint4* to, uint count) {
  const uint i = (uint)get_global_id(0);
  if (i < count) to[i] = from[i];
}

// `start`, and each item's part of `sums`, have ACCORD_LANES values.
__kernel void peak_fma(__global const accord_vf* start, __global accord_vf* sums, float factor,
                       float addend, uint rounds) {
  sums[get_global_id(0)] = accord_fma_chains(start[0], factor, addend, rounds);
}
