// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "engine/host/processor.hpp"
#include "stages/posteriors/posterior_plan.hpp"

namespace accord::host {

/// The limits of the posterior tasks on the host, for plan_pair_tasks(): the lanes are those of the
/// processor's kernels; task_bytes is SIZE_MAX, no limit, unless the caller sets another one.
TaskLimits task_limits(const Processor& processor);

}  // namespace accord::host
