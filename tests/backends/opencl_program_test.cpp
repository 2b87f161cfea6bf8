// SPDX-License-Identifier: Apache-2.0
// Compiled programs: from the source, from the disk cache, from a damaged cache.
#include <doctest/doctest.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "backends/opencl_devices.hpp"
#include "engine/opencl/disk_cache.hpp"
#include "engine/opencl/fault.hpp"
#include "engine/opencl/program.hpp"
#include "stages/posteriors/posterior_opencl.hpp"
#include "support/scratch.hpp"

namespace accord::testing {
namespace {

/// A cache directory of its own, which does not exist yet, for the time of a test.
class OwnCache {
 public:
  explicit OwnCache(const std::string& directory = "") {
    if (const char* before = std::getenv("ACCORD_CACHE_DIR")) before_ = before;
    setenv("ACCORD_CACHE_DIR", (directory.empty() ? path() : directory).c_str(), 1);
  }
  ~OwnCache() { setenv("ACCORD_CACHE_DIR", before_.c_str(), 1); }
  OwnCache(const OwnCache&) = delete;
  OwnCache& operator=(const OwnCache&) = delete;

  std::string path() const { return scratch_.path("cache"); }

  /// The bytes of all entries by their names.
  std::map<std::string, std::string> entries() const {
    std::map<std::string, std::string> found;
    if (!std::filesystem::exists(path())) return found;
    for (const auto& entry : std::filesystem::directory_iterator(path())) {
      found[entry.path().string()] = file_bytes(entry.path().string());
    }
    return found;
  }

 private:
  ScratchDirectory scratch_;
  std::string before_;
};

TEST_CASE("disk cache: what was stored comes back, under its key alone") {
  const OwnCache cache;
  CHECK(!ocl::read_cache("key"));
  const std::string value("a\0b\n", 4);
  ocl::write_cache("key", value);
  ocl::write_cache("key2", "");
  CHECK(ocl::read_cache("key") == value);
  CHECK(ocl::read_cache("key2") == "");
  CHECK(!ocl::read_cache("ke"));
  CHECK(!ocl::read_cache("keya"));  // the value begins with 'a'
  ocl::write_cache("key", "new");
  CHECK(ocl::read_cache("key") == "new");
  CHECK(cache.entries().size() == 2);
}

TEST_CASE("disk cache: any damage is noticed") {
  const OwnCache cache;
  ocl::write_cache("key", "some value");
  const auto [path, bytes] = *cache.entries().begin();
  const std::filesystem::path file(path);
  const auto rewrite = [&](const std::string& text) {
    std::ofstream(file, std::ios::binary) << text;
  };
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    CAPTURE(at);
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ 4);
    rewrite(damaged);
    CHECK(!ocl::read_cache("key"));
    rewrite(bytes.substr(0, at));
    CHECK(!ocl::read_cache("key"));
  }
  rewrite(bytes + "x");
  CHECK(!ocl::read_cache("key"));
  // The entry of another key under this name, as after a collision of hashes.
  ocl::write_cache("other", "wrong");
  for (const auto& [other, text] : cache.entries()) {
    if (other != path) rewrite(text);
  }
  CHECK(!ocl::read_cache("key"));
  rewrite(bytes);
  CHECK(ocl::read_cache("key") == "some value");
}

TEST_CASE("disk cache: off, no directory, no room") {
  for (const char* directory : {"off", "/dev/null/cache", "/proc/accord"}) {
    const OwnCache cache(directory);
    CAPTURE(directory);
    ocl::write_cache("key", "value");
    CHECK(!ocl::read_cache("key"));
  }
}

TEST_CASE("disk cache: several writers at once leave one whole entry") {
  const OwnCache cache;
  std::vector<std::jthread> threads;
  for (char c = 'a'; c < 'a' + 8; ++c) {
    threads.emplace_back([c] {
      for (int k = 0; k < 50; ++k) {
        ocl::write_cache("key", std::string(10000, c));
        const auto value = ocl::read_cache("key");
        CHECK(value.has_value());
        CHECK(value->size() == 10000);
        CHECK(*value == std::string(10000, value->front()));
      }
    });
  }
  threads.clear();
  CHECK(cache.entries().size() == 1);
}

/// How a device got the posterior programs: calls of clCreateProgramWith...
std::pair<std::uint64_t, std::uint64_t> source_and_binary_builds(const ocl::DeviceInfo& device,
                                                                 const std::string& faults = "") {
  ocl::inject_faults(faults.empty() ? "count" : faults);
  {
    const ocl::Session session(device);
    for (const auto& kernel : ocl::posterior_kernels(device, ocl::choose_layout(device))) {
      ocl::start_build(session, kernel);
      CHECK(ocl::build_kernel(session, kernel)() != nullptr);
    }
  }
  std::map<std::string, std::uint64_t> calls = ocl::counted_calls();
  ocl::inject_faults("");
  return {calls["clCreateProgramWithSource"], calls["clCreateProgramWithBinary"]};
}

