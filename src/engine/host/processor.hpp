// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "engine/host/kernels.hpp"

namespace accord::host {

/// The kernels that the stages of the host use.
struct Processor {
  const Kernels* wide;    ///< for all tasks that `narrow` does not compute
  const Kernels* narrow;  ///< with narrower vectors, for tasks with few pairs; null: none
};

}  // namespace accord::host
