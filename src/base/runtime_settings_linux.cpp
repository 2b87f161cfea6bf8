// SPDX-License-Identifier: Apache-2.0
#include <malloc.h>
#include <sys/auxv.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>

#include "base/runtime_settings.hpp"

namespace accord {

void settle_runtime(char** argv) {
#ifdef __GLIBC__
  // The heap of a thread grows by at least 64 MiB at a time and shrinks only by more than 1 GiB.
  // Allocations of 32 MiB and more are mapped separately; matrices are far smaller.
  mallopt(M_TOP_PAD, 64 << 20);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
#endif
  if (std::getenv("GOMP_SPINCOUNT") != nullptr || std::getenv("OMP_WAIT_POLICY") != nullptr) return;
  // If the user called the dynamic linker with the program, /proc/self/exe names the linker.
  if (getauxval(AT_BASE) == 0) return;
  // OpenMP has read its environment before main(), so only a restart can change its settings. The
  // program restarts by its name, so that 'ps' shows it. Without /proc it does not restart.
  std::error_code unknown;
  const std::string program = std::filesystem::read_symlink("/proc/self/exe", unknown).string();
  if (unknown || setenv("GOMP_SPINCOUNT", "0", 1) != 0) return;
#ifdef __GLIBC__
  const char* const set = std::getenv("GLIBC_TUNABLES");
  const std::string tunables = set == nullptr ? "" : std::string(set) + ":";
  setenv("GLIBC_TUNABLES", (tunables + "glibc.malloc.hugetlb=1").c_str(), 1);
#endif
  execv(program.c_str(), argv);
}

}  // namespace accord
