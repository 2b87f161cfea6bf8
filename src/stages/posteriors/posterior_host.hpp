// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "engine/host/host_stages.hpp"
#include "stages/posteriors/posterior_plan.hpp"

namespace accord::host {

/// The limits of the posterior tasks on the host, for plan_pair_tasks().
TaskLimits task_limits(const Processor& processor);

}  // namespace accord::host
