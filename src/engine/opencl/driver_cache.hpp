// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

namespace accord::ocl {

// PoCL keeps compiled kernels in $POCL_CACHE_DIR, else in pocl below $XDG_CACHE_HOME or ~/.cache,
// else in /tmp/pocl. It has no device where it cannot write there, and ends the process where it
// cannot load from there.

/// Has PoCL use another directory if it could not write to its usual one, or not run what it
/// compiled there: pocl below cache_directory(), or one of this user alone below $TMPDIR or /tmp.
/// Does nothing if POCL_CACHE_DIR is set, or if there is no such directory either. Call it before
/// the first call of OpenCL.
void settle_driver_cache();

/// What keeps PoCL from writing or running its compiled kernels, and what to do; empty if nothing
/// does.
std::string driver_cache_problem();

}  // namespace accord::ocl
