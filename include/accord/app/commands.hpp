// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "accord/app/options.hpp"

namespace accord {

/// `accord align`: reads, aligns and writes one family.
void run_align(const Options& options);

/// `accord score`: prints SP, TC and the counts behind them, tab-separated under a header line.
void run_score(const Options& options);

/// `accord devices`: prints what can compute, and which one `auto` would take.
void run_devices();

}  // namespace accord
