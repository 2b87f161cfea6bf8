// SPDX-License-Identifier: Apache-2.0
// The order of these two counts.
#include <windows.h>
// clang-format off
#include <psapi.h>
#include <shellapi.h>
// clang-format on
#include <io.h>

#include <bit>
#include <cstdlib>

#include "base/paths.hpp"
#include "base/system_process.hpp"

namespace accord {

std::int64_t process_id() { return ::GetCurrentProcessId(); }

bool set_environment(const std::string& name, const std::string& value) {
  return ::_putenv_s(name.c_str(), value.c_str()) == 0;
}

double process_cpu_seconds() {
  FILETIME start{}, end{}, kernel{}, user{};
  ::GetProcessTimes(::GetCurrentProcess(), &start, &end, &kernel, &user);
  const auto seconds = [](const FILETIME& time) {  // in steps of 100 ns
    return 1e-7 * (0x1p32 * time.dwHighDateTime + time.dwLowDateTime);
  };
  return seconds(kernel) + seconds(user);
}

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

}  // namespace accord
