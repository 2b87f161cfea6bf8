// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "engine/host/kernels.hpp"

namespace accord::host {

/// The kernels that the stages use.
struct Processor {
  const Kernels* wide;
  const Kernels* narrow;  ///< for posterior tasks with few pairs; null: there are none
};

}  // namespace accord::host
