// SPDX-License-Identifier: Apache-2.0
// The posteriors for one instruction set; see engine/host/isa.hpp.
#include "engine/host/isa.hpp"
#include "engine/host/simd.hpp"
#include "stages/posteriors/posterior_host_kernels.hpp"
// The shared text reads the vector names that simd.hpp has defined.
#include "posteriors/lanes_task.h"
#include "stages/posteriors/wavefront_task.h"

namespace accord::host {
namespace {

/// The inputs of a posterior task, and where its results go.
struct PosteriorLanes {
  accord_lanes_input in;
  accord_lanes_output out;

  explicit PosteriorLanes(const LanesTask& task) {
    in.m = accord_set_int(0);
    in.m_longest = 0;
    in.m_shortest = 0x7fffffff;
    for (int lane = 0; lane < ACCORD_LANES; ++lane) {
      const bool used = static_cast<std::uint32_t>(lane) < task.count;
      in.x[lane] = used ? task.x[lane] : task.x[0];
      out.cells[lane] = task.cells + (used ? static_cast<std::uint64_t>(lane) * task.capacity : 0);
      out.count[lane] = 0;
      if (!used) continue;
      const int m = static_cast<int>(task.m[lane]);
      in.m[lane] = m;
      in.m_longest = m > in.m_longest ? m : in.m_longest;
      in.m_shortest = m < in.m_shortest ? m : in.m_shortest;
    }
    in.y = task.y;
    in.n = static_cast<int>(task.n);
    in.tell = task.tell;
    in.listener = task.listener;
    out.capacity = task.capacity;
  }

  void leave_counts(LanesTask& task) const {
    for (std::uint32_t lane = 0; lane < task.count; ++lane) task.found[lane] = out.count[lane];
  }
};

void run_lanes_task(LanesTask& task) {
  PosteriorLanes lanes(task);
  const accord_workspace plan =
      accord_plan_workspace(static_cast<accord_u32>(lanes.in.m_longest), task.n, task.band_columns);
  accord_lanes_task(&lanes.in, &plan, task.model, static_cast<accord_vf*>(task.memory), &lanes.out);
  lanes.leave_counts(task);
}

void run_wavefront_task(LanesTask& task) {
  PosteriorLanes lanes(task);
  const accord_wavefront_workspace plan =
      accord_plan_wavefront(static_cast<accord_u32>(lanes.in.m_longest), task.n, task.count,
                            task.band_columns / (ACCORD_LANES * ACCORD_TILE), ACCORD_LANES);
  accord_wavefront_task(&lanes.in, &plan, task.model, static_cast<accord_vf*>(task.memory),
                        &lanes.out);
  lanes.leave_counts(task);
}

}  // namespace

extern const PosteriorKernels ACCORD_OF_ISA(kPosteriorKernels);
const PosteriorKernels ACCORD_OF_ISA(kPosteriorKernels) = {run_lanes_task, run_wavefront_task};

}  // namespace accord::host
