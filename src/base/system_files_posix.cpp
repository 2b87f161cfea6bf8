// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

#include "base/system_files.hpp"

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

}  // namespace accord
