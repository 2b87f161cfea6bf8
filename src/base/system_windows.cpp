// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <io.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <windows.h>
// clang-format off
#include <psapi.h>     // after windows.h
#include <shellapi.h>  // after windows.h
// clang-format on

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <csignal>
#include <filesystem>
#include <system_error>

#include "base/paths.hpp"
#include "base/system.hpp"

namespace accord {
namespace {

EndRequestTaker g_taker = nullptr;

double seconds_of(const FILETIME& time) {  // in steps of 100 ns
  return 1e-7 * (0x1p32 * time.dwHighDateTime + time.dwLowDateTime);
}

/// Windows calls this function on a new thread.
BOOL WINAPI take(DWORD event) {
  if (event == CTRL_C_EVENT || event == CTRL_BREAK_EVENT) {
    g_taker("SIGINT", SIGINT);
  } else {  // the console closes, the user logs off, or the machine shuts down
    g_taker("SIGTERM", SIGTERM);
  }
  return TRUE;
}

/// Sets errno to what the last failure of Windows means.
void set_errno() {
  const auto code = static_cast<int>(::GetLastError());
  errno = std::error_code(code, std::system_category()).default_error_condition().value();
}

/// Opens by Windows' function, since the C library's lets nobody rename or remove an open file. A
/// directory cannot be opened.
int open_shared(const std::string& path, DWORD access, DWORD creation, int flags) {
  constexpr DWORD kAll = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;
  const std::filesystem::path name = path_of_text(path);
  const HANDLE file =
      ::CreateFileW(name.c_str(), access, kAll, nullptr, creation, FILE_ATTRIBUTE_NORMAL, nullptr);
  if (file == INVALID_HANDLE_VALUE) {
    set_errno();
    std::error_code unknown;
    if (std::filesystem::is_directory(name, unknown)) errno = EISDIR;
    return -1;
  }
  return ::_open_osfhandle(reinterpret_cast<std::intptr_t>(file), flags | O_BINARY | O_NOINHERIT);
}

FileStatus status_in(HANDLE file) {
  FileStatus status;
  BY_HANDLE_FILE_INFORMATION found{};
  if (::GetFileType(file) != FILE_TYPE_DISK || !::GetFileInformationByHandle(file, &found)) {
    return status;
  }
  status.is_directory = (found.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) != 0;
  status.is_regular = !status.is_directory;
  status.device = found.dwVolumeSerialNumber;
  status.number = (std::uint64_t{found.nFileIndexHigh} << 32) + found.nFileIndexLow;
  return status;
}

}  // namespace

int open_to_read(const std::string& path) {
  return open_shared(path, GENERIC_READ, OPEN_EXISTING, O_RDONLY);
}

int open_new_file(const std::string& path) {
  return open_shared(path, GENERIC_WRITE | DELETE, CREATE_NEW, O_WRONLY);
}

int open_to_overwrite(const std::string& path) {
  return open_shared(path, GENERIC_WRITE, TRUNCATE_EXISTING, O_WRONLY);
}

int open_to_append(const std::string& path) {
  return open_shared(path, FILE_APPEND_DATA | SYNCHRONIZE, OPEN_ALWAYS, O_WRONLY | O_APPEND);
}

std::FILE* open_log(const std::string& path) {
  return ::_wfopen(path_of_text(path).c_str(), L"wbN");
}

int duplicate(int descriptor) { return ::_dup(descriptor); }

bool is_open_for_writing(int descriptor) {
  // Writing no bytes fails if nothing may be written.
  return ::_write(descriptor, "", 0) == 0;
}

std::ptrdiff_t read_some(int descriptor, char* bytes, std::size_t size) {
  constexpr std::size_t kMost = std::size_t{1} << 30;
  return ::_read(descriptor, bytes, static_cast<unsigned>(std::min(size, kMost)));
}

std::ptrdiff_t write_some(int descriptor, std::string_view bytes) {
  constexpr std::size_t kMost = std::size_t{1} << 30;
  return ::_write(descriptor, bytes.data(), static_cast<unsigned>(std::min(bytes.size(), kMost)));
}

int close_descriptor(int descriptor) { return ::_close(descriptor); }

std::optional<FileStatus> status_of(const std::string& path) {
  constexpr DWORD kAll = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;
  const HANDLE file = ::CreateFileW(path_of_text(path).c_str(), FILE_READ_ATTRIBUTES, kAll, nullptr,
                                    OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, nullptr);
  if (file == INVALID_HANDLE_VALUE) {
    set_errno();
    return std::nullopt;
  }
  const FileStatus status = status_in(file);
  ::CloseHandle(file);
  return status;
}

std::optional<FileStatus> status_of(int descriptor) {
  const std::intptr_t file = ::_get_osfhandle(descriptor);
  if (file == -1) return std::nullopt;
  return status_in(reinterpret_cast<HANDLE>(file));
}

bool may_write(const std::string& path) {
  constexpr int kWrite = 2;
  return ::_waccess(path_of_text(path).c_str(), kWrite) == 0;
}

void copy_attributes(const FileStatus& /*from*/, int /*descriptor*/) {
  // A new file has the permissions of its directory.
}

bool may_run_from(const std::string& /*directory*/) { return true; }

bool others_may_write(const std::string& /*directory*/) { return false; }

void make_private_directory(const std::string& path) {
  std::error_code ignored;
  std::filesystem::create_directories(path_of_text(path), ignored);
}

std::string private_temporary_directory() {
  std::error_code error;  // that of Windows belongs to the user
  const std::filesystem::path path = std::filesystem::temp_directory_path(error) / "accord";
  if (!error) std::filesystem::create_directories(path, error);
  return error ? std::string() : text_of_path(path);
}

void settle_runtime(char** /*argv*/) {
  // Bytes are read and written as they are, so that outputs are those of other systems.
  _fmode = _O_BINARY;
  for (const int stream : std::array{0, 1, 2}) ::_setmode(stream, _O_BINARY);
}

int run_this_program(const std::vector<std::string>& /*arguments*/) { return -1; }

void serve_in_background(unsigned /*seconds*/) {}

std::vector<std::string> shared_library_names(const std::string& name) { return {name + ".dll"}; }

SharedLibrary load_shared_library(const std::string& name, Binding /*binding*/) {
  const HMODULE handle = ::LoadLibraryW(path_of_text(name).c_str());
  if (handle != nullptr) return {handle, {}};
  const auto code = static_cast<int>(::GetLastError());
  return {nullptr, name + ": " + std::error_code(code, std::system_category()).message()};
}

void* function_of(void* library, const char* name) {
  if (library == nullptr) return nullptr;
  return reinterpret_cast<void*>(::GetProcAddress(static_cast<HMODULE>(library), name));
}

void unload(const SharedLibrary& library) {
  if (library.handle) ::FreeLibrary(static_cast<HMODULE>(library.handle));
}

std::int64_t process_id() { return ::GetCurrentProcessId(); }

bool set_environment(const std::string& name, const std::string& value) {
  return ::_putenv_s(name.c_str(), value.c_str()) == 0;
}

double process_cpu_seconds() {
  FILETIME start{}, end{}, kernel{}, user{};
  ::GetProcessTimes(::GetCurrentProcess(), &start, &end, &kernel, &user);
  return seconds_of(kernel) + seconds_of(user);
}

double thread_cpu_seconds() {
  FILETIME start{}, end{}, kernel{}, user{};
  if (!::GetThreadTimes(::GetCurrentThread(), &start, &end, &kernel, &user)) return -1;
  return seconds_of(kernel) + seconds_of(user);
}

void yield_to_other_threads() { ::SetThreadPriority(::GetCurrentThread(), THREAD_PRIORITY_LOWEST); }

std::size_t process_peak_bytes() {
  PROCESS_MEMORY_COUNTERS usage{};
  if (!::GetProcessMemoryInfo(::GetCurrentProcess(), &usage, sizeof usage)) return 0;
  return usage.PeakWorkingSetSize;
}

int allowed_processors() {
  DWORD_PTR of_process = 0, of_system = 0;
  if (!::GetProcessAffinityMask(::GetCurrentProcess(), &of_process, &of_system)) return 0;
  return std::popcount(of_process);
}

std::optional<double> machine_memory() {
  MEMORYSTATUSEX memory{};
  memory.dwLength = sizeof memory;
  if (!::GlobalMemoryStatusEx(&memory)) return std::nullopt;
  return static_cast<double>(memory.ullTotalPhys);
}

std::optional<double> address_space_limit() { return std::nullopt; }

bool open_on_desktop(const std::string& path) {
  const auto answer = ::ShellExecuteW(nullptr, L"open", path_of_text(path).c_str(), nullptr,
                                      nullptr, SW_SHOWNORMAL);
  return reinterpret_cast<std::intptr_t>(answer) > 32;  // smaller numbers are errors
}

bool is_terminal(int descriptor) { return ::_isatty(descriptor) != 0; }

std::optional<std::size_t> terminal_columns() {
  CONSOLE_SCREEN_BUFFER_INFO screen{};
  if (!::GetConsoleScreenBufferInfo(::GetStdHandle(STD_ERROR_HANDLE), &screen)) return std::nullopt;
  return screen.dwSize.X;
}

void take_end_requests(EndRequestTaker taker) {
  g_taker = taker;
  ::SetConsoleCtrlHandler(take, TRUE);
}

void let_writes_fail() {}  // they do

void end_by_closed_pipe() {}  // there is no such signal

}  // namespace accord
