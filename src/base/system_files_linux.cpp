// SPDX-License-Identifier: Apache-2.0
#include <sys/statvfs.h>

#include "base/system_files.hpp"

namespace accord {

bool may_run_from(const std::string& directory) {
  struct statvfs system {};
  return ::statvfs(directory.c_str(), &system) != 0 || (system.f_flag & ST_NOEXEC) == 0;
}

}  // namespace accord
