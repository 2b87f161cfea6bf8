// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

namespace accord::ocl {

// PoCL keeps compiled kernels in $POCL_CACHE_DIR, else in pocl below $XDG_CACHE_HOME or ~/.cache,
// else in /tmp/pocl. If PoCL cannot write to that directory, it lists no device; if it cannot load
// programs from there, it ends the process.

/// Has PoCL use another directory if it could not write to its usual directory, could not load
/// programs from there, or would run what other users write there. The other directory is pocl
/// below cache_directory(), or else a directory that only this user can write to, below $TMPDIR or
/// /tmp. Does nothing if POCL_CACHE_DIR is set, or if the other directories are no better. Call
/// this before the first call of OpenCL.
void settle_driver_cache();

/// Why PoCL cannot write or load its compiled kernels, and what the user can do; empty if it can.
std::string driver_cache_problem();

}  // namespace accord::ocl
