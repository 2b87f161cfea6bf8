// SPDX-License-Identifier: Apache-2.0
// Whose entries the cache of kernels uses: the driver runs them as code.
#include <doctest/doctest.h>
#include <unistd.h>

#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <string>
#include <utility>

#include "accord/base/error.hpp"
#include "base/log.hpp"
#include "base/paths.hpp"
#include "base/system.hpp"
#include "engine/opencl/disk_cache.hpp"
#include "engine/opencl/driver_cache.hpp"
#include "io/files/text_input.hpp"
#include "support/scratch.hpp"

using namespace accord;
using accord::testing::ScratchDirectory;

namespace {

namespace fs = std::filesystem;

/// A variable of the environment, until the end of a test. A null pointer removes it.
class Variable {
 public:
  Variable(std::string name, const char* value) : name_(std::move(name)) {
    if (const char* before = std::getenv(name_.c_str())) {
      before_ = before;
      is_set_ = true;
    }
    set(value);
  }
  ~Variable() { set(is_set_ ? before_.c_str() : nullptr); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  void set(const char* value) {
    if (value == nullptr) {
      ::unsetenv(name_.c_str());
    } else {
      ::setenv(name_.c_str(), value, 1);
    }
  }

  std::string name_, before_;
  bool is_set_ = false;
};

std::size_t entries_in(const std::string& directory) {
  return static_cast<std::size_t>(
      std::distance(fs::directory_iterator(directory), fs::directory_iterator()));
}

}  // namespace

TEST_CASE("disk cache: a directory that others may write to, or of another user, is not used") {
  const ScratchDirectory scratch;
  const std::string cache = scratch.path("new/cache");
  const Variable directory("ACCORD_CACHE_DIR", cache.c_str());
  const WarningScope scope;
  ocl::write_cache("key", "value");
  CHECK(fs::status(cache).permissions() == fs::perms::owner_all);
  CHECK(ocl::read_cache("key") == "value");
  for (const fs::perms others : {fs::perms::group_write, fs::perms::others_write}) {
    fs::permissions(cache, fs::perms::owner_all | others);
    CHECK(!ocl::read_cache("key"));
    ocl::write_cache("new", "value");
    CHECK(entries_in(cache) == 1);
  }
  // One warning for the process, whatever is read and written; another test may have caused it.
  CHECK(scope.warnings().size() <= 1);
  for (const Warning& warning : scope.warnings()) {
    CHECK(warning.text.find(cache) != std::string::npos);
    CHECK(warning.hint.find("ACCORD_CACHE_DIR") != std::string::npos);
  }
  fs::permissions(cache, fs::perms::owner_all | fs::perms::group_read | fs::perms::group_exec);
  CHECK(ocl::read_cache("key") == "value");
  constexpr unsigned kOther = 12345;
  if (::chown(cache.c_str(), kOther, kOther) == 0) CHECK(!ocl::read_cache("key"));  // as root
}

TEST_CASE("driver cache: PoCL's own directory is left if others may write to it") {
  const ScratchDirectory scratch;
  const std::string shared = scratch.path("shared"), cache = scratch.path("cache");
  fs::create_directory(shared);
  const Variable directory("ACCORD_CACHE_DIR", cache.c_str()),
      all("XDG_CACHE_HOME", shared.c_str());
  const auto chosen = [] {
    const Variable pocl("POCL_CACHE_DIR", nullptr);
    ocl::settle_driver_cache();
    const char* path = std::getenv("POCL_CACHE_DIR");
    return std::string(path == nullptr ? "" : path);
  };
  fs::permissions(shared, fs::perms::owner_all);
  CHECK(chosen().empty());  // that of PoCL
  fs::permissions(shared, fs::perms::all);
  CHECK(chosen() == cache + "/pocl");
  CHECK(fs::status(cache + "/pocl").permissions() == fs::perms::owner_all);
}

TEST_CASE("system files: who may write to a directory, and paths with a NUL") {
  const ScratchDirectory scratch;
  const std::string path = scratch.path("a/b");
  CHECK(!others_may_write(path));  // there is none
  make_private_directory(path);
  CHECK(is_directory(path));
  CHECK(!others_may_write(path));
  fs::permissions(path, fs::perms::all);
  CHECK(others_may_write(path));
  CHECK(others_may_write("/tmp") ==
        ((fs::status("/tmp").permissions() & fs::perms::others_write) != fs::perms::none));
  const std::string file = scratch.write("x", "text"), longer = file + std::string("\0y", 2);
  CHECK(open_to_read(longer) == -1);
  CHECK(open_new_file(scratch.path("z") + std::string("\0y", 2)) == -1);
  CHECK(!fs::exists(scratch.path("z")));
  CHECK_THROWS_AS(read_bytes(longer), Error);
}
