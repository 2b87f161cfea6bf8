// SPDX-License-Identifier: Apache-2.0
#include "base/temporary_file.hpp"

#include <cerrno>
#include <chrono>
#include <mutex>
#include <set>
#include <system_error>
#include <utility>

#include "base/paths.hpp"
#include "base/system.hpp"

namespace accord {
namespace {

// Held while a file is created, renamed or removed, so that files() lists exactly the files on
// disk.
std::timed_mutex g_files_mutex;
bool g_closed = false;

std::set<std::string>& files() {
  static std::set<std::string> paths;
  return paths;
}

}  // namespace

TemporaryFile::TemporaryFile(const std::string& target) {
  const std::string directory = parent_path(target);
  const std::lock_guard lock(g_files_mutex);
  error_ = g_closed ? ECANCELED : EEXIST;
  constexpr int kTries = 1000;
  for (int k = 0; k < kTries && error_ == EEXIST; ++k) {
    path_ = joined_path(
        directory, ".accord-" + std::to_string(process_id()) + "-" + std::to_string(k) + ".tmp");
    descriptor_ = open_new_file(path_);
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
  if (descriptor_ >= 0) close_descriptor(descriptor_);
  if (!exists_) return;
  const std::lock_guard lock(g_files_mutex);
  remove_path(path_);
  files().erase(path_);
}

int TemporaryFile::release() noexcept { return std::exchange(descriptor_, -1); }

int TemporaryFile::rename_to(const std::string& target) {
  const std::lock_guard lock(g_files_mutex);
  if (g_closed) return ECANCELED;
  if (const std::error_code error = rename_path(path_, target)) {
    return error.default_error_condition().value();  // the code is that of this system
  }
  files().erase(path_);
  exists_ = false;
  return 0;
}

void remove_temporary_files() {
  std::unique_lock lock(g_files_mutex, std::chrono::milliseconds(500));
  g_closed = true;
  for (const std::string& path : files()) remove_path(path);
  // The lock stays locked: a thread that is about to create or rename a file waits until the
  // process ends.
  lock.release();
}

}  // namespace accord
