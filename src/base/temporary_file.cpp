// SPDX-License-Identifier: Apache-2.0
#include "base/temporary_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <mutex>
#include <set>
#include <utility>

namespace accord {
namespace {

// Held while a file is created, renamed or removed, so that files() lists exactly the files on
// disk.
std::timed_mutex g_mutex;
bool g_closed = false;

std::set<std::string>& files() {
  static std::set<std::string> paths;
  return paths;
}

}  // namespace

TemporaryFile::TemporaryFile(const std::string& target) {
  const std::filesystem::path directory = std::filesystem::path(target).parent_path();
  const std::lock_guard lock(g_mutex);
  error_ = g_closed ? ECANCELED : EEXIST;
  constexpr int kTries = 1000;
  for (int k = 0; k < kTries && error_ == EEXIST; ++k) {
    path_ =
        (directory / (".accord-" + std::to_string(::getpid()) + "-" + std::to_string(k) + ".tmp"))
            .string();
    // mkstemp would give mode 0600; O_EXCL and mode 0666 give the permissions that the umask asks
    // for.
    descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    error_ = descriptor_ < 0 ? errno : 0;
  }
  exists_ = error_ == 0;
  if (exists_) files().insert(path_);
}

TemporaryFile::TemporaryFile(TemporaryFile&& other) noexcept
    : path_(std::move(other.path_)),
      descriptor_(other.release()),
      error_(other.error_),
      exists_(std::exchange(other.exists_, false)) {}

TemporaryFile::~TemporaryFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (!exists_) return;
  const std::lock_guard lock(g_mutex);
  ::unlink(path_.c_str());
  files().erase(path_);
}

int TemporaryFile::release() noexcept { return std::exchange(descriptor_, -1); }

int TemporaryFile::rename_to(const std::string& target) {
  const std::lock_guard lock(g_mutex);
  if (g_closed) return ECANCELED;
  if (std::rename(path_.c_str(), target.c_str()) != 0) return errno;
  files().erase(path_);
  exists_ = false;
  return 0;
}

void remove_temporary_files() {
  std::unique_lock lock(g_mutex, std::chrono::milliseconds(500));
  g_closed = true;
  for (const std::string& path : files()) ::unlink(path.c_str());
  // The lock stays locked: a thread that is about to create or rename a file waits until the
  // process ends.
  lock.release();
}

}  // namespace accord
