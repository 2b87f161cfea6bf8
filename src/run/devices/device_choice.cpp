// SPDX-License-Identifier: Apache-2.0
#include "run/devices/device_choice.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <optional>

#include "accord/base/error.hpp"
#include "base/log.hpp"
#include "base/text.hpp"
#include "base/timeline.hpp"
#include "base/timer.hpp"
#include "engine/host/host_backend.hpp"
#include "engine/opencl/disk_cache.hpp"
#include "engine/opencl/kernel_source.hpp"
#include "engine/opencl/opencl_backend.hpp"
#include "run/devices/device_survey.hpp"
#include "run/devices/standstill_watch.hpp"
#include "stages/aligner_stages.hpp"

namespace accord {
namespace {

using ocl::DeviceInfo;
using ocl::DeviceKind;
using ocl::DeviceList;

bool contains(const std::string& text, const std::string& part) {
  const auto same = [](unsigned char a, unsigned char b) {
    return std::tolower(a) == std::tolower(b);
  };
  return std::search(text.begin(), text.end(), part.begin(), part.end(), same) != text.end();
}

std::string list_names(const DeviceList& list, const std::vector<std::size_t>& places) {
  std::string text;
  for (std::size_t k : places) {
    text += (text.empty() ? "" : "; ") + ocl::format_device(list.devices[k]);
  }
  return text;
}

/// The places of the devices for which `is_wanted` holds.
template <class Predicate>
std::vector<std::size_t> places_of(const DeviceList& list, Predicate is_wanted) {
  std::vector<std::size_t> places;
  for (std::size_t k = 0; k < list.devices.size(); ++k) {
    if (is_wanted(list.devices[k])) places.push_back(k);
  }
  return places;
}

[[noreturn]] void fail_not_found(const std::string& item, const DeviceList& list) {
  const std::string text = "device " + item + ": no such device";
  if (list.devices.empty()) {
    throw Error(ErrorKind::device_unavailable, text + " (" + list.problem + ")", list.hint);
  }
  const auto all = places_of(list, [](const DeviceInfo&) { return true; });
  throw Error(ErrorKind::device_unavailable, text,
              "there are " + list_names(list, all) + "; and none, the host itself");
}

using PciAddress = std::array<unsigned, 4>;  // domain, bus, device, function

/// Reads "0000:0a:00.0", "0a:00.0" or "0a:00".
std::optional<PciAddress> parse_pci(const std::string& text) {
  PciAddress pci{};
  int end = 0;
  const int size = static_cast<int>(text.size());
  const auto ends = [&](int fields, int wanted) { return fields == wanted && end == size; };
  const char* address = text.c_str();
  if (ends(std::sscanf(address, "%8x:%2x:%2x.%1x%n", &pci[0], &pci[1], &pci[2], &pci[3], &end), 4))
    return pci;
  pci = {};
  if (ends(std::sscanf(address, "%2x:%2x.%1x%n", &pci[1], &pci[2], &pci[3], &end), 3)) return pci;
  pci = {};
  if (ends(std::sscanf(address, "%2x:%2x%n", &pci[1], &pci[2], &end), 2)) return pci;
  return std::nullopt;
}

std::optional<DeviceKind> kind_called(const std::string& word) {
  if (word == "gpu") return DeviceKind::gpu;
  if (word == "cpu") return DeviceKind::cpu;
  if (word == "acc") return DeviceKind::accelerator;
  return std::nullopt;
}

bool is_number(const std::string& text) {
  return !text.empty() && text.size() < 10 &&
         std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c); });
}

/// Logs the time of a step, shown at -v.
void log_time(const char* what, const Timer& timer, const std::string& detail) {
  log_verbose(formatted("%-12s %9.3f s  %s", what, timer.seconds(), detail.c_str()));
}

DeviceList timed_list() {
  const TimelineSpan span(SpanKind::step, "list devices");
  const Timer timer;
  DeviceList list = ocl::list_devices();
  log_time("listing", timer, counted(list.devices.size(), "OpenCL device"));
  return list;
}

DeviceChoice choose_auto() {
  DeviceChoice choice;
  choice.is_auto = true;
  const DeviceList list = timed_list();
  for (std::size_t place : auto_devices(list)) choice.devices.push_back(list.devices[place]);
  choice.host = choice.devices.empty();
  return choice;
}

/// Whether the user has turned the self-test off, for simulators, where it takes minutes.
bool is_self_test_off() {
  const char* variable = std::getenv("ACCORD_SELF_TEST");
  return variable != nullptr && std::string(variable) == "off";
}

/// The key in the cache for the seconds that getting a device ready took the last time. Versions of
/// the driver and the kernels are not in the key.
std::string ready_key(const DeviceInfo& device) {
  return "seconds until ready\n" + device.platform + "\n" + device.name;
}

std::optional<double> last_ready_seconds(const DeviceInfo& device) {
  const std::optional<std::string> text = ocl::read_cache(ready_key(device));
  if (!text) return std::nullopt;
  return std::atof(text->c_str());
}

/// Compiles the kernels of a backend and runs the self-test, with a notice every few seconds.
/// Returns the fault, if there is one.
std::string first_use(Backend& backend, std::span<const Stage* const> stages,
                      const DeviceInfo& device, const ocl::OpenClSettings& settings) {
  constexpr double kEvery = 10;
  const TimelineSpan span(SpanKind::step, "self-test of " + device.name);
  const SlowStepNotice notice(
      "getting " + ocl::format_device(device) + " ready (compiling kernels, self-test)",
      last_ready_seconds(device), kEvery, [](const std::string& line) { log_notice(line); });
  // All kernels, so that a compiler that builds side by side begins at once.
  for (const Stage* stage : stages) backend.announce(*stage);
  std::string problem = run_self_test(backend, stages, device, settings);
  if (problem.empty()) ocl::write_cache(ready_key(device), std::to_string(notice.seconds()));
  return problem;
}

