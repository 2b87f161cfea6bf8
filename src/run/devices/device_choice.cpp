// SPDX-License-Identifier: Apache-2.0
#include "run/devices/device_choice.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>
#include <optional>

#include "accord/base/error.hpp"
#include "base/log.hpp"
#include "base/text.hpp"
#include "base/timeline.hpp"
#include "base/timer.hpp"

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

}  // namespace accord
