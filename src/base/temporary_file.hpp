// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

namespace accord {

/// A file under construction in the directory of its target. The destructor removes the file unless
/// it was renamed. remove_temporary_files() removes it when a signal ends the process.
class TemporaryFile {
 public:
  /// Creates `.accord-PID-N.tmp` in the directory of `target`, with the permissions that the umask
  /// and the directory ask for. If error() is not 0, there is no file.
  explicit TemporaryFile(const std::string& target);
  TemporaryFile(TemporaryFile&& other) noexcept;
  TemporaryFile& operator=(TemporaryFile&&) = delete;
  ~TemporaryFile();

  /// 0 if the constructor created the file, else the errno of the failure.
  int error() const noexcept { return error_; }
  /// Where the file is under construction; valid if error() is 0.
  const std::string& path() const noexcept { return path_; }
  /// The descriptor of the file, open for writing; -1 after release() or a failure. The destructor
  /// closes it.
  int descriptor() const noexcept { return descriptor_; }

  /// Hands the descriptor to the caller, who closes it.
  int release() noexcept;

  /// Moves the file to `target`, replacing an existing file. Call it only if error() is 0, after
  /// all data are written. `target` must be in the file system of the constructor's target.
  /// Returns  0, or the errno of the failure; the file then stays as it is.
  int rename_to(const std::string& target);

 private:
  std::string path_;
  int descriptor_ = -1;
  int error_ = 0;
  bool exists_ = false;
};

/// Removes every temporary file of this process and forbids new ones. Call it only just before the
/// process ends: a thread that then creates, renames or destroys a TemporaryFile may wait for
/// ever. Waits at most half a second for a file that another thread is creating.
void remove_temporary_files();

}  // namespace accord
