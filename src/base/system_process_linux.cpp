// SPDX-License-Identifier: Apache-2.0
#include <sched.h>
#include <sys/resource.h>

#include "base/system_process.hpp"

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

std::optional<double> machine_memory() { return std::nullopt; }  // /proc/meminfo states it

}  // namespace accord
