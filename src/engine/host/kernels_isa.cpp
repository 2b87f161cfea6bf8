// SPDX-License-Identifier: Apache-2.0
// The host's kernels for one instruction set; see engine/host/isa.hpp.
#include "engine/host/isa.hpp"
#include "engine/host/kernels.hpp"
#include "engine/host/simd.hpp"
// The shared text reads the vector names that simd.hpp has defined.
#include "shared/peak.h"

namespace accord::host {
namespace {

#if defined(__FMA__) || defined(__ARM_FEATURE_FMA)
constexpr bool kFuses = true;
#else
constexpr bool kFuses = false;
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
extern const LikelihoodKernels ACCORD_OF_LIKELIHOOD_ISA(kLikelihoodKernels);
extern const QuartetKernels ACCORD_OF_LIKELIHOOD_ISA(kQuartetKernels);
extern const LocalKernels ACCORD_OF_ISA(kLocalKernels);

extern const Kernels ACCORD_OF_ISA(kKernels);
const Kernels ACCORD_OF_ISA(kKernels) = {ACCORD_KERNELS_NAME,
                                         ACCORD_LANES,
                                         kFuses,
                                         run_fma_chains,
                                         &ACCORD_OF_ISA(kPosteriorKernels),
                                         &ACCORD_OF_ISA(kConsistencyKernels),
                                         &ACCORD_OF_ISA(kNeighborJoiningKernels),
                                         &ACCORD_OF_LIKELIHOOD_ISA(kLikelihoodKernels),
                                         &ACCORD_OF_LIKELIHOOD_ISA(kQuartetKernels),
                                         &ACCORD_OF_ISA(kLocalKernels)};

}  // namespace accord::host
