// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <optional>
#include <string>

namespace accord {

/// Files in which the system states what a process may use; tests give others.
struct SystemFiles {
  std::string cgroup_of_self = "/proc/self/cgroup";
  std::string cgroup_root = "/sys/fs/cgroup";
  std::string meminfo = "/proc/meminfo";
};

/// Processors that the control group of this process may use (CPU quota / period of the strictest
/// group above it, cgroup versions 1 and 2), rounded up; none if there is no quota.
std::optional<int> cgroup_processors(const SystemFiles& files = {});

/// Bytes of memory that this process may use: the least of the machine's memory, the limits of
/// its control groups and RLIMIT_AS; none if nothing is known.
std::optional<std::size_t> memory_limit(const SystemFiles& files = {});

/// The default memory limit of a run: 80 % of what the process may use, since other processes need
/// some, too.
std::optional<std::size_t> usual_memory_budget();

/// The number of processors this process may run on: its affinity mask and its control group's
/// quota; at least 1.
int available_processors();

}  // namespace accord
