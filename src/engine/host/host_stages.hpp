// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "engine/backend.hpp"
#include "engine/host/kernels.hpp"

namespace accord::host {

/// The kernels that the stages use.
struct Processor {
  const Kernels* wide;
  const Kernels* narrow;  ///< for posterior tasks with few pairs; null: there are none
};

/// compute(processor, call) computes the call of a stage, with thread_count() threads. Each stage
/// defines the function for its call, in its folder.
#define ACCORD_DECLARE_ON_HOST(Call) void compute(const Processor& processor, const Call& call);
ACCORD_FOR_EACH_CALL(ACCORD_DECLARE_ON_HOST)
#undef ACCORD_DECLARE_ON_HOST

}  // namespace accord::host
