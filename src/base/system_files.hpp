// SPDX-License-Identifier: Apache-2.0
// What systems do with files, each in its way: system_files_posix.cpp and
// system_files_windows.cpp. A descriptor is a number of an open file, as of open(); no process that
// this one starts inherits it. Where a function fails, it says so and leaves the reason in errno.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>

namespace accord {

/// The descriptors that every process has from its start.
inline constexpr int kStandardInput = 0, kStandardOutput = 1, kStandardError = 2;

/// Opens a file, or a pipe, whose bytes are read as they are. Waits for the writer of a FIFO.
/// Returns  its descriptor, or -1.
int open_to_read(const std::string& path);

/// Creates a file with the permissions that the umask asks for, open for writing.
/// Returns  its descriptor, or -1; errno is EEXIST if the path exists already.
int open_new_file(const std::string& path);

/// Opens a file that exists and removes what it holds, or a FIFO or a device, for writing. Waits
/// for the reader of a FIFO.
/// Returns  its descriptor, or -1.
int open_to_overwrite(const std::string& path);

/// Opens a file so that every write goes to its end; creates the file if it does not exist.
/// Returns  its descriptor, or -1.
int open_to_append(const std::string& path);

/// Creates a file, or removes what it holds, to be closed by fclose.
/// Returns  the open file, or a null pointer.
std::FILE* open_log(const std::string& path);

/// Another descriptor for the same open file.
/// Returns  the descriptor, or -1.
int duplicate(int descriptor);

/// Whether a descriptor is open for writing. If not, errno says why.
bool is_open_for_writing(int descriptor);

/// Reads up to `size` bytes. Waits until there are some.
/// Returns  the number of bytes, 0 at the end of the file, or -1.
std::ptrdiff_t read_some(int descriptor, char* bytes, std::size_t size);

/// Writes some of the bytes, at least one if there are any.
/// Returns  the number of bytes written, or -1.
std::ptrdiff_t write_some(int descriptor, std::string_view bytes);

/// Closes a descriptor, which is free afterwards even if the call fails.
/// Returns  0, or -1 if bytes written before did not reach the file.
int close_descriptor(int descriptor);

/// A file, or what else has a path or a descriptor.
struct FileStatus {
  bool is_regular = false, is_directory = false;
  std::uint64_t device = 0, number = 0;  ///< together the identity of a file, whatever its path
  std::uint32_t owner = 0, group = 0, mode = 0;  ///< of POSIX; 0 on other systems
};

/// What a path names, with links followed; none if that is unknown (errno).
std::optional<FileStatus> status_of(const std::string& path);

/// What a descriptor names; none if that is unknown (errno).
std::optional<FileStatus> status_of(int descriptor);

/// Whether this process may write to an existing file or directory. If not, errno says why.
bool may_write(const std::string& path);

/// Gives a file the owner and the permissions of another one, as far as the system has these and
/// allows it: only root may give files away.
void copy_attributes(const FileStatus& from, int descriptor);

/// Whether programs and libraries may be loaded from a directory that exists.
bool may_run_from(const std::string& directory);

/// Whether a directory belongs to another user than this one and root, or other users may write to
/// it, so that its files cannot be trusted. False if there is no directory, and on Windows, where
/// the folders of a user are closed to others.
bool others_may_write(const std::string& directory);

/// Makes a directory that only this user may enter, and as usual those above it, as far as they do
/// not exist. Does nothing if that is not possible.
void make_private_directory(const std::string& path);

/// A directory for temporary files that only this user can write to; it is made if it does not
/// exist. Empty if there is none.
std::string private_temporary_directory();

}  // namespace accord
