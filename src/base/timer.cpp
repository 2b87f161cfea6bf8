// SPDX-License-Identifier: Apache-2.0
#include "base/timer.hpp"

#include <sys/resource.h>

#include <algorithm>

namespace accord {

double fastest(int repeats, const std::function<void()>& body) {
  body();
  double best = 1e300;
  for (int k = 0; k < repeats; ++k) {
    const Timer timer;
    body();
    best = std::min(best, timer.seconds());
  }
  return best;
}

double process_cpu_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

std::size_t process_peak_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::size_t>(usage.ru_maxrss) * 1024;  // Linux reports KiB
}

}  // namespace accord
