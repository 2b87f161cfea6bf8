// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <malloc.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <sys/auxv.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>

#include "base/system.hpp"

namespace accord {
namespace {

/// The path of the program of this process; empty if it is not known.
std::string program_path() {
  // If the user called the dynamic linker with the program, /proc/self/exe names the linker.
  if (getauxval(AT_BASE) == 0) return {};
  std::error_code unknown;
  const auto path = std::filesystem::read_symlink("/proc/self/exe", unknown);
  return unknown ? std::string() : path.string();
}

}  // namespace

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
  // OpenMP has read its environment before main(), so only a restart can change its settings. The
  // program restarts by its name, so that 'ps' shows it. Without its path it does not restart.
  const std::string program = program_path();
  if (program.empty() || setenv("GOMP_SPINCOUNT", "0", 1) != 0) return;
#ifdef __GLIBC__
  const char* const set = std::getenv("GLIBC_TUNABLES");
  const std::string tunables = set == nullptr ? "" : std::string(set) + ":";
  setenv("GLIBC_TUNABLES", (tunables + "glibc.malloc.hugetlb=1").c_str(), 1);
#endif
  execv(program.c_str(), argv);
}

int run_this_program(const std::vector<std::string>& arguments) {
  std::string program = program_path();
  if (program.empty()) return -1;
  std::vector<std::string> words = arguments;
  words.insert(words.begin(), program);
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  if (posix_spawn_file_actions_init(&actions) != 0) return -1;
  if (posix_spawnattr_init(&attributes) != 0) return -1;
  posix_spawn_file_actions_addopen(&actions, kStandardInput, "/dev/null", O_RDONLY, 0);
  for (const int output : {kStandardOutput, kStandardError}) {
    posix_spawn_file_actions_addopen(&actions, output, "/dev/null", O_WRONLY, 0);
  }
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  pid_t child = -1;
  const bool runs =
      posix_spawn(&child, program.c_str(), &actions, &attributes, pointers.data(), environ) == 0;
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  int status = 0;
  // The wait ends with the program.
  while (runs && ::waitpid(child, &status, 0) == -1) {
    if (errno != EINTR) return -1;
  }
  return runs && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

void serve_in_background(unsigned seconds) {
  // Of the files of the process that started this one, only the standard streams stay open: a
  // reader of a pipe does not wait for this process.
  constexpr int kMostFiles = 1024, kLower = 10;
  for (int file = kStandardError + 1; file < kMostFiles; ++file) ::close(file);
  errno = 0;
  static_cast<void>(::nice(kLower));  // without it the process only has the usual priority
  ::alarm(seconds);
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
