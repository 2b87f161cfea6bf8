// SPDX-License-Identifier: Apache-2.0
// The host's kernels for one instruction set; see engine/host/isa.hpp.
#include "engine/host/isa.hpp"
#include "engine/host/kernels.hpp"
#include "engine/host/simd.hpp"
// The shared text reads the vector names that simd.hpp has defined.
#include "shared/peak.h"

namespace accord::host {
namespace {

#if defined(ACCORD_SIMD_AVX512) || defined(ACCORD_SIMD_AVX512_HALF)
constexpr InstructionSet kInstructions = InstructionSet::avx512;
#elif defined(ACCORD_SIMD_AVX2)
constexpr InstructionSet kInstructions = InstructionSet::avx2;
#else
constexpr InstructionSet kInstructions = InstructionSet::generic;
#endif

void run_fma_chains(FmaChains& chains) {
  accord_vf start = accord_set(0.0f);
  for (int lane = 0; lane < ACCORD_LANES; ++lane) start[lane] = chains.start[lane];
  const accord_vf sum = accord_fma_chains(start, chains.factor, chains.addend, chains.rounds);
  for (int lane = 0; lane < ACCORD_LANES; ++lane) chains.sum[lane] = sum[lane];
}

}  // namespace

// The kernels of the stages, each defined in *_host_isa.cpp of the folder of its stage.
extern const PosteriorKernels ACCORD_OF_ISA(kPosteriorKernels);
extern const ConsistencyKernels ACCORD_OF_ISA(kConsistencyKernels);
extern const NeighborJoiningKernels ACCORD_OF_ISA(kNeighborJoiningKernels);
extern const LocalKernels ACCORD_OF_ISA(kLocalKernels);

extern const Kernels ACCORD_OF_ISA(kKernels);
const Kernels ACCORD_OF_ISA(kKernels) = {ACCORD_KERNELS_NAME,
                                         kInstructions,
                                         ACCORD_LANES,
                                         ACCORD_FUSES,
                                         run_fma_chains,
                                         &ACCORD_OF_ISA(kPosteriorKernels),
                                         &ACCORD_OF_ISA(kConsistencyKernels),
                                         &ACCORD_OF_ISA(kNeighborJoiningKernels),
                                         &ACCORD_OF_ISA(kLocalKernels)};

}  // namespace accord::host
