// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "engine/opencl/device.hpp"

namespace accord {

/// The devices that a --device argument asks for.
struct DeviceChoice {
  std::vector<ocl::DeviceInfo> devices;  ///< in the order of the argument, each once
  bool host = false;                     ///< whether the host computes, too
  bool is_auto = false;  ///< "auto": the first good device computes, or else the host
};

/// Reads a --device argument: items with commas between them, each "none" (the host), an item of
/// find_devices(), or "auto" (see auto_devices()), which must stand alone. If all items are "none",
/// OpenCL is not touched.
///
/// Throws  Error{device_unavailable} if there is no device for an item; Error{usage} for "auto"
///         beside other items.
DeviceChoice choose_devices(const std::string& argument);

/// The devices that "auto" tries, the best first, as places in the list: all usable GPUs, those
/// with separate memory before those that share the memory of the host. Processors are not among
/// them, since the host computes faster without OpenCL.
std::vector<std::size_t> auto_devices(const ocl::DeviceList& list);

/// The devices that one item of a --device argument names, as places in the list, from 0. An item
/// is such a place, a name (gpu0, cpu0), a type (gpu, cpu, acc: all devices of it), "pci:ADDRESS"
/// (0a:00.0, with or without the domain), or a part of the description or platform of one device,
/// in letters of either case.
/// Throws  Error{device_unavailable} if no device matches, or if a part matches several; the hint
///         lists the devices.
std::vector<std::size_t> find_devices(const ocl::DeviceList& list, const std::string& item);

}  // namespace accord
