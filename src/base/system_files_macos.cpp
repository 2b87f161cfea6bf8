// SPDX-License-Identifier: Apache-2.0
#include <sys/mount.h>
#include <sys/param.h>

#include "base/system_files.hpp"

namespace accord {

bool may_run_from(const std::string& directory) {
  struct statfs system {};
  return ::statfs(directory.c_str(), &system) != 0 || (system.f_flags & MNT_NOEXEC) == 0;
}

}  // namespace accord
