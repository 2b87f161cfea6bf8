// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/backend.hpp"
#include "engine/opencl/device.hpp"
#include "engine/opencl/opencl_settings.hpp"
#include "engine/scheduler.hpp"

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

/// A device or the host, for the report.
struct UsedDevice {
  std::string id;    ///< "none" (the host), "gpu0", ...
  std::string name;  ///< the name that the driver gives; of the host, the instruction set
  std::string platform = {}, driver = {}, pci = {};  ///< empty for the host
  std::string self_test;                             ///< "passed", "off", or "not needed"
};

/// The entry of the host in reports.
UsedDevice used_host(const Backend& host);

/// The devices that computed a run, and their faults.
struct DeviceUse {
  std::vector<UsedDevice> devices;
  std::string names;  ///< OpenBackends::names() of the run
  DeviceFaults faults;
};

/// The backends of a run, ready to compute.
struct OpenBackends {
  std::vector<std::unique_ptr<Backend>> devices;
  std::unique_ptr<Backend> host;           ///< never null; computes what the devices cannot
  HostRole host_role = HostRole::standby;  ///< whether the host computes, too (see HostRole)
  std::vector<UsedDevice> used;            ///< the backends that compute, for the report

  /// The names of the backends that compute, with "; " between them.
  std::string names() const;
  /// Announces to every device a stage that will be used later, so that it can prepare for it.
  void announce(const Stage& stage) const;
  /// Pointers to the devices, for a scheduler.
  std::vector<Backend*> devices_to_use() const;
  /// A new scheduler over the backends; the backends must outlive the scheduler.
  std::unique_ptr<Scheduler> scheduler() const;
};

/// Opens the devices of a choice. A device is used only after its self-test (ACCORD_SELF_TEST=off
/// skips it, for simulators, where it takes minutes); for "auto", a device that fails the test or
/// cannot be opened is left out with a warning, and the first good device is the only one. If no
/// device is left, the host computes.
/// `others`: stages beside those of the aligner that the self-test computes, too.
///
/// Throws  Error{device_failed} if a named device cannot be used; Error{no_input} for a kernel
///         directory that does not exist.
OpenBackends open_backends(const DeviceChoice& choice, const ocl::OpenClSettings& settings = {},
                           std::span<const Stage* const> others = {});

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
