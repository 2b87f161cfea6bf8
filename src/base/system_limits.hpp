// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <optional>
#include <string>

namespace accord {

/// Files in which the system states what a process may use. Tests pass other files.
struct SystemFiles {
  std::string cgroup_of_self = "/proc/self/cgroup";
  std::string cgroup_root = "/sys/fs/cgroup";
  std::string meminfo = "/proc/meminfo";
};

/// The number of processors that the control group of this process may use (CPU quota / period, the
/// least over the group and its parents, cgroup versions 1 and 2), rounded up; none without a
/// quota.
std::optional<int> cgroup_processors(const SystemFiles& files = {});

/// Bytes of memory that this process may use: the least of the machine's memory, the limits of its
/// control groups and RLIMIT_AS; none if all are unknown.
std::optional<std::size_t> memory_limit(const SystemFiles& files = {});

/// The default memory limit of a run in bytes: 80 % of memory_limit(), since other processes need
/// memory, too; none if memory_limit() has none.
std::optional<std::size_t> usual_memory_budget();

/// The number of processors this process may run on, by its affinity mask and the quota of its
/// control group; at least 1.
int available_processors();

}  // namespace accord
