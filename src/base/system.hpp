// SPDX-License-Identifier: Apache-2.0
// What each system does in its way, in system_linux.cpp, system_windows.cpp and their like: with
// files, with a process and the machine, with shared libraries, and with requests to end. A
// descriptor is a number of an open file, as of open(); no process that this one starts inherits
// it. Where a function of files fails, it says so and leaves the reason in errno.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

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

/// The number by which the system knows this process.
std::int64_t process_id();

/// Sets a variable of the environment of this process.
/// Returns  whether the system has set it.
bool set_environment(const std::string& name, const std::string& value);

/// User + system processor seconds of this process so far.
double process_cpu_seconds();
/// Those of the calling thread; -1 if the system does not count them.
double thread_cpu_seconds();

/// Has the calling thread, and on Linux the threads that it starts from now on, yield to all
/// others; does nothing where threads have no such priority.
void yield_to_other_threads();

/// Peak resident memory of this process so far, in bytes.
std::size_t process_peak_bytes();

/// The number of processors that the affinity mask of this process allows, at least 1, or 0 if it
/// is unknown.
int allowed_processors();

/// Bytes of memory of the machine where no file states them; none if they are unknown.
std::optional<double> machine_memory();

/// The limit of the address space of this process in bytes; none if there is no limit.
std::optional<double> address_space_limit();

/// Whether a descriptor is that of a terminal.
bool is_terminal(int descriptor);

/// The columns of the terminal that stderr goes to; none if they are unknown.
std::optional<std::size_t> terminal_columns();

/// Asks the desktop to show a file in the program that is made for such files. Does not wait for
/// the program.
/// Returns  whether the desktop was asked; false if there is none.
bool open_on_desktop(const std::string& path);

/// The program that shows a file on the desktop, on a system with POSIX; null if there is no
/// desktop.
const char* desktop_opener();

/// A shared library in this process: a handle of the system, null if the library could not be
/// loaded, with the system's message.
struct SharedLibrary {
  void* handle = nullptr;
  std::string problem;
};

/// The names or paths under which the system may have a library, "OpenCL" for example; the best one
/// first.
std::vector<std::string> shared_library_names(const std::string& name);

/// When the functions that a library calls in other libraries are looked for.
enum class Binding { at_once, when_called };

/// Loads a shared library by its path, or by a name that the system looks for.
SharedLibrary load_shared_library(const std::string& name, Binding binding);

/// The address of a function of a library, by its handle; null if the library lacks it. With a null
/// handle, of whatever was loaded into this process at its start: simulators and profilers are
/// preloaded, on systems that do so.
void* function_of(void* library, const char* name);

/// Takes a library out of the process, if nothing else uses it.
void unload(const SharedLibrary& library);

/// Sets options of the C library and of OpenMP that apply to the whole process. main() must call it
/// first, with its argv, which ends with a null pointer. The function may restart the program with
/// the same arguments, once. On Windows, files and standard streams become those of bytes, without
/// other line ends.
///
/// On Linux, threads get memory from the system in large pieces: with 16 threads, a family of 1000
/// sequences takes 24 s of system time with small pieces, and 4 s with large ones. Threads of GNU's
/// OpenMP sleep while they wait; spinning takes two fifths of the processor time of a batch beside
/// a GPU. Memory comes in huge pages if the system gives them on request: 1000 sequences beside a
/// GPU then take 3.75 s instead of 4.05 s. The last two can only be set in the environment of a new
/// process. If GOMP_SPINCOUNT or OMP_WAIT_POLICY is set, it stays as it is, and the program does
/// not restart (valgrind does not follow a restart by itself).
void settle_runtime(char** argv);

/// Takes the name of a signal, such as "SIGINT", and its number; must end the process.
using EndRequestTaker = void (*)(const char* name, int signal);

/// Runs the program of this process once more, with other arguments, and waits until it ends. The
/// new process has no input, its output and messages are lost, and its signals act as usual.
/// Returns  its exit code; -1 if the system cannot run it (Windows, macOS, a browser), or if a
///          signal has ended it.
int run_this_program(const std::vector<std::string>& arguments);

/// For a process that run_this_program() has started: closes the files that it has inherited, lets
/// other processes of the machine go first, and has the system end it after `seconds`.
void serve_in_background(unsigned seconds);

/// Has `taker` called on a thread that does nothing else, once such a request comes: SIGHUP, SIGINT
/// or SIGTERM, or what corresponds to these on Windows. A signal keeps its previous action if the
/// parent process has it ignored (nohup, `&` in a script), if a library handles it, or if the
/// system gives no thread. Threads that exist already would still receive the signals, so call this
/// function first.
void take_end_requests(EndRequestTaker taker);

/// Has a write to a closed pipe, or beyond the largest size of a file, fail with a reason in errno,
/// where the system would end the process.
void let_writes_fail();

/// Ends the process by the signal of a closed pipe. Returns if the parent process had it ignored
/// when let_writes_fail() was called, or if the system has no such signal.
void end_by_closed_pipe();

}  // namespace accord
