// SPDX-License-Identifier: Apache-2.0
#include "engine/host/host_backend.hpp"

#include "base/parallel.hpp"
#include "base/text.hpp"

namespace accord {
namespace {

/// The kernels for tasks with few pairs: those of the next narrower vectors. A vector half as wide
/// does half of the work, and fewer lanes are idle: full-length BAliBASE families of up to 64
/// sequences left 58 % of 16 lanes idle. Fused multiply-adds in software are too slow for that.
const host::Kernels* narrower(const host::Kernels& wide) {
  for (const host::Kernels* kernels : host::available_kernels()) {
    if (kernels->lanes < wide.lanes && kernels->fuses) return kernels;
  }
  return nullptr;
}

}  // namespace

HostBackend::HostBackend(const host::Kernels* kernels)
    : processor_{kernels ? kernels : host::available_kernels().front(), nullptr} {
  if (!kernels) processor_.narrow = narrower(*processor_.wide);
}

std::string HostBackend::name() const {
  return "host (" + std::string(processor_.wide->name) + ", " + counted(thread_count(), "thread") +
         ")";
}

void HostBackend::compute(const StageCall& call, std::uint32_t) {
  call.visit([&](const auto& of_stage) { host::compute(processor_, of_stage); });
}

}  // namespace accord
