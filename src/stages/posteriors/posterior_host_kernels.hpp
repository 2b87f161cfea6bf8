// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "engine/host/kernels.hpp"
#include "shared/layout.h"

namespace accord::host {

/// One posterior task in memory: y against `count` x's (see posteriors/lanes_task.h and
/// stages/posteriors/wavefront_task.h).
struct LanesTask {
  const std::uint8_t* x[kMaxLanes];  ///< residue codes; the first `count` are set
  std::uint32_t m[kMaxLanes];        ///< their lengths, in residues
  std::uint32_t count;               ///< at most the lanes of the kernel
  const std::uint8_t* y;             ///< residue codes
  std::uint32_t n;                   ///< length of y, in residues
  /// Width of a band in columns; 0: a single band. In the wavefront layout, the columns of all
  /// pairs count, one pair after another, and the width is a multiple of 8 times the lanes.
  std::uint32_t band_columns;
  const accord_model* model;
  void* memory;        ///< workspace, 64-byte aligned
  accord_cell* cells;  ///< out: the kept cells; room for `capacity` cells for each x in turn
  std::uint32_t capacity;
  std::uint32_t found[kMaxLanes];  ///< out: cells of each x, also those beyond the capacity
  /// Called with `listener` after each step of the task: `done` of `all` steps are done. May be
  /// null, and may throw.
  void (*tell)(void* listener, std::uint32_t done, std::uint32_t all);
  void* listener;
};

/// The arithmetic of posteriors, compiled for one instruction set. All give the same bits.
struct PosteriorKernels {
  void (*run_lanes)(LanesTask& task);      ///< one pair in each lane
  void (*run_wavefront)(LanesTask& task);  ///< columns of tiles in the lanes; the same cells
};

}  // namespace accord::host
