// SPDX-License-Identifier: Apache-2.0
// The list of devices, how one is chosen, and what the kernels are compiled from.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

#include "accord/base/error.hpp"
#include "backends/opencl_devices.hpp"
#include "engine/host/host_backend.hpp"
#include "engine/opencl/kernel_source.hpp"
#include "engine/opencl/opencl_backend.hpp"
#include "engine/opencl/program.hpp"
#include "run/devices/device_choice.hpp"
#include "run/devices/device_survey.hpp"
#include "run/devices/open_backends.hpp"
#include "stages/aligner_stages.hpp"
#include "stages/posteriors/posterior_call.hpp"
#include "support/paths.hpp"
#include "support/scratch.hpp"

namespace accord::testing {
namespace {

using ocl::DeviceInfo;
using ocl::DeviceKind;
using ocl::DeviceList;
using Places = std::vector<std::size_t>;

DeviceInfo made_up(DeviceKind kind, const std::string& name, const std::string& description,
                   const std::string& platform) {
  DeviceInfo device;
  device.kind = kind;
  device.name = name;
  device.description = description;
  device.platform = platform;
  device.driver = "1.0";
  return device;
}

DeviceList made_up_list() {
  return {{made_up(DeviceKind::gpu, "gpu0", "Arc A770", "Intel OpenCL"),
           made_up(DeviceKind::gpu, "gpu1", "H200", "NVIDIA CUDA"),
           made_up(DeviceKind::cpu, "cpu0", "pthread-EPYC", "Portable Computing Language")},
          "",
          ""};
}

/// The text and the hint of the error that `body` throws.
std::string error_of(ErrorKind kind, const std::function<void()>& body) {
  try {
    body();
  } catch (const Error& error) {
    CHECK(error.kind() == kind);
    return error.what() + (" / " + error.hint());
  }
  FAIL("no error");
  return {};
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST_CASE("devices come in a stable order with counted names") {
  const std::vector<DeviceInfo> devices = ocl::list_devices().devices;
  CHECK(
      std::is_sorted(devices.begin(), devices.end(), [](const DeviceInfo& a, const DeviceInfo& b) {
        return std::tie(a.kind, a.pci) < std::tie(b.kind, b.pci);
      }));
  const std::vector<DeviceInfo> again = ocl::list_devices().devices;
  REQUIRE(again.size() == devices.size());
  for (std::size_t k = 0; k < devices.size(); ++k) {
    CHECK(again[k].id == devices[k].id);
    CHECK(again[k].name == devices[k].name);
    CHECK(devices[k].budget() <= devices[k].global_memory);
    CHECK(find_devices({devices, "", ""}, std::to_string(k)) == Places{k});
    CHECK(find_devices({devices, "", ""}, devices[k].name) == Places{k});
  }
}

TEST_CASE("a device that two platforms offer is listed once, as the better one") {
  const auto device_at = [](const std::string& pci, const std::string& description,
                            const std::string& platform, const std::string& unusable = "") {
    DeviceInfo device = made_up(DeviceKind::gpu, "", description, platform);
    device.pci = pci;
    device.unusable = unusable;
    return device;
  };
  std::vector<DeviceInfo> devices = {
      device_at("0000:c1:00.0", "Arc by Mesa", "rusticl"),
      device_at("0000:c1:00.0", "Arc", "Intel OpenCL"),
      device_at("0000:03:00.0", "H200 part 1", "NVIDIA CUDA"),
      device_at("0000:03:00.0", "H200 part 2", "NVIDIA CUDA"),
      device_at("0000:03:00.0", "H200 again", "Other CUDA"),
      device_at("0000:85:00.0", "Radeon", "AMD-APP", "its driver has no compiler"),
      device_at("0000:85:00.0", "Radeon by Mesa", "Clover"),
      device_at("", "no address", "rusticl"),
      device_at("", "no address", "AMD-APP"),
      made_up(DeviceKind::cpu, "", "EPYC", "Portable Computing Language")};
  ocl::arrange_devices(devices);
  std::vector<std::string> names;
  for (const DeviceInfo& device : devices) names.push_back(device.name + " " + device.description);
  CHECK(names == std::vector<std::string>{"gpu0 no address", "gpu1 no address", "gpu2 H200 part 1",
                                          "gpu3 H200 part 2", "gpu4 Radeon by Mesa", "gpu5 Arc",
                                          "cpu0 EPYC"});
}

TEST_CASE("a device by number, name, and part of the description or platform") {
  const DeviceList list = made_up_list();
  CHECK(find_devices(list, "0") == Places{0});
  CHECK(find_devices(list, "2") == Places{2});
  CHECK(find_devices(list, "gpu1") == Places{1});
  CHECK(find_devices(list, "cpu0") == Places{2});
  CHECK(find_devices(list, "arc a7") == Places{0});
  CHECK(find_devices(list, "nvidia") == Places{1});
  CHECK(find_devices(list, "Portable") == Places{2});
}

TEST_CASE("devices by type and by PCI address") {
  DeviceList list = made_up_list();
  list.devices[0].pci = "0000:03:00.0";
  list.devices[1].pci = "0001:c1:00.0";
  CHECK(find_devices(list, "gpu") == Places{0, 1});
  CHECK(find_devices(list, "cpu") == Places{2});
  CHECK(find_devices(list, "pci:03:00.0") == Places{0});
  CHECK(find_devices(list, "pci:0000:03:00.0") == Places{0});
  CHECK(find_devices(list, "pci:03:00") == Places{0});
  CHECK(find_devices(list, "pci:00000001:C1:00.0") == Places{1});
  for (const std::string item : {"acc", "pci:", "pci:c1:00.0", "pci:03", "pci:03:00.0x", "pci:x"}) {
    CAPTURE(item);
    CHECK(has(error_of(ErrorKind::device_unavailable, [&] { find_devices(list, item); }),
              "no such device"));
  }
}

TEST_CASE("several devices with commas between them, each once") {
  CHECK(choose_devices("none").host);
  CHECK(choose_devices("none").devices.empty());
  CHECK(choose_devices("auto").is_auto);
  const std::vector<DeviceInfo> all = devices_to_test();
  if (!all.empty()) {
    const std::string last = all.back().name;
    const DeviceChoice choice = choose_devices(last + ",none," + last);
    CHECK(choice.host);
    CHECK(!choice.is_auto);
    REQUIRE(choice.devices.size() == 1);
    CHECK(choice.devices[0].id == all.back().id);
    const OpenBackends backends(openers_of(choice, {}, {}), HostRole::works, BeginWhen::all_ready);
    const std::vector<Backend*> ready = backends.ready();
    REQUIRE(ready.size() == 2);
    CHECK(has(ready[0]->name(), last));
    CHECK(backends.names() == ready[0]->name() + "; " + HostBackend().name());
  }
  error_of(ErrorKind::usage, [] { choose_devices("none,auto"); });
  for (const std::string argument : {"none,", ",none", "none,gpu99", ""}) {
    CAPTURE(argument);
    error_of(ErrorKind::device_unavailable, [&] { choose_devices(argument); });
  }
}

TEST_CASE("a device that is not there, or not the only one") {
  const DeviceList list = made_up_list();
  for (const std::string wanted : {"3", "99999999999999999999", "gpu7", "Radeon", ""}) {
    CAPTURE(wanted);
    const std::string text =
        error_of(ErrorKind::device_unavailable, [&] { find_devices(list, wanted); });
    CHECK(has(text, "no such device"));
    for (const DeviceInfo& device : list.devices) CHECK(has(text, ocl::format_device(device)));
  }
  const std::string several =
      error_of(ErrorKind::device_unavailable, [&] { find_devices(list, "a"); });
  CHECK(has(several, "several devices"));
  CHECK(has(several, "gpu0"));
  const std::string nothing = error_of(ErrorKind::device_unavailable, [] {
    find_devices({{}, "no OpenCL platform found", "install one"}, "gpu0");
  });
  CHECK(has(nothing, "no OpenCL platform found"));
  CHECK(has(nothing, "install one"));
}

TEST_CASE("auto prefers GPUs with memory of their own, and takes no processor") {
  DeviceList list = made_up_list();
  CHECK(auto_devices(list) == Places{0, 1});
  list.devices[0].shares_host_memory = true;
  CHECK(auto_devices(list) == Places{1, 0});
  list.devices[1].unusable = "its driver has no compiler";
  CHECK(auto_devices(list) == Places{0});
  list.devices.erase(list.devices.begin(), list.devices.begin() + 2);
  CHECK(auto_devices(list).empty());
}

TEST_CASE("of auto a device that cannot be opened is left out, a named one is an error") {
  DeviceChoice choice;
  choice.devices = {made_up(DeviceKind::gpu, "gpu0", "old", "older")};
  choice.devices[0].unusable = "it is big-endian";
  const auto names_of = [](const DeviceChoice& chosen) {
    return OpenBackends(openers_of(chosen, {}, {}), HostRole::standby, BeginWhen::all_ready)
        .names();
  };
  error_of(ErrorKind::device_failed, [&] { names_of(choice); });
  choice.is_auto = true;
  for (const DeviceInfo& device : devices_to_test()) choice.devices.push_back(device);
  const WarningCatcher catcher;
  const std::string names = names_of(choice);
  const bool has_good = choice.devices.size() > 1;
  CHECK(has(names, has_good ? choice.devices[1].name : "host"));
  REQUIRE(catcher.warnings().size() == 1);
  CHECK(has(catcher.warnings()[0], "gpu0"));
  CHECK(has(catcher.warnings()[0], "big-endian"));
  choice.devices.resize(1);
  CHECK(has(names_of(choice), "host"));
}

TEST_CASE("the self-test passes the host and every device, in both kernel layouts") {
  HostBackend host;
  CHECK(compare_with_host(host, kAlignerStages) == "");
  for (const DeviceInfo& device : devices_to_test()) {
    for (const char* layout : {"lanes", "group"}) {
      const ForcedLayout forced(layout);
      OpenClBackend backend(device);
      CHECK(compare_with_host(backend, kAlignerStages) == "");
    }
  }
}

TEST_CASE("threads that compute on one device at the same time do not disturb each other") {
  for (const DeviceInfo& device : devices_to_test()) {
    OpenClBackend backend(device);
    INFO(backend.name());
    // Once alone, as the self-test does in a run: PoCL 5.0 ends the process now and then where
    // threads are the first to run a kernel ("pocl_release_dlhandle_cache: Assertion").
    REQUIRE(compare_with_host(backend, kAlignerStages).empty());
    std::vector<std::string> problems(3, "not run");
    std::vector<std::thread> threads;
    for (std::string& problem : problems) {
      threads.emplace_back([&] {
        try {
          problem = compare_with_host(backend, kAlignerStages) +
                    compare_with_host(backend, kAlignerStages);
        } catch (const Error& error) {
          problem = error.what();
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    CHECK(problems == std::vector<std::string>(3));
  }
}

TEST_CASE("an unusable device is refused with the reason") {
  DeviceInfo device = made_up(DeviceKind::gpu, "gpu0", "old", "older");
  device.unusable = "it is big-endian";
  const std::string text =
      error_of(ErrorKind::device_failed, [&] { const OpenClBackend backend(device); });
  CHECK(has(text, "big-endian"));
}

TEST_CASE("an unknown kernel layout is refused") {
  for (const DeviceInfo& device : devices_to_test()) {
    const ForcedLayout forced("round");
    const OpenClBackend backend(device);
    const std::string text =
        error_of(ErrorKind::usage, [&] { (void)backend.limits(PosteriorCall::stage); });
    CHECK(has(text, "ACCORD_OPENCL_LAYOUT=round"));
  }
}

TEST_CASE("embedded kernels are the files of the kernels directory") {
  const std::filesystem::path directory = std::filesystem::path(source_dir()) / "kernels";
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(directory)) {
    if (entry.path().extension() != ".cl" && entry.path().extension() != ".h") continue;
    ++files;
    const std::string name = std::filesystem::relative(entry.path(), directory).generic_string();
    CAPTURE(name);
    std::ifstream in(entry.path(), std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    const auto embedded = ocl::kernel_files();
    const auto file = std::find_if(embedded.begin(), embedded.end(),
                                   [&](const auto& other) { return other.name == name; });
    REQUIRE(file != embedded.end());
    CHECK((file->text == text));
  }
  CHECK(files == ocl::kernel_files().size());
}

TEST_CASE("includes are expanded once, with marks of file and line") {
  const std::string text = ocl::expanded_source("posteriors/posterior_lanes.cl");
  CHECK(!has(text, "#include \""));
  CHECK(has(text, "#line 1 \"kernels/posteriors/posterior_lanes.cl\"\n"));
  const std::string mark = "#line 1 \"kernels/shared/platform.h\"\n";
  REQUIRE(has(text, mark));
  CHECK(text.find(mark, text.find(mark) + 1) == std::string::npos);
  CHECK_THROWS_AS(ocl::expanded_source("missing.cl"), Error);
}

TEST_CASE("lines that a compiler counts in the whole text are told by file and line") {
  const std::string text = ocl::expanded_source("posteriors/posterior_lanes.cl");
  const std::string wanted = "#line 1 \"kernels/shared/platform.h\"\n";
  const std::size_t begin = text.find(wanted);
  REQUIRE(begin != std::string::npos);
  const auto line =
      std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(begin), '\n');
  const auto place = [](std::ptrdiff_t number) { return "<kernel>:" + std::to_string(number); };
  CHECK(ocl::with_kernel_places(place(2) + ":7: error: x\n" + place(line + 2) + ":1: y\n" +
                                    place(line + 4) + place(9'999'999) + "<kernel>:",
                                text) ==
        "kernels/posteriors/posterior_lanes.cl:1:7: error: x\nkernels/shared/platform.h:1:1: y\n"
        "kernels/shared/platform.h:3<kernel>:9999999<kernel>:");
  CHECK(ocl::with_kernel_places("", text).empty());
}

TEST_CASE("an error of the compiler names the kernel file and line") {
  for (const DeviceInfo& device : devices_to_test()) {
    const ocl::Session session(device);
    const std::string text = error_of(ErrorKind::device_failed, [&] {
      ocl::build_kernel(session, {"posteriors/posterior_lanes.cl", "posterior_lanes", ""});
    });
    CAPTURE(text);
    CHECK(has(text, device.name));
    CHECK(has(text, "CL_BUILD_PROGRAM_FAILURE, -11"));
    CHECK(has(text, "kernels/shared/vector.h:"));
    CHECK(has(text, "ACCORD_LANES"));
  }
}

}  // namespace
}  // namespace accord::testing
