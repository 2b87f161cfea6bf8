// SPDX-License-Identifier: Apache-2.0
#include "phylogeny/local_fit/quartet_kernels.hpp"

#include <cstddef>

namespace accord::host {

extern const QuartetKernels kQuartetKernelsGeneric;
#ifdef ACCORD_X86_KERNELS
extern const QuartetKernels kQuartetKernelsAvx2;
extern const QuartetKernels kQuartetKernelsAvx512;
#endif

const QuartetKernels& quartet_kernels(const Kernels& of) {
  // In the order of InstructionSet.
  static constexpr const QuartetKernels* kOfSet[] = {&kQuartetKernelsGeneric,
#ifdef ACCORD_X86_KERNELS
                                                     &kQuartetKernelsAvx2, &kQuartetKernelsAvx512
#endif
  };
  return *kOfSet[static_cast<std::size_t>(of.instructions)];
}

}  // namespace accord::host
