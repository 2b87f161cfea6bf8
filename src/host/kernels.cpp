// SPDX-License-Identifier: Apache-2.0
#include "accord/host/kernels.hpp"

namespace accord::host {

extern const Kernels kKernelsGeneric;
#ifdef ACCORD_X86_KERNELS
extern const Kernels kKernelsAvx2;
extern const Kernels kKernelsAvx512;
extern const Kernels kKernelsAvx512Half;
#endif

std::vector<const Kernels*> available_kernels() {
  std::vector<const Kernels*> kernels;
#ifdef ACCORD_X86_KERNELS
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw")) {
    kernels.push_back(&kKernelsAvx512);
    kernels.push_back(&kKernelsAvx512Half);
  }
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
    kernels.push_back(&kKernelsAvx2);
  }
#endif
  kernels.push_back(&kKernelsGeneric);
  return kernels;
}

}  // namespace accord::host