TEST_CASE("programs are compiled once, and again if the cached form is damaged or refused") {
  using Builds = std::pair<std::uint64_t, std::uint64_t>;
  for (const ocl::DeviceInfo& device : devices_to_test()) {
    CAPTURE(device.description);
    const OwnCache cache;
    CHECK(source_and_binary_builds(device) == Builds{2, 0});
    const auto entries = cache.entries();
    CHECK(entries.size() == 2);
    CHECK(source_and_binary_builds(device) == Builds{0, 2});
    CHECK(cache.entries() == entries);
    for (const auto& [path, bytes] : entries) {
      std::ofstream(std::filesystem::path(path), std::ios::binary)
          << bytes.substr(0, bytes.size() / 2);
    }
    CHECK(source_and_binary_builds(device) == Builds{2, 0});
    CHECK(source_and_binary_builds(device) == Builds{0, 2});
    CHECK(source_and_binary_builds(device, "clCreateProgramWithBinary:1+:-42") == Builds{2, 2});
    ocl::DeviceInfo other_driver = device;
    other_driver.driver += " later";
    CHECK(source_and_binary_builds(other_driver) == Builds{2, 0});
  }
}

TEST_CASE("a build that cannot begin is no error before the kernel is wanted") {
  for (const ocl::DeviceInfo& device : devices_to_test()) {
    const ocl::Session session(device);
    const ocl::KernelChoice kernel =
        ocl::posterior_kernels(device, ocl::choose_layout(device)).front();
    ocl::inject_faults("clRetainContext:1+:-5");
    ocl::start_build(session, kernel);
    CHECK(ocl::counted_calls().at("clRetainContext") == 1);
    CHECK(error_of([&] { ocl::build_kernel(session, kernel); }).kind() == ErrorKind::device_failed);
    ocl::inject_faults("");
    CHECK(ocl::build_kernel(session, kernel)() != nullptr);
  }
}

TEST_CASE("device memory is counted against the budget, and free again when a buffer is gone") {
  for (ocl::DeviceInfo device : devices_to_test()) {
    CAPTURE(device.description);
    device.global_memory = 10000;
    {
      const ocl::Session session(device);
      CHECK(session.memory->budget() == 8000);
      std::vector<cl::Buffer> buffers;
      for (int k = 0; k < 4; ++k) buffers.push_back(ocl::allocate(session, 2000));
      CHECK(session.memory->used() == 8000);
      const Error full = error_of([&] { ocl::allocate(session, 1); });
      CHECK(full.kind() == ErrorKind::out_of_memory);
      CHECK(full.hint().find("{device-memory}") != std::string::npos);
      const cl::Buffer other = buffers[0];
      buffers.clear();
      wait_for_use(session, 2000);  // another handle holds one
      ocl::GrowingBuffer growing;
      growing.reserve(session, 3000);
      growing.reserve(session, 1000);
      wait_for_use(session, 5000);
      growing.reserve(session, 6000);  // frees the old one first
      CHECK(session.memory->used() == 8000);
      CHECK(error_of([&] { growing.reserve(session, 6001); }).kind() == ErrorKind::out_of_memory);
      wait_for_use(session, 2000);
      CHECK(session.memory->peak() == 8000);
    }
    ocl::OpenClSettings settings;
    settings.memory_percent = 50;
    CHECK(ocl::Session(device, settings).memory->budget() == 5000);
    settings.memory_bytes = 1234;
    CHECK(ocl::Session(device, settings).memory->budget() == 1234);
    settings.memory_bytes = 12345;
    CHECK(ocl::Session(device, settings).memory->budget() == 10000);
  }
}

TEST_CASE("a buffer that grows by a little stays the same, in steps that memory can bear") {
  for (const ocl::DeviceInfo& device : devices_to_test()) {
    const ocl::Session session(device);
    ocl::GrowingBuffer growing;
    const cl::Buffer first = growing.reserve(session, 10000);
    CHECK(session.memory->used() > 10000);
    CHECK(session.memory->used() <= 10000 + session.info.budget() / 10000);
    CHECK(growing.reserve(session, session.memory->used())() == first());
    CHECK(growing.reserve(session, session.memory->used() + 1)() != first());
  }
}

TEST_CASE("a fault while a buffer is made leaves nothing in the account") {
  for (const ocl::DeviceInfo& device : devices_to_test()) {
    const ocl::Session session(device);
    for (const char* function : {"clCreateBuffer", "clSetMemObjectDestructorCallback"}) {
      ocl::inject_faults(std::string(function) + ":1:-4");
      CHECK_THROWS_AS(ocl::allocate(session, 1000), cl::Error);
      ocl::inject_faults("");
      wait_for_use(session, 0);
    }
  }
}

TEST_CASE("kernels in larger work-groups than any device may be asked for are refused") {
  for (const ocl::DeviceInfo& device : devices_to_test()) {
    const ocl::Session session(device);
    ocl::KernelChoice kernel = ocl::posterior_kernels(device, ocl::KernelLayout::lanes)[1];
    kernel.group = 257;
    const Error error = error_of([&] { ocl::build_kernel(session, kernel); });
    CHECK(error.kind() == ErrorKind::device_failed);
    CHECK(std::string(error.what()).find("work-groups of 257") != std::string::npos);
  }
}

}  // namespace
}  // namespace accord::testing
