// SPDX-License-Identifier: Apache-2.0
// Neighbour joining for one instruction set; see engine/host/isa.hpp.
#include "engine/host/isa.hpp"
#include "neighbor_joining/join.h"
#include "stages/neighbor_joining/neighbor_joining_host_kernels.hpp"

namespace accord::host {
namespace {

void scan_row(TriangleRow& row) {
  const std::int32_t* const distance = row.distance;
  const std::int64_t* const sum = row.sum;
  const std::int32_t* const reference = row.reference;
  const std::int32_t factor = row.factor;
  std::int64_t least = ACCORD_NJ_NO_VALUE;
  std::int32_t low = 0x7fffffff;
  for (std::uint32_t j = 0; j < row.count; ++j) {
    const std::int64_t value = accord_nj_value(factor, distance[j], sum[j]);
    least = value < least ? value : least;
    const std::int32_t above = distance[j] - reference[j];
    low = above < low ? above : low;
  }
  row.least = least;
  row.low = low;
}

}  // namespace

extern const NeighborJoiningKernels ACCORD_OF_ISA(kNeighborJoiningKernels);
const NeighborJoiningKernels ACCORD_OF_ISA(kNeighborJoiningKernels) = {scan_row};

}  // namespace accord::host
