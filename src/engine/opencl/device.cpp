// SPDX-License-Identifier: Apache-2.0
#include "engine/opencl/device.hpp"

#include <array>
#include <cstdlib>
#include <fstream>
#include <map>
#include <optional>
#include <tuple>

#include "accord/base/error.hpp"
#include "base/paths.hpp"
#include "base/system.hpp"
#include "base/text.hpp"
#include "engine/opencl/cl.hpp"
#include "engine/opencl/driver_cache.hpp"
#include "engine/opencl/library.hpp"

namespace accord::ocl {
namespace {

// Attributes that are not in the standard headers (cl_khr_pci_bus_info,
// cl_nv_device_attribute_query, cl_amd_device_attribute_query).
constexpr cl_device_info kPciBusInfo = 0x410F;
constexpr cl_device_info kNvidiaMajor = 0x4000, kNvidiaMinor = 0x4001;
constexpr cl_device_info kNvidiaBus = 0x4008, kNvidiaSlot = 0x4009, kNvidiaDomain = 0x400A;
constexpr cl_device_info kAmdTopology = 0x4037;

constexpr const char* kNvidiaExtension = "cl_nv_device_attribute_query";
constexpr const char* kPocl = "Portable Computing Language";

/// Asks for an attribute that the driver may not know.
template <class T>
std::optional<T> ask(const cl::Device& device, cl_device_info attribute) {
  T value{};
  if (clGetDeviceInfo(device(), attribute, sizeof value, &value, nullptr) != CL_SUCCESS) {
    return std::nullopt;
  }
  return value;
}

std::string format_pci(unsigned domain, unsigned bus, unsigned slot, unsigned function) {
  return formatted("%04x:%02x:%02x.%x", domain, bus, slot, function);
}

/// The PCI address, by whichever extension the driver has. The driver is asked only for attributes
/// of its extensions.
std::string pci_address(const cl::Device& device, const std::string& extensions) {
  struct PciBusInfo {
    cl_uint domain, bus, slot, function;
  };
  struct AmdTopology {
    cl_uint type;
    cl_char unused[17], bus, slot, function;
  };
  const auto has = [&](const char* name) { return extensions.find(name) != std::string::npos; };
  if (has("cl_khr_pci_bus_info")) {
    if (const auto info = ask<PciBusInfo>(device, kPciBusInfo)) {
      return format_pci(info->domain, info->bus, info->slot, info->function);
    }
  }
  if (has(kNvidiaExtension)) {
    const auto bus = ask<cl_uint>(device, kNvidiaBus), slot = ask<cl_uint>(device, kNvidiaSlot);
    if (bus && slot) {
      return format_pci(ask<cl_uint>(device, kNvidiaDomain).value_or(0), *bus, *slot >> 3,
                        *slot & 7);
    }
  }
  if (!has("cl_amd_device_attribute_query")) return {};
  constexpr cl_uint kTopologyIsPci = 1;
  const auto amd = ask<AmdTopology>(device, kAmdTopology);
  if (amd && amd->type == kTopologyIsPci) {
    return format_pci(0, static_cast<cl_uchar>(amd->bus), static_cast<cl_uchar>(amd->slot),
                      static_cast<cl_uchar>(amd->function));
  }
  return {};
}

/// The compute capability of an NVIDIA device, 90 for 9.0; 0 for other devices.
std::uint32_t compute_capability(const cl::Device& device, const std::string& extensions) {
  if (extensions.find(kNvidiaExtension) == std::string::npos) return 0;
  const auto major = ask<cl_uint>(device, kNvidiaMajor);
  return 10 * major.value_or(0) + ask<cl_uint>(device, kNvidiaMinor).value_or(0);
}

DeviceKind kind_of(cl_device_type type) {
  if (type & CL_DEVICE_TYPE_GPU) return DeviceKind::gpu;
  if (type & CL_DEVICE_TYPE_CPU) return DeviceKind::cpu;
  if (type & CL_DEVICE_TYPE_ACCELERATOR) return DeviceKind::accelerator;
  return DeviceKind::other;
}

/// Why accord cannot use the device; empty if it has all that the kernels need.
std::string reason_unusable(const cl::Device& device) {
  if (!device.getInfo<CL_DEVICE_AVAILABLE>()) return "the driver says that it is not available";
  if (!device.getInfo<CL_DEVICE_COMPILER_AVAILABLE>()) return "its driver has no compiler";
  if (!device.getInfo<CL_DEVICE_ENDIAN_LITTLE>()) return "it is big-endian";
  if (!(device.getInfo<CL_DEVICE_SINGLE_FP_CONFIG>() & CL_FP_ROUND_TO_NEAREST)) {
    return "it does not round to nearest";
  }
  if (device.getInfo<CL_DEVICE_PROFILE>() != "FULL_PROFILE") return "it has the embedded profile";
  return {};
}

std::string trimmed(std::string text) {
  const char* blanks = " \t\r\n";
  text.erase(0, text.find_first_not_of(blanks));
  text.erase(text.find_last_not_of(blanks) + 1);
  return text;
}

void ask_all(const cl::Device& device, DeviceInfo& info) {
  info.kind = kind_of(device.getInfo<CL_DEVICE_TYPE>());
  info.description = trimmed(device.getInfo<CL_DEVICE_NAME>());
  info.vendor = trimmed(device.getInfo<CL_DEVICE_VENDOR>());
  info.driver = trimmed(device.getInfo<CL_DRIVER_VERSION>());
  const std::string extensions = device.getInfo<CL_DEVICE_EXTENSIONS>();
  info.pci = pci_address(device, extensions);
  info.global_memory = device.getInfo<CL_DEVICE_GLOBAL_MEM_SIZE>();
  info.largest_buffer = device.getInfo<CL_DEVICE_MAX_MEM_ALLOC_SIZE>();
  info.local_memory = device.getInfo<CL_DEVICE_LOCAL_MEM_SIZE>();
  info.compute_units = device.getInfo<CL_DEVICE_MAX_COMPUTE_UNITS>();
  info.largest_group = device.getInfo<CL_DEVICE_MAX_WORK_GROUP_SIZE>();
  info.float_lanes = device.getInfo<CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT>();
  info.shares_host_memory = device.getInfo<CL_DEVICE_HOST_UNIFIED_MEMORY>();
  info.has_double = extensions.find("cl_khr_fp64") != std::string::npos;
  info.fused_multiply_add = device.getInfo<CL_DEVICE_SINGLE_FP_CONFIG>() & CL_FP_FMA;
  info.compute_capability = compute_capability(device, extensions);
  info.unusable = reason_unusable(device);
}

/// Adds the devices of a platform; notes the fault if the platform cannot be asked.
void add_devices(const cl::Platform& platform, DeviceList& list) {
  std::vector<cl::Device> found;
  std::string name, version;
  try {
    name = trimmed(platform.getInfo<CL_PLATFORM_NAME>());
    version = trimmed(platform.getInfo<CL_PLATFORM_VERSION>());
    platform.getDevices(CL_DEVICE_TYPE_ALL, &found);
  } catch (const cl::Error& error) {
    if (error.err() == CL_DEVICE_NOT_FOUND) return;
    list.problem = "an OpenCL driver (" + (name.empty() ? "without a name" : name) +
                   ") does not answer: " + error.what() + " failed (" + format_status(error.err()) +
                   ")";
    return;
  }
  for (const cl::Device& device : found) {
    DeviceInfo info;
    info.id = device();
    info.description = "a device that does not answer";
    info.platform = name;
    info.platform_version = version;
    try {
      ask_all(device, info);
      if (name == kPocl && info.unusable.empty()) info.unusable = driver_cache_problem();
    } catch (const cl::Error& error) {
      info.unusable = std::string(error.what()) + " failed (" + format_status(error.err()) + ")";
    }
    list.devices.push_back(std::move(info));
  }
}

/// Platforms that offer the devices of other vendors through another interface: the vendor's own
/// driver is faster and better tested.
bool is_translation_layer(const std::string& platform) {
  constexpr std::array<const char*, 3> kLayers = {"clover", "rusticl", "openclon12"};
  const std::string name = lower_case(platform);
  return std::any_of(kLayers.begin(), kLayers.end(),
                     [&](const char* layer) { return name.find(layer) != std::string::npos; });
}

/// Says why the ICD loader found no platform: looks at the driver files that it reads.
std::string explain_missing_platform() {
  const char* variable = std::getenv("OCL_ICD_VENDORS");
  const std::string directory = variable && *variable ? variable : "/etc/OpenCL/vendors";
  const std::string where =
      variable && *variable ? "$OCL_ICD_VENDORS (" + directory + ")" : directory;
  std::error_code ignored;
  std::vector<std::string> files;
  for (const DirectoryEntry& entry : directory_entries(directory, ignored)) {
    if (entry.name.ends_with(".icd")) files.push_back(entry.path);
  }
  std::sort(files.begin(), files.end());
  if (files.empty()) {
    return "no driver is registered in " + where +
           ": install your GPU's OpenCL driver, or PoCL for the processor (https://portablecl.org)";
  }
  for (const std::string& file : files) {
    std::string library;
    std::getline(std::ifstream(file) >> std::ws, library);
    library = trimmed(library);
    const SharedLibrary driver = load_shared_library(library, Binding::when_called);
    if (!driver.handle) {
      return file + " names a driver that cannot be loaded (" + driver.problem +
             "): install it again";
    }
    unload(driver);
  }
  return "the drivers registered in " + where +
         " found no device: check the permissions of the "
         "device files (/dev/nvidia*, /dev/dri/*, /dev/kfd)";
}

}  // namespace

void arrange_devices(std::vector<DeviceInfo>& devices) {
  // The platform through which the device at each PCI address is used.
  std::map<std::string, std::tuple<bool, bool, std::size_t>> best;
  std::map<std::string, std::size_t> platforms;  // numbered as they come
  const auto rank = [&](const DeviceInfo& device) {
    const std::size_t place = platforms.emplace(device.platform, platforms.size()).first->second;
    return std::tuple(!device.unusable.empty(), is_translation_layer(device.platform), place);
  };
  for (const DeviceInfo& device : devices) {
    const auto here = rank(device);
    const auto known = best.emplace(device.pci, here).first;
    known->second = std::min(known->second, here);
  }
  std::erase_if(devices, [&](const DeviceInfo& device) {
    return !device.pci.empty() && std::get<2>(rank(device)) != std::get<2>(best.at(device.pci));
  });
  std::stable_sort(devices.begin(), devices.end(), [](const DeviceInfo& a, const DeviceInfo& b) {
    return std::tie(a.kind, a.pci, a.description) < std::tie(b.kind, b.pci, b.description);
  });
  std::map<DeviceKind, int> count;
  for (DeviceInfo& device : devices) {
    const char* kind = device.kind == DeviceKind::gpu           ? "gpu"
                       : device.kind == DeviceKind::cpu         ? "cpu"
                       : device.kind == DeviceKind::accelerator ? "acc"
                                                                : "dev";
    device.name = kind + std::to_string(count[device.kind]++);
  }
}

DeviceList list_devices() {
  DeviceList list;
  try {
    load_library();
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::device_unavailable) throw;
    list.problem = error.what();
    list.hint = error.hint();
    return list;
  }
  std::vector<cl::Platform> platforms;
  std::string status;
  try {
    cl::Platform::get(&platforms);
  } catch (const cl::Error& error) {
    status = " (clGetPlatformIDs: " + format_status(error.err()) + ")";
  }
  for (const cl::Platform& platform : platforms) add_devices(platform, list);
  arrange_devices(list.devices);
  if (platforms.empty()) {
    list.problem = "no OpenCL platform found" + status;
    list.hint = explain_missing_platform();
  } else if (list.devices.empty()) {
    if (list.problem.empty()) list.problem = "the OpenCL drivers of this machine have no device";
    list.hint = "check that the device is there and that you may use it";
  }
  if (const std::string problem = driver_cache_problem();
      list.devices.empty() && !problem.empty()) {
    list.hint = problem;
  }
  return list;
}

std::string DeviceInfo::identity() const {
  return platform + '\n' + platform_version + '\n' + vendor + '\n' + description + '\n' + driver +
         '\n';
}

void limit_memory(DeviceInfo& device, const OpenClSettings& settings) {
  device.memory_limit = settings.memory_bytes > 0
                            ? settings.memory_bytes
                            : device.global_memory / 100 * settings.memory_percent;
}

std::string format_device(const DeviceInfo& device) {
  return device.name + ": " + device.description + " (" + device.platform + ", driver " +
         device.driver + ")";
}

}  // namespace accord::ocl
