// SPDX-License-Identifier: Apache-2.0
// What systems say of a process and of the machine, each in its way: system_process_linux.cpp and
// the files of other systems.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace accord {

/// The number by which the system knows this process.
std::int64_t process_id();

/// Sets a variable of the environment of this process.
/// Returns  whether the system has set it.
bool set_environment(const std::string& name, const std::string& value);

/// User + system processor seconds of this process so far.
double process_cpu_seconds();

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

}  // namespace accord
