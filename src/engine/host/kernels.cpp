// SPDX-License-Identifier: Apache-2.0
#include "engine/host/kernels.hpp"

#include <utility>

#ifdef ACCORD_X86_KERNELS
#include "base/timer.hpp"
#endif

namespace accord::host {

extern const Kernels kKernelsGeneric;
#ifdef ACCORD_X86_KERNELS
extern const Kernels kKernelsAvx2;
extern const Kernels kKernelsAvx512;
extern const Kernels kKernelsAvx512Half;
#endif

#ifdef ACCORD_X86_KERNELS
namespace {

/// The number of fused multiply-adds of single lanes a second, up to a constant factor.
double lane_rate(const Kernels& kernels) {
  FmaChains chains{};
  chains.rounds = 1 << 8;
  constexpr int kRepeats = 8;
  return kernels.lanes / fastest(kRepeats, [&] { kernels.run_fma_chains(chains); });
}

/// Whether vectors of 512 bits compute more than those of 256. Processors that split wide vectors
/// (AMD's Zen 4), or have a single unit for them, compute no more with them, and their caches must
/// hold twice as many pairs: with 8 lanes a pair of 500 x 500 residues took 0.7 of the time with
/// 16.
bool wide_vectors_pay() {
  static const bool pays = lane_rate(kKernelsAvx512) > 1.5 * lane_rate(kKernelsAvx512Half);
  return pays;
}

}  // namespace
#endif

std::vector<const Kernels*> available_kernels() {
  std::vector<const Kernels*> kernels;
#ifdef ACCORD_X86_KERNELS
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw")) {
    kernels = {&kKernelsAvx512, &kKernelsAvx512Half};
    if (!wide_vectors_pay()) std::swap(kernels[0], kernels[1]);
  }
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
    kernels.push_back(&kKernelsAvx2);
  }
#endif
  kernels.push_back(&kKernelsGeneric);
  return kernels;
}

}  // namespace accord::host
