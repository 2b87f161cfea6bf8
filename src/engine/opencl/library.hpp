// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace accord::ocl {

/// Loads the OpenCL library: $ACCORD_OPENCL_LIB if it is set, else a library that is preloaded into
/// the process, else that of the system (libOpenCL.so.1, OpenCL.framework, OpenCL.dll). accord is
/// not linked with OpenCL, so that a process without this call does not touch OpenCL. The first
/// call of any OpenCL function calls load_library(). After a success, later calls return at once;
/// after an error, the next call tries again. Any thread may call it.
///
/// Throws  Error{device_unavailable} if there is no library, if it lacks a function of OpenCL 1.2,
///         or if the system gives too few threads for a driver; Error{usage} for a wrong
///         ACCORD_OPENCL_FAULT (see fault.hpp).
void load_library();

}  // namespace accord::ocl
