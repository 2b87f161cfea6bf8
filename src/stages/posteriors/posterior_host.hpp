// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "engine/host/host_stages.hpp"
#include "stages/posteriors/posterior_plan.hpp"

namespace accord::host {

/// How the host cuts posteriors into tasks.
TaskLimits task_limits(const Processor& processor);

}  // namespace accord::host
