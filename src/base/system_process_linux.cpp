// SPDX-License-Identifier: Apache-2.0
#include <sched.h>
#include <sys/resource.h>

#include <cstdlib>

#include "base/system_process.hpp"
#include "base/system_process_posix.hpp"

namespace accord {

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
