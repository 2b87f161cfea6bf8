// SPDX-License-Identifier: Apache-2.0
// The peak arithmetic of a device: independent chains of fused multiply-adds. There are more chains
// than a processor has multiply-adds in flight (2 begin per cycle and take 4 cycles), but no more
// than fit into the 16 vector registers of AVX2 with the two constants.
#ifndef ACCORD_KERNELS_SHARED_PEAK_H
#define ACCORD_KERNELS_SHARED_PEAK_H
#include "shared/layout.h"
#include "shared/vector.h"

// One multiply-add of each of the 12 chains.
#define ACCORD_CHAINS_STEP                                                         \
  c0 = accord_fma(c0, a, b), c1 = accord_fma(c1, a, b), c2 = accord_fma(c2, a, b), \
  c3 = accord_fma(c3, a, b), c4 = accord_fma(c4, a, b), c5 = accord_fma(c5, a, b), \
  c6 = accord_fma(c6, a, b), c7 = accord_fma(c7, a, b), c8 = accord_fma(c8, a, b), \
  c9 = accord_fma(c9, a, b), c10 = accord_fma(c10, a, b), c11 = accord_fma(c11, a, b)

// The sum of the chains; chain c begins at start + c. The lanes of `start` must differ, or a
// compiler might compute one lane for all.
// Cost  rounds * ACCORD_CHAIN_FMAS fused multiply-adds per lane.
ACCORD_FUNCTION accord_vf accord_fma_chains(accord_vf start, float factor, float addend,
                                            accord_u32 rounds) {
  const accord_vf a = accord_set(factor), b = accord_set(addend), one = accord_set(1.0f);
  accord_vf c0 = start, c1 = c0 + one, c2 = c1 + one, c3 = c2 + one, c4 = c3 + one, c5 = c4 + one;
  accord_vf c6 = c5 + one, c7 = c6 + one, c8 = c7 + one, c9 = c8 + one, c10 = c9 + one;
  accord_vf c11 = c10 + one;
  for (accord_u32 round = 0; round < rounds; ++round) {
    ACCORD_UNROLL
    for (int step = 0; step < ACCORD_CHAIN_STEPS; ++step) ACCORD_CHAINS_STEP;
  }
  return ((c0 + c1) + (c2 + c3)) + ((c4 + c5) + (c6 + c7)) + ((c8 + c9) + (c10 + c11));
}

#endif
