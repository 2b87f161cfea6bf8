// SPDX-License-Identifier: Apache-2.0
// The peeling of likelihoods in single precision, compiled as host_isa.cpp.
#define ACCORD_SINGLE 1
#include "engine/host/isa.hpp"
#include "stages/likelihood/host_peel.hpp"

namespace accord::host {

extern const PeelKernels<float> ACCORD_OF_LIKELIHOOD_ISA(kSinglePeelKernels);
const PeelKernels<float> ACCORD_OF_LIKELIHOOD_ISA(kSinglePeelKernels) = kPeelKernels;

}  // namespace accord::host
