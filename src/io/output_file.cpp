// SPDX-License-Identifier: Apache-2.0
#include "accord/io/output_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <optional>
#include <utility>

#include "accord/base/error.hpp"

namespace accord {
namespace {

namespace fs = std::filesystem;

Error cannot_create(const std::string& path, int error) {
  const std::string hint = error == ENOENT ? "the folder does not exist" : "";
  return Error(ErrorKind::cannot_create, "cannot create " + path + ": " + std::strerror(error),
               hint);
}

Error write_failed(const std::string& path, int error) {
  return Error(ErrorKind::write_failed, "cannot write " + path + ": " + std::strerror(error));
}

/// The descriptor of this process that a path stands for, if it does. Opening such a path anew
/// would lose the position and the append mode of a redirected output, and fails for a socket.
std::optional<int> own_descriptor(const std::string& path) {
  if (path.empty() || path == "-" || path == "/dev/stdout") return STDOUT_FILENO;
  if (path == "/dev/stderr") return STDERR_FILENO;
  for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/"}) {
    if (!path.starts_with(folder)) continue;
    int number = -1;
    const char* end = path.data() + path.size();
    const auto parsed = std::from_chars(path.data() + folder.size(), end, number);
    if (parsed.ec == std::errc() && parsed.ptr == end && number >= 0) return number;
  }
  return std::nullopt;
}

std::string output_label(const std::string& path) {
  return path.empty() || path == "-" ? "standard output" : path;
}

/// Writes everything and closes; returns errno of the first failure, or 0. Some file systems
/// report a full disk only on close.
int write_and_close(int descriptor, std::string_view text) {
  int error = 0;
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written >= 0) {
      text.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno != EINTR) {
      error = errno;
      break;
    }
  }
  if (::close(descriptor) != 0 && error == 0) error = errno;
  return error;
}

/// What a path leads to once symbolic links are followed, also if that does not exist yet.
std::string followed(std::string path) {
  constexpr int kMostLinks = 40;  // as the kernel
  for (int hop = 0; hop < kMostLinks; ++hop) {
    std::error_code error;
    const fs::path target = fs::read_symlink(path, error);
    if (error) break;  // not a link
    path = (fs::path(path).parent_path() / target).string();
  }
  return path;
}

/// A temporary file beside the target; removed unless it was renamed.
class Temporary {
 public:
  /// Creates the file; error() is 0 or errno. O_EXCL and mode 0666 give it the permissions that
  /// the umask or the folder ask for, which mkstemp would not.
  explicit Temporary(const std::string& target) {
    const fs::path folder = fs::path(target).parent_path();
    constexpr int kTries = 1000;
    for (int k = 0; k < kTries; ++k) {
      path_ =
          (folder / (".accord-" + std::to_string(::getpid()) + "-" + std::to_string(k) + ".tmp"))
              .string();
      descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
      error_ = descriptor_ < 0 ? errno : 0;
      if (error_ != EEXIST) break;
    }
    exists_ = error_ == 0;
  }
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;
  ~Temporary() {
    if (descriptor_ >= 0) ::close(descriptor_);
    if (exists_) ::unlink(path_.c_str());
  }

  int error() const { return error_; }
  int descriptor() const { return descriptor_; }

  /// Gives the descriptor away; it is then not closed here.
  int release() { return std::exchange(descriptor_, -1); }

  /// Moves the file to the target; returns errno or 0.
  int rename_to(const std::string& target) {
    if (std::rename(path_.c_str(), target.c_str()) != 0) return errno;
    exists_ = false;
    return 0;
  }

 private:
  std::string path_;
  int descriptor_ = -1;
  int error_ = 0;
  bool exists_ = false;
};

/// Owner and permissions of the file that will be replaced; best effort, because only root may
/// give files away.
void copy_attributes(const struct stat& from, int descriptor) {
  [[maybe_unused]] const int owner = ::fchown(descriptor, from.st_uid, from.st_gid);
  [[maybe_unused]] const int mode = ::fchmod(descriptor, from.st_mode & 07777);
}

void write_in_place(const std::string& path, std::string_view text) {
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC);
  if (descriptor < 0) throw cannot_create(path, errno);
  if (const int error = write_and_close(descriptor, text); error != 0) {
    throw write_failed(path, error);
  }
}

/// What stands at a path; throws unless it can be written or created there. The result is empty
/// if nothing stands there yet.
std::optional<struct stat> inspect(const std::string& path) {
  struct stat found {};
  if (::stat(path.c_str(), &found) != 0) {
    if (errno != ENOENT) throw cannot_create(path, errno);
    if (path.ends_with('/')) throw cannot_create(path, EISDIR);
    return std::nullopt;
  }
  if (S_ISDIR(found.st_mode)) throw cannot_create(path, EISDIR);
  if (::faccessat(AT_FDCWD, path.c_str(), W_OK, AT_EACCESS) != 0) throw cannot_create(path, errno);
  return found;
}

/// A folder that forbids new files still lets its files be overwritten in place.
bool may_write_in_place(const std::optional<struct stat>& existing, int error) {
  return existing && (error == EACCES || error == EPERM);
}

}  // namespace

void write_output(const std::string& path, std::string_view text) {
  if (const std::optional<int> descriptor = own_descriptor(path)) {
    // A duplicate is closed in its place, because close is what reports late errors.
    const int duplicate = ::fcntl(*descriptor, F_DUPFD_CLOEXEC, 0);
    if (duplicate < 0) throw cannot_create(output_label(path), errno);
    const int error = write_and_close(duplicate, text);
    if (error != 0) throw write_failed(output_label(path), error);
    return;
  }
  const std::optional<struct stat> existing = inspect(path);
  if (existing && !S_ISREG(existing->st_mode)) return write_in_place(path, text);

  const std::string target = followed(path);
  Temporary temporary(target);
  if (temporary.error() != 0) {
    if (may_write_in_place(existing, temporary.error())) return write_in_place(path, text);
    throw cannot_create(path, temporary.error());
  }
  if (existing) copy_attributes(*existing, temporary.descriptor());
  if (const int error = write_and_close(temporary.release(), text); error != 0) {
    throw write_failed(path, error);
  }
  if (const int error = temporary.rename_to(target); error != 0) throw write_failed(path, error);
}

void check_output_writable(const std::string& path) {
  if (const std::optional<int> descriptor = own_descriptor(path)) {
    const int flags = ::fcntl(*descriptor, F_GETFL);
    if (flags < 0) throw cannot_create(output_label(path), errno);
    if ((flags & O_ACCMODE) == O_RDONLY) throw cannot_create(output_label(path), EBADF);
    return;
  }
  const std::optional<struct stat> existing = inspect(path);
  if (existing && !S_ISREG(existing->st_mode)) return;
  const Temporary probe(followed(path));
  if (probe.error() != 0 && !may_write_in_place(existing, probe.error())) {
    throw cannot_create(path, probe.error());
  }
}

}  // namespace accord
