// SPDX-License-Identifier: Apache-2.0
// The host kernels for one instruction set. CMake compiles this file once for each, with
// ACCORD_KERNELS the name of the table entry and the set's own flags; it must not use
// anything from the C++ library, whose inline functions the linker might share with others.
#include "accord/host/kernels.hpp"
#include "accord/host/simd.hpp"
// The shared text reads the vector names that simd.hpp has defined.
#include "shared/consistency.h"
#include "shared/lanes_task.h"
#include "shared/neighbor_joining.h"

namespace accord::host {
namespace {

void run_lanes_task(LanesTask& task) {
  accord_lanes_input in;
  accord_lanes_output out;
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
  out.capacity = task.capacity;
  const accord_workspace plan =
      accord_plan_workspace(static_cast<accord_u32>(in.m_longest), task.n, task.band_columns);
  accord_lanes_task(&in, &plan, task.model, static_cast<accord_vf*>(task.memory), &out);
  for (std::uint32_t lane = 0; lane < task.count; ++lane) task.found[lane] = out.count[lane];
}

void relax_row(const RelaxRow& row) {
  // Four cells side by side: each is one chain of fused multiply-adds in a fixed order, so their
  // latency hides only behind other cells.
  constexpr std::uint32_t kChains = 4;
  for (std::uint32_t first = 0; first < row.cells; first += kChains) {
    const std::uint32_t chains = row.cells - first < kChains ? row.cells - first : kChains;
    std::uint32_t at[kChains], end[kChains], shortest = 0xffffffffu;
    float sum[kChains] = {0, 0, 0, 0};
    for (std::uint32_t c = 0; c < kChains; ++c) {
      const std::uint32_t j = row.column[first + (c < chains ? c : 0)];
      at[c] = row.y_begin[j];
      end[c] = row.y_begin[j + 1];
      sum[c] = accord_relax_start(row.self, row.units[first + (c < chains ? c : 0)]);
      shortest = end[c] - at[c] < shortest ? end[c] - at[c] : shortest;
    }
    for (std::uint32_t t = 0; t < shortest; ++t) {
      for (std::uint32_t c = 0; c < kChains; ++c) {
        sum[c] = accord_relax_add(sum[c], row.weighted[row.y_index[at[c] + t]],
                                  row.y_value[at[c] + t]);
      }
    }
    for (std::uint32_t c = 0; c < chains; ++c) {
      for (std::uint32_t t = at[c] + shortest; t < end[c]; ++t) {
        sum[c] = accord_relax_add(sum[c], row.weighted[row.y_index[t]], row.y_value[t]);
      }
      row.units[first + c] = accord_relax_finish(sum[c], row.inverse_total, row.cutoff);
    }
  }
}

void scan_join_row(JoinRow& row) {
  const std::int32_t* const distance = row.distance;
  const std::int64_t* const sum = row.sum;
  const std::int32_t* const reference = row.reference;
  const std::int32_t factor = row.factor;
  std::int64_t least = ACCORD_JOIN_NO_VALUE;
  std::int32_t low = 0x7fffffff;
  for (std::uint32_t j = 0; j < row.count; ++j) {
    const std::int64_t value = accord_join_value(factor, distance[j], sum[j]);
    least = value < least ? value : least;
    const std::int32_t above = distance[j] - reference[j];
    low = above < low ? above : low;
  }
  row.least = least;
  row.low = low;
}

}  // namespace

extern const Kernels ACCORD_KERNELS;
const Kernels ACCORD_KERNELS = {ACCORD_KERNELS_NAME, ACCORD_LANES, run_lanes_task, relax_row,
                                scan_join_row};

}  // namespace accord::host
