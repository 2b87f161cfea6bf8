// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "engine/host/kernels.hpp"
#include "local_pairs/local_layout.h"

namespace accord::host {

/// One task of local alignments in memory: y against `count` x's (see local_pairs/task.h).
struct LocalTask {
  const std::uint8_t* x[kMaxLanes];  ///< residue codes; the first `count` are set
  std::uint32_t m[kMaxLanes];        ///< lengths of the x's in residues, the longest first
  std::uint32_t count;               ///< at most the lanes of the kernel
  const std::uint8_t* y;             ///< residue codes
  std::uint32_t n;                   ///< length of y in residues
  const accord_local_scores* scores;
  accord_local_plan plan;
  void* memory;                               ///< accord_local_bytes() of the plan, 64-byte aligned
  accord_local_segment* segments[kMaxLanes];  ///< out: room for n each; the last segment first
  std::uint32_t found[kMaxLanes];             ///< out: the number of segments of each x
  std::int32_t score[kMaxLanes];              ///< out: the score of the best alignment of each x
};

/// The arithmetic of local alignments, compiled for one instruction set. All give the same bits.
struct LocalKernels {
  void (*run_lanes)(LocalTask& task);  ///< sets the fields of the task that are marked "out"
};

}  // namespace accord::host
