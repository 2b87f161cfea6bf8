// SPDX-License-Identifier: Apache-2.0
// Local alignments for one instruction set; see engine/host/isa.hpp.
#include "engine/host/isa.hpp"
#include "engine/host/simd.hpp"
#include "stages/local_pairs/local_pairs_host_kernels.hpp"
// The shared text reads the vector names that simd.hpp has defined.
#include "local_pairs/task.h"

namespace accord::host {
namespace {

void run_local_task(LocalTask& task) {
  accord_local_input in;
  accord_local_found found[ACCORD_LANES];
  for (int lane = 0; lane < ACCORD_LANES; ++lane) {
    const bool used = static_cast<std::uint32_t>(lane) < task.count;
    in.x[lane] = used ? task.x[lane] : task.x[0];
    in.m[lane] = used ? static_cast<int>(task.m[lane]) : 0;
    found[lane].segments = used ? task.segments[lane] : nullptr;
  }
  in.y = task.y;
  in.m_longest = in.m[0];
  in.n = static_cast<int>(task.n);
  in.scores = task.scores;
  accord_local_task(&in, task.plan, static_cast<accord_vi*>(task.memory), found);
  for (std::uint32_t lane = 0; lane < task.count; ++lane) {
    task.found[lane] = found[lane].count;
    task.score[lane] = found[lane].best;
  }
}

}  // namespace

extern const LocalKernels ACCORD_OF_ISA(kLocalKernels);
const LocalKernels ACCORD_OF_ISA(kLocalKernels) = {run_local_task};

}  // namespace accord::host
