// SPDX-License-Identifier: Apache-2.0
#include "accord/app/device_choice.hpp"

#include <algorithm>
#include <cctype>
#include <optional>
#include <vector>

#include "accord/base/error.hpp"
#include "accord/host/host_backend.hpp"
#include "accord/opencl/opencl_backend.hpp"

namespace accord {
namespace {

bool contains(const std::string& text, const std::string& part) {
  const auto same = [](unsigned char a, unsigned char b) {
    return std::tolower(a) == std::tolower(b);
  };
  return std::search(text.begin(), text.end(), part.begin(), part.end(), same) != text.end();
}

std::string list_names(const std::vector<ocl::DeviceInfo>& devices) {
  std::string text;
  for (const ocl::DeviceInfo& device : devices) {
    text += (text.empty() ? "" : "; ") + ocl::describe(device);
  }
  return text;
}

[[noreturn]] void fail_not_found(const std::string& wanted, const ocl::DeviceList& list) {
  const std::string text = "--device " + wanted + ": no such device";
  if (list.devices.empty()) {
    throw Error(ErrorKind::device_unavailable, text + " (" + list.problem + ")", list.hint);
  }
  throw Error(ErrorKind::device_unavailable, text,
              "there are " + list_names(list.devices) + "; and none, the host itself");
}

}  // namespace

std::optional<std::size_t> auto_device(const ocl::DeviceList& list) {
  for (std::size_t k = 0; k < list.devices.size(); ++k) {
    const ocl::DeviceInfo& device = list.devices[k];
    if (device.kind == ocl::DeviceKind::gpu && device.unusable.empty()) return k;
  }
  return std::nullopt;
}

std::size_t find_device(const ocl::DeviceList& list, const std::string& wanted) {
  const std::vector<ocl::DeviceInfo>& devices = list.devices;
  const bool is_number = !wanted.empty() && wanted.size() < 10 &&
                         std::all_of(wanted.begin(), wanted.end(),
                                     [](unsigned char c) { return std::isdigit(c) != 0; });
  if (is_number) {
    const std::size_t number = std::stoul(wanted);
    if (number >= devices.size()) fail_not_found(wanted, list);
    return number;
  }
  std::vector<std::size_t> matches;
  for (std::size_t k = 0; k < devices.size(); ++k) {
    if (devices[k].name == wanted) return k;
    if (contains(devices[k].description, wanted) || contains(devices[k].platform, wanted)) {
      matches.push_back(k);
    }
  }
  if (wanted.empty() || matches.empty()) fail_not_found(wanted, list);
  if (matches.size() > 1) {
    std::vector<ocl::DeviceInfo> found;
    for (std::size_t k : matches) found.push_back(devices[k]);
    throw Error(ErrorKind::device_unavailable, "--device " + wanted + ": several devices match",
                "say which one by number or name: " + list_names(found));
  }
  return matches.front();
}

std::unique_ptr<Backend> choose_backend(const std::string& device) {
  if (device == "none") return std::make_unique<HostBackend>();
  const ocl::DeviceList list = ocl::list_devices();
  if (device != "auto") {
    return std::make_unique<OpenClBackend>(list.devices[find_device(list, device)]);
  }
  if (const auto gpu = auto_device(list)) {
    return std::make_unique<OpenClBackend>(list.devices[*gpu]);
  }
  return std::make_unique<HostBackend>();
}

}  // namespace accord
