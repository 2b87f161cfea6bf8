// SPDX-License-Identifier: Apache-2.0
#include <sys/mount.h>
#include <sys/param.h>
#include <sys/resource.h>
#include <sys/sysctl.h>

#include "base/system.hpp"

namespace accord {

bool may_run_from(const std::string& directory) {
  struct statfs system {};
  return ::statfs(directory.c_str(), &system) != 0 || (system.f_flags & MNT_NOEXEC) == 0;
}

void settle_runtime(char** /*argv*/) {}  // the settings are those of GNU's libraries

int run_this_program(const std::vector<std::string>& /*arguments*/) { return -1; }

void serve_in_background(unsigned /*seconds*/) {}

std::vector<std::string> shared_library_names(const std::string& name) {
  return {"/System/Library/Frameworks/" + name + ".framework/" + name};
}

void yield_to_other_threads() {}

std::size_t process_peak_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::size_t>(usage.ru_maxrss);  // macOS reports bytes
}

int allowed_processors() { return 0; }  // macOS has no affinity masks

const char* desktop_opener() { return "open"; }

std::optional<double> machine_memory() {
  std::uint64_t bytes = 0;
  std::size_t size = sizeof bytes;
  if (::sysctlbyname("hw.memsize", &bytes, &size, nullptr, 0) != 0) return std::nullopt;
  return static_cast<double>(bytes);
}

}  // namespace accord
