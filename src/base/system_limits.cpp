// SPDX-License-Identifier: Apache-2.0
#include "base/system_limits.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>
#include <vector>

#include "base/system.hpp"

namespace accord {
namespace {

namespace fs = std::filesystem;

std::optional<double> first_number(const std::string& path, std::size_t skip = 0) {
  std::ifstream file(path);
  std::string word;
  for (std::size_t k = 0; k <= skip; ++k) {
    if (!(file >> word)) return std::nullopt;
  }
  std::istringstream text(word);
  double value = 0;
  if (!(text >> value)) return std::nullopt;  // "max": no limit
  return value;
}

/// The directory of a control group and those of its parent groups, as far as they are visible
/// here.
std::vector<std::string> group_directories(const std::string& root, const std::string& group) {
  std::vector<std::string> directories;
  fs::path path = fs::path(group).relative_path();
  for (; !path.empty(); path = path.parent_path()) {
    directories.push_back((fs::path(root) / path).string());
  }
  directories.push_back(root);
  return directories;
}

/// The directories of the groups through which `controller` ("cpu", "memory") limits this process.
struct Groups {
  std::vector<std::string> version1, version2;
};

Groups groups_of(const std::string& controller, const SystemFiles& files) {
  Groups groups;
  std::ifstream list(files.cgroup_of_self);
  for (std::string line; std::getline(list, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = first == line.npos ? line.npos : line.find(':', first + 1);
    if (second == line.npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const std::string group = line.substr(second + 1);
    if (controllers.empty()) {
      groups.version2 = group_directories(files.cgroup_root, group);
    } else if (("," + controllers + ",").find("," + controller + ",") != line.npos) {
      groups.version1 = group_directories(files.cgroup_root + "/" + controllers, group);
    }
  }
  return groups;
}

void keep_least(std::optional<double>& least, std::optional<double> value) {
  if (value && *value > 0 && (!least || *value < *least)) least = value;
}

}  // namespace

std::optional<int> cgroup_processors(const SystemFiles& files) {
  const Groups groups = groups_of("cpu", files);
  std::optional<double> least;
  const auto keep_share = [&](std::optional<double> quota, std::optional<double> period) {
    if (quota && period && *period > 0) keep_least(least, *quota / *period);
  };
  for (const std::string& directory : groups.version2) {
    keep_share(first_number(directory + "/cpu.max"), first_number(directory + "/cpu.max", 1));
  }
  for (const std::string& directory : groups.version1) {
    keep_share(first_number(directory + "/cpu.cfs_quota_us"),
               first_number(directory + "/cpu.cfs_period_us"));
  }
  if (!least) return std::nullopt;
  const auto whole = static_cast<int>(std::min(*least, 1e6));
  return std::max(1, whole + (*least > whole ? 1 : 0));
}

std::optional<std::size_t> memory_limit(const SystemFiles& files) {
  std::optional<double> least = machine_memory();
  if (const auto kibibytes = first_number(files.meminfo, 1)) least = *kibibytes * 1024.0;
  const Groups groups = groups_of("memory", files);
  for (const std::string& directory : groups.version2) {
    keep_least(least, first_number(directory + "/memory.max"));
  }
  for (const std::string& directory : groups.version1) {
    keep_least(least, first_number(directory + "/memory.limit_in_bytes"));
  }
  keep_least(least, address_space_limit());
  if (!least) return std::nullopt;
  return static_cast<std::size_t>(*least);
}

std::optional<std::size_t> usual_memory_budget() {
  const std::optional<std::size_t> limit = memory_limit();
  if (!limit) return std::nullopt;
  return *limit / 10 * 8;
}

int available_processors() {
  int count = static_cast<int>(std::thread::hardware_concurrency());
  if (const int allowed = allowed_processors(); allowed > 0) count = allowed;
  if (const std::optional<int> quota = cgroup_processors()) count = std::min(count, *quota);
  return std::max(1, count);
}

}  // namespace accord
