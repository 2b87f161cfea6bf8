// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/opencl/opencl_settings.hpp"

struct _cl_device_id;  // OpenCL's handle of a device

namespace accord::ocl {

/// The kind that a device reports. Processors, such as with PoCL, are `cpu`.
enum class DeviceKind { gpu, cpu, accelerator, other };

/// An OpenCL device and what it can do.
/// Units   memory in bytes.
struct DeviceInfo {
  _cl_device_id* id = nullptr;
  DeviceKind kind = DeviceKind::other;
  std::string name;         ///< "gpu0", "cpu0", ...: counted within the kind
  std::string description;  ///< the name that the driver gives
  std::string platform;
  std::string platform_version;
  std::string vendor;
  std::string driver;  ///< version
  std::string pci;     ///< "0000:0a:00.0"; empty if the driver does not say
  std::uint64_t global_memory = 0;
  std::uint64_t memory_limit = 0;  ///< 0: not set
  std::uint64_t largest_buffer = 0;
  std::uint64_t local_memory = 0;
  std::uint32_t compute_units = 0;
  std::size_t largest_group = 0;         ///< work-items in a work-group
  std::uint32_t float_lanes = 0;         ///< floats in a hardware vector of one work-item
  bool shares_host_memory = false;       ///< as the GPU inside a processor does
  bool has_double = false;               ///< fp64; accord does not need it
  bool fused_multiply_add = false;       ///< fma is an instruction (it is always exact)
  std::uint32_t compute_capability = 0;  ///< of NVIDIA's, 90 for 9.0; 0 of others
  std::string unusable;                  ///< why accord cannot use the device; empty if it can

  /// Platform, device and driver with their versions, a line each. Compiled programs and test
  /// results of the device are valid as long as this text is the same.
  std::string identity() const;

  /// Device memory that accord may occupy: the limit if one is set (limit_memory), else 80 % of the
  /// memory. Drivers accept buffers beyond their memory, so that accord has to count.
  std::uint64_t budget() const {
    return memory_limit > 0 ? std::min(memory_limit, global_memory) : global_memory / 5 * 4;
  }
};

/// The devices of this machine, or the reason why there are none.
struct DeviceList {
  std::vector<DeviceInfo> devices;
  std::string problem;  ///< why the list is empty; empty if it is not
  std::string hint;     ///< what the user can do about it
};

/// Sorts devices into the order of list_devices(), names them, and removes duplicates: if several
/// platforms list devices at one PCI address, the devices of one platform stay. The function
/// prefers a platform whose device is usable, then a vendor's platform (not Mesa's or Windows'
/// layers), then the platform listed first. Devices without an address stay. Pure.
void arrange_devices(std::vector<DeviceInfo>& devices);

/// All OpenCL devices in a stable order: GPUs, processors, accelerators, others; within a kind by
/// PCI address, then by description. Each device is listed once (see arrange_devices). A machine
/// without OpenCL is no error: the list is empty and says why. Loads the OpenCL library.
///
/// Throws  Error{usage} as load_library. Errors of OpenCL are not thrown: a platform that fails is
///         left out, and a device that fails is listed as unusable.
DeviceList list_devices();

/// Sets the memory limit of a device: to memory_bytes of the settings, or, if that is 0, to the
/// share memory_percent of its memory.
void limit_memory(DeviceInfo& device, const OpenClSettings& settings);

/// "gpu0: DESCRIPTION (PLATFORM, driver VERSION)"
std::string format_device(const DeviceInfo& device);

}  // namespace accord::ocl
