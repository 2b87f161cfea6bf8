// SPDX-License-Identifier: Apache-2.0
// The peeling of likelihoods in single precision, compiled as likelihood_isa.cpp.
#define ACCORD_SINGLE 1
#include "engine/host/isa.hpp"
#include "phylogeny/likelihood/likelihood_peel.hpp"

namespace accord::host {

extern const PeelKernels<float> ACCORD_OF_ISA(kSinglePeelKernels);
const PeelKernels<float> ACCORD_OF_ISA(kSinglePeelKernels) = kPeelKernels;

}  // namespace accord::host
