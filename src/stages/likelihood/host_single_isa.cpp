// SPDX-License-Identifier: Apache-2.0
// The peeling of likelihoods in single precision, compiled as likelihood_isa.cpp.
#define ACCORD_SINGLE 1
#include "stages/likelihood/host_peel.hpp"

namespace accord::host {

extern const PeelKernels<float> ACCORD_SINGLE_PEEL_KERNELS;
const PeelKernels<float> ACCORD_SINGLE_PEEL_KERNELS = kPeelKernels;

}  // namespace accord::host
