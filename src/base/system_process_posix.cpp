// SPDX-License-Identifier: Apache-2.0
#include "base/system_process_posix.hpp"

#include <sys/ioctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdlib>

#include "base/system_process.hpp"

namespace accord {

std::int64_t process_id() { return ::getpid(); }

bool set_environment(const std::string& name, const std::string& value) {
  return ::setenv(name.c_str(), value.c_str(), 1) == 0;
}

double process_cpu_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

std::optional<double> address_space_limit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return std::nullopt;
  return static_cast<double>(limit.rlim_cur);
}

bool open_on_desktop(const std::string& path) {
  const char* const opener = desktop_opener();
  if (opener == nullptr) return false;
  std::string quoted = "'";
  for (const char c : path) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  const std::string name = opener;
  return std::system(("command -v " + name + " >/dev/null && { " + name + " " + quoted +
                      "' >/dev/null 2>&1 </dev/null & }")
                         .c_str()) == 0;
}

bool is_terminal(int descriptor) { return ::isatty(descriptor) == 1; }

std::optional<std::size_t> terminal_columns() {
  winsize size{};
  if (::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0) return std::nullopt;
  return size.ws_col;
}

}  // namespace accord
