// SPDX-License-Identifier: Apache-2.0
// Measures the peak of the device in double precision (`accord_bench`): chains of fused
// multiply-adds, as in shared/peak.h. Likelihoods alone may use doubles (arithmetic contract, on
// devices that have them); this is the peak that their speed is compared with.
#include "shared/layout.h"

__kernel void peak_fma_of_doubles(__global const double* start, __global double* sums,
                                  double factor, double addend, uint rounds) {
  double chain[ACCORD_CHAINS];
  ACCORD_UNROLL
  for (uint c = 0; c < ACCORD_CHAINS; ++c) chain[c] = start[0] + c;
  for (uint round = 0; round < rounds; ++round) {
    ACCORD_UNROLL
    for (uint step = 0; step < ACCORD_CHAIN_STEPS; ++step) {
      ACCORD_UNROLL
      for (uint c = 0; c < ACCORD_CHAINS; ++c) chain[c] = fma(chain[c], factor, addend);
    }
  }
  double sum = 0;
  ACCORD_UNROLL
  for (uint c = 0; c < ACCORD_CHAINS; ++c) sum += chain[c];
  sums[get_global_id(0)] = sum;
}
