// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

#include "shared/layout.h"

namespace accord::host {

/// The most lanes that any instruction set uses.
inline constexpr std::uint32_t kMaxLanes = 16;

/// Chains of fused multiply-adds, to measure the peak rate (see shared/peak.h).
struct FmaChains {
  float start[kMaxLanes];  ///< of each lane; a kernel with fewer lanes uses the first ones
  float factor = ACCORD_CHAIN_FACTOR, addend = ACCORD_CHAIN_ADDEND;
  std::uint32_t rounds;
  float sum[kMaxLanes];  ///< out
};

// The kernels of the stages, each defined in a file *_kernels.hpp of the folder of its stage.
struct PosteriorKernels;
struct ConsistencyKernels;
struct NeighborJoiningKernels;
struct LikelihoodKernels;
struct QuartetKernels;
struct LocalKernels;

/// The host's kernels compiled for one instruction set.
struct Kernels {
  const char* name;     ///< "avx512", "avx512_half" (half of each register), "avx2", "generic"
  std::uint32_t lanes;  ///< pairs that a task computes side by side
  bool fuses;           ///< the processor has fused multiply-adds for them
  void (*run_fma_chains)(FmaChains& chains);
  const PosteriorKernels* posteriors;
  const ConsistencyKernels* consistency;
  const NeighborJoiningKernels* neighbor_joining;
  const LikelihoodKernels* likelihood;
  const QuartetKernels* local_fit;
  const LocalKernels* local_pairs;
};

/// The kernels that this build has and this processor can run, the fastest first; never empty. All
/// give the same bits. A process measures once whether vectors of 512 bits are faster than those of
/// 256.
std::vector<const Kernels*> available_kernels();

}  // namespace accord::host