/// Opens a backend on a device, and throws if the device fails the self-test of a stage.
std::unique_ptr<Backend> open_tested(const DeviceInfo& device, const ocl::OpenClSettings& settings,
                                     std::span<const Stage* const> stages) {
  const Timer timer;
  TimelineSpan span(SpanKind::step, "open " + device.name);
  auto backend = std::make_unique<OpenClBackend>(device, settings);
  span.end();
  log_time("opening", timer, device.name);
  if (is_self_test_off() || has_passed_self_test(stages, device, settings)) return backend;
  const std::string problem = first_use(*backend, stages, device, settings);
  if (problem.empty()) return backend;
  throw Error(ErrorKind::device_failed,
              ocl::format_device(device) + " failed its self-test: " + problem,
              "update its driver; {device=none} computes without it");
}

}  // namespace

std::vector<std::size_t> auto_devices(const DeviceList& list) {
  std::vector<std::size_t> gpus = places_of(list, [](const DeviceInfo& device) {
    return device.kind == DeviceKind::gpu && device.unusable.empty();
  });
  std::stable_partition(gpus.begin(), gpus.end(),
                        [&](std::size_t k) { return !list.devices[k].shares_host_memory; });
  return gpus;
}

std::vector<std::size_t> find_devices(const DeviceList& list, const std::string& item) {
  constexpr const char* kPci = "pci:";
  std::vector<std::size_t> found;
  if (is_number(item)) {
    if (const std::size_t number = std::stoul(item); number < list.devices.size()) {
      found.push_back(number);
    }
  } else if (const auto kind = kind_called(item)) {
    found = places_of(list, [&](const DeviceInfo& device) { return device.kind == *kind; });
  } else if (item.starts_with(kPci)) {
    const auto wanted = parse_pci(item.substr(std::string(kPci).size()));
    found = places_of(
        list, [&](const DeviceInfo& device) { return wanted && parse_pci(device.pci) == wanted; });
  } else if (!item.empty()) {
    found = places_of(list, [&](const DeviceInfo& device) { return device.name == item; });
    if (found.empty()) {
      found = places_of(list, [&](const DeviceInfo& device) {
        return contains(device.description, item) || contains(device.platform, item);
      });
      if (found.size() > 1) {
        throw Error(ErrorKind::device_unavailable, "device " + item + ": several devices match",
                    "say which one by number or name: " + list_names(list, found));
      }
    }
  }
  if (found.empty()) fail_not_found(item, list);
  return found;
}

DeviceChoice choose_devices(const std::string& argument) {
  if (argument == "auto") return choose_auto();
  DeviceChoice choice;
  std::optional<DeviceList> list;
  std::vector<std::size_t> places;
  for (const std::string_view part : split(argument, ',')) {
    const std::string item(part);
    if (item == "auto") {
      throw Error(ErrorKind::usage, "device " + argument + ": auto stands beside other devices",
                  "use auto alone, or name the devices");
    }
    if (item == "none") {
      choice.host = true;
      continue;
    }
    if (!list) list = timed_list();
    for (std::size_t place : find_devices(*list, item)) {
      if (std::find(places.begin(), places.end(), place) != places.end()) continue;
      places.push_back(place);
      choice.devices.push_back(list->devices[place]);
    }
  }
  return choice;
}

UsedDevice used_host(const Backend& host) {
  return {.id = "none", .name = host.name(), .self_test = "not needed"};
}

OpenBackends open_backends(const DeviceChoice& choice, const ocl::OpenClSettings& settings,
                           std::span<const Stage* const> others) {
  if (!settings.kernel_directory.empty()) ocl::check_kernel_directory(settings.kernel_directory);
  std::vector<const Stage*> stages(kAlignerStages.begin(), kAlignerStages.end());
  for (const Stage* other : others) {
    if (std::ranges::find(stages, other) == stages.end()) stages.push_back(other);
  }
  OpenBackends backends;
  for (const DeviceInfo& device : choice.devices) {
    try {
      backends.devices.push_back(open_tested(device, settings, stages));
      backends.used.push_back({device.name, device.description, device.platform, device.driver,
                               device.pci, is_self_test_off() ? "off" : "passed"});
      if (choice.is_auto) break;
    } catch (const Error& error) {
      if (!choice.is_auto || error.kind() == ErrorKind::usage) throw;
      log_warning(std::string(error.what()) + "; not used", "see 'accord devices --check'");
    }
  }
  backends.host = std::make_unique<HostBackend>();
  if (choice.host || backends.devices.empty()) {
    backends.host_role = HostRole::works;
    backends.used.push_back(used_host(*backends.host));
  }
  return backends;
}

std::string OpenBackends::names() const {
  std::string text;
  for (const auto& device : devices) text += (text.empty() ? "" : "; ") + device->name();
  if (host_role == HostRole::works) text += (text.empty() ? "" : "; ") + host->name();
  if (host_role == HostRole::until_devices_ready) text += host->name() + " until a GPU is ready";
  return text;
}

void OpenBackends::announce(const Stage& stage) const {
  for (const auto& device : devices) device->announce(stage);
}

std::vector<Backend*> OpenBackends::devices_to_use() const {
  std::vector<Backend*> found;
  for (const auto& device : devices) found.push_back(device.get());
  return found;
}

std::unique_ptr<Scheduler> OpenBackends::scheduler() const {
  return std::make_unique<Scheduler>(devices_to_use(), *host, host_role);
}

}  // namespace accord
