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
  std::uint32_t rounds;  ///< of ACCORD_CHAIN_FMAS multiply-adds per lane
  float sum[kMaxLanes];  ///< out: the sum of the chains of each lane
};

// The kernels of the aligner's stages. A file *_kernels.hpp in the folder of a stage defines the
// kernels of the stage. A stage of another library chooses its kernels by Kernels::instructions.
struct PosteriorKernels;
struct ConsistencyKernels;
struct NeighborJoiningKernels;
struct LocalKernels;

/// The instruction sets that kernels are compiled for.
enum class InstructionSet { generic, avx2, avx512 };

/// The host's kernels compiled for one instruction set.
struct Kernels {
  const char* name;  ///< "avx512", "avx512_half" (half of each register), "avx2", "generic"
  InstructionSet instructions;
  std::uint32_t lanes;  ///< pairs that a task computes side by side
  bool fuses;           ///< the kernels use fused multiply-adds of the processor
  void (*run_fma_chains)(FmaChains& chains);  ///< computes the chains and sets chains.sum
  const PosteriorKernels* posteriors;
  const ConsistencyKernels* consistency;
  const NeighborJoiningKernels* neighbor_joining;
  const LocalKernels* local_pairs;
};

/// The kernels that this build has and this processor can run, the fastest first; never empty. All
/// give the same bits. A process measures once whether vectors of 512 bits are faster than those of
/// 256.
std::vector<const Kernels*> available_kernels();

/// The kernels that the stages of the host use.
struct Processor {
  const Kernels* wide;    ///< for all tasks that `narrow` does not compute
  const Kernels* narrow;  ///< with narrower vectors, for tasks with few pairs; null: none
};

}  // namespace accord::host
