// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

namespace accord::ocl {

/// What a user can set for the OpenCL devices of a run.
struct OpenClSettings {
  std::string kernel_folder;  ///< files that replace built-in kernel files; empty: none
};

}  // namespace accord::ocl
