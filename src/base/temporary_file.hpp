// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

namespace accord {

/// A file under construction in the directory of its target. It is removed unless it was renamed,
/// also when a signal ends the process (see remove_temporary_files).
class TemporaryFile {
 public:
  /// Creates `.accord-PID-N.tmp` in the directory of `target`, with the permissions that the umask
  /// and the directory ask for. error() says whether that worked.
  explicit TemporaryFile(const std::string& target);
  TemporaryFile(TemporaryFile&& other) noexcept;
  TemporaryFile& operator=(TemporaryFile&&) = delete;
  ~TemporaryFile();

  /// 0, or errno of the creation.
  int error() const noexcept { return error_; }
  /// Open for writing; -1 once released.
  int descriptor() const noexcept { return descriptor_; }

  /// Gives the descriptor away; it is then not closed here.
  int release() noexcept;

  /// Moves the file to `target`, replacing what is there; returns 0 or errno.
  int rename_to(const std::string& target);

 private:
  std::string path_;
  int descriptor_ = -1;
  int error_ = 0;
  bool exists_ = false;
};

/// Removes every temporary file of this process and forbids new ones; for the end of the process.
/// Waits at most half a second for a file that is just being created.
void remove_temporary_files();

}  // namespace accord
