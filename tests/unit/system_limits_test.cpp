// SPDX-License-Identifier: Apache-2.0
#include "base/system_limits.hpp"

#include <doctest/doctest.h>

#include <filesystem>

#include "support/scratch.hpp"

using namespace accord;
using namespace accord::testing;

namespace {

/// A made-up /proc and /sys.
class FakeSystem {
 public:
  explicit FakeSystem(const std::string& cgroup_of_self) {
    write("cgroup", cgroup_of_self);
    files.cgroup_of_self = directory_.path("cgroup");
    files.cgroup_root = directory_.path("fs");
    files.meminfo = directory_.path("meminfo");
  }
  void write(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories(std::filesystem::path(directory_.path(name)).parent_path());
    directory_.write(name, text);
  }

  SystemFiles files;

 private:
  ScratchDirectory directory_;
};

}  // namespace

TEST_CASE("system limits: control groups, version 2, the strictest of those above counts") {
  const FakeSystem system("0::/job/step\n");
  CHECK_FALSE(cgroup_processors(system.files).has_value());
  system.write("fs/job/step/cpu.max", "max 100000\n");
  CHECK_FALSE(cgroup_processors(system.files).has_value());
  system.write("fs/job/cpu.max", "350000 100000\n");
  CHECK(cgroup_processors(system.files) == 4);
  system.write("fs/job/step/cpu.max", "20000 100000\n");
  CHECK(cgroup_processors(system.files) == 1);
  system.write("fs/job/step/cpu.max", "200000 100000\n");
  CHECK(cgroup_processors(system.files) == 2);
}

TEST_CASE("system limits: control groups, version 1, and a group that is not visible here") {
  const FakeSystem system("4:cpu,cpuacct:/job\n3:memory:/job\n2:cpuset:/other\n");
  system.write("fs/cpu,cpuacct/job/cpu.cfs_quota_us", "-1\n");
  system.write("fs/cpu,cpuacct/job/cpu.cfs_period_us", "100000\n");
  CHECK_FALSE(cgroup_processors(system.files).has_value());
  system.write("fs/cpu,cpuacct/job/cpu.cfs_quota_us", "600000\n");
  CHECK(cgroup_processors(system.files) == 6);
  system.write("fs/memory/job/memory.limit_in_bytes", "1000000\n");
  CHECK(memory_limit(system.files) == 1'000'000);
  // A container that sees only its own group finds its limits at the root.
  const FakeSystem hidden("0::/../../elsewhere\n");
  hidden.write("fs/cpu.max", "300000 100000\n");
  CHECK(cgroup_processors(hidden.files) == 3);
}

TEST_CASE("system limits: memory is the least of machine and groups") {
  const FakeSystem system("0::/job\n");
  system.write("meminfo", "MemTotal:       1000 kB\nMemFree: 10 kB\n");
  CHECK(memory_limit(system.files) == 1'024'000);
  system.write("fs/job/memory.max", "max\n");
  CHECK(memory_limit(system.files) == 1'024'000);
  system.write("fs/job/memory.max", "500000\n");
  CHECK(memory_limit(system.files) == 500'000);
  CHECK(available_processors() >= 1);
  CHECK(memory_limit().has_value());
}
