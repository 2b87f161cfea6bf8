// SPDX-License-Identifier: Apache-2.0
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <thread>
#include <utility>

#include "base/system.hpp"

namespace accord {
namespace {

constexpr mode_t kMode = 0666;  // less what the umask takes away

/// Opening a FIFO waits, and a signal that a library handles interrupts that.
int open_patiently(const std::string& path, int flags) {
  int descriptor = -1;
  if (path.find('\0') != path.npos) {  // else another file, whose path ends there, is opened
    errno = EINVAL;
    return descriptor;
  }
  do {
    descriptor = ::open(path.c_str(), flags | O_CLOEXEC, kMode);
  } while (descriptor < 0 && errno == EINTR);
  return descriptor;
}

FileStatus status_in(const struct stat& found) {
  return {.is_regular = S_ISREG(found.st_mode),
          .is_directory = S_ISDIR(found.st_mode),
          .device = static_cast<std::uint64_t>(found.st_dev),
          .number = static_cast<std::uint64_t>(found.st_ino),
          .owner = found.st_uid,
          .group = found.st_gid,
          .mode = found.st_mode};
}

bool g_pipe_was_ignored = false;

constexpr std::array<std::pair<int, const char*>, 3> kRequests = {
    {{SIGHUP, "SIGHUP"}, {SIGINT, "SIGINT"}, {SIGTERM, "SIGTERM"}}};

struct sigaction action_of(int signal) {
  struct sigaction current {};
  sigaction(signal, nullptr, &current);
  return current;
}

void wait_for_request(sigset_t guarded, EndRequestTaker taker) {
  while (true) {
    int got = 0;
    if (::sigwait(&guarded, &got) != 0) continue;
    for (const auto& [signal, name] : kRequests) {
      if (got == signal) taker(name, signal);
    }
  }
}

}  // namespace

int open_to_read(const std::string& path) { return open_patiently(path, O_RDONLY); }

int open_new_file(const std::string& path) {
  return open_patiently(path, O_WRONLY | O_CREAT | O_EXCL);
}

int open_to_overwrite(const std::string& path) { return open_patiently(path, O_WRONLY | O_TRUNC); }

int open_to_append(const std::string& path) {
  return open_patiently(path, O_WRONLY | O_CREAT | O_APPEND);
}

std::FILE* open_log(const std::string& path) { return std::fopen(path.c_str(), "we"); }

int duplicate(int descriptor) { return ::fcntl(descriptor, F_DUPFD_CLOEXEC, 0); }

bool is_open_for_writing(int descriptor) {
  const int flags = ::fcntl(descriptor, F_GETFL);
  if (flags < 0) return false;
  if ((flags & O_ACCMODE) != O_RDONLY) return true;
  errno = EBADF;
  return false;
}

std::ptrdiff_t read_some(int descriptor, char* bytes, std::size_t size) {
  ssize_t got = 0;
  do {
    got = ::read(descriptor, bytes, size);
  } while (got < 0 && errno == EINTR);
  return got;
}

std::ptrdiff_t write_some(int descriptor, std::string_view bytes) {
  ssize_t written = 0;
  do {
    written = ::write(descriptor, bytes.data(), bytes.size());
  } while (written < 0 && errno == EINTR);
  return written;
}

int close_descriptor(int descriptor) { return ::close(descriptor); }

std::optional<FileStatus> status_of(const std::string& path) {
  struct stat found {};
  if (::stat(path.c_str(), &found) != 0) return std::nullopt;
  return status_in(found);
}

std::optional<FileStatus> status_of(int descriptor) {
  struct stat found {};
  if (::fstat(descriptor, &found) != 0) return std::nullopt;
  return status_in(found);
}

bool may_write(const std::string& path) {
  std::error_code unknown;
  const int search = std::filesystem::is_directory(path, unknown) ? X_OK : 0;
  return ::faccessat(AT_FDCWD, path.c_str(), W_OK | search, AT_EACCESS) == 0;
}

void copy_attributes(const FileStatus& from, int descriptor) {
  [[maybe_unused]] const int owner = ::fchown(descriptor, from.owner, from.group);
  [[maybe_unused]] const int mode = ::fchmod(descriptor, static_cast<mode_t>(from.mode & 07777));
}

bool others_may_write(const std::string& directory) {
  const std::optional<FileStatus> found = status_of(directory);
  if (!found || !found->is_directory) return false;
  constexpr std::uint32_t kOthers = S_IWGRP | S_IWOTH;
  return (found->owner != ::geteuid() && found->owner != 0) || (found->mode & kOthers) != 0;
}

void make_private_directory(const std::string& path) {
  std::error_code ignored;
  std::filesystem::create_directories(std::filesystem::path(path).parent_path(), ignored);
  ::mkdir(path.c_str(), 0700);
}

std::string private_temporary_directory() {
  std::error_code error;
  const std::filesystem::path all = std::filesystem::temp_directory_path(error);
  if (error) return {};
  const std::string path = (all / ("accord-" + std::to_string(::getuid()))).string();
  ::mkdir(path.c_str(), 0700);
  struct stat found {};
  const bool is_ours = ::lstat(path.c_str(), &found) == 0 && S_ISDIR(found.st_mode) &&
                       found.st_uid == ::getuid() && (found.st_mode & 077) == 0;
  return is_ours ? path : std::string();
}

SharedLibrary load_shared_library(const std::string& name, Binding binding) {
  const int flags = (binding == Binding::at_once ? RTLD_NOW : RTLD_LAZY) | RTLD_LOCAL;
  if (void* const handle = ::dlopen(name.c_str(), flags)) return {handle, {}};
  const char* message = ::dlerror();
  return {nullptr, message ? message : name};
}

void* function_of(void* library, const char* name) {
  return ::dlsym(library ? library : RTLD_DEFAULT, name);
}

void unload(const SharedLibrary& library) {
  if (library.handle) ::dlclose(library.handle);
}

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

double thread_cpu_seconds() {
  timespec time{};
  if (::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) != 0) return -1;
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
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

void take_end_requests(EndRequestTaker taker) {
  sigset_t guarded, before;
  sigemptyset(&guarded);
  for (const auto& [signal, name] : kRequests) {
    if (action_of(signal).sa_handler == SIG_DFL) sigaddset(&guarded, signal);
  }
  // Every later thread inherits the mask, so that only the one that waits takes these signals.
  pthread_sigmask(SIG_BLOCK, &guarded, &before);
  try {
    std::thread(wait_for_request, guarded, taker).detach();
  } catch (const std::system_error&) {
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
  }
}

void let_writes_fail() {
  g_pipe_was_ignored = action_of(SIGPIPE).sa_handler == SIG_IGN;
  ::signal(SIGPIPE, SIG_IGN);
  ::signal(SIGXFSZ, SIG_IGN);
}

void end_by_closed_pipe() {
  if (g_pipe_was_ignored) return;
  ::signal(SIGPIPE, SIG_DFL);
  ::raise(SIGPIPE);
}

}  // namespace accord
