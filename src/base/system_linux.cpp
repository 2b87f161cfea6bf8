// SPDX-License-Identifier: Apache-2.0
#include <malloc.h>
#include <sched.h>
#include <sys/auxv.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>

#include "base/system.hpp"

namespace accord {

bool may_run_from(const std::string& directory) {
  struct statvfs system {};
  return ::statvfs(directory.c_str(), &system) != 0 || (system.f_flag & ST_NOEXEC) == 0;
}

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

std::vector<std::string> shared_library_names(const std::string& name) {
  const std::string file = "lib" + name + ".so";
  return {file + ".1", file};  // the second is for those who compile with it
}

void yield_to_other_threads() {
  constexpr int kThisThread = 0, kLowest = 19;
  ::setpriority(PRIO_PROCESS, kThisThread, kLowest);
}

std::size_t process_peak_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::size_t>(usage.ru_maxrss) * 1024;  // Linux reports KiB
}

int allowed_processors() {
  cpu_set_t allowed;
  return sched_getaffinity(0, sizeof allowed, &allowed) == 0 ? CPU_COUNT(&allowed) : 0;
}

const char* desktop_opener() {
  const bool has_desktop =
      std::getenv("DISPLAY") != nullptr || std::getenv("WAYLAND_DISPLAY") != nullptr;
  return has_desktop ? "xdg-open" : nullptr;
}

std::optional<double> machine_memory() { return std::nullopt; }  // /proc/meminfo states it

}  // namespace accord
