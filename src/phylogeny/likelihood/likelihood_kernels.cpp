// SPDX-License-Identifier: Apache-2.0
#include <cstddef>

#include "phylogeny/likelihood/likelihood_block.hpp"

namespace accord::host {

extern const LikelihoodKernels kLikelihoodKernelsGeneric;
#ifdef ACCORD_X86_KERNELS
extern const LikelihoodKernels kLikelihoodKernelsAvx2;
extern const LikelihoodKernels kLikelihoodKernelsAvx512;
#endif

const LikelihoodKernels& likelihood_kernels(const Kernels& kernels) {
  // In the order of InstructionSet.
  static constexpr const LikelihoodKernels* kBySet[] = {&kLikelihoodKernelsGeneric,
#ifdef ACCORD_X86_KERNELS
                                                        &kLikelihoodKernelsAvx2,
                                                        &kLikelihoodKernelsAvx512
#endif
  };
  return *kBySet[static_cast<std::size_t>(kernels.instructions)];
}

}  // namespace accord::host
