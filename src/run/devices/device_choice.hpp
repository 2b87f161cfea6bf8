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
  bool host = false;                     ///< the host is to compute, too
  bool is_auto = false;  ///< nobody named them: the first good one computes, else the host
};

/// Reads a --device argument: items with commas between them, each "none" (the host), "auto"
/// (auto_devices(); stands alone), or one for find_devices(). OpenCL is not touched if all items
/// are "none".
///
/// Throws  Error{device_unavailable} if a device was asked for that is not there; Error{usage} for
///         "auto" beside other items.
DeviceChoice choose_devices(const std::string& argument);

/// What computes, for the report.
struct UsedDevice {
  std::string id;    ///< "none" (the host), "gpu0", ...
  std::string name;  ///< as its driver calls it; of the host the instruction set
  std::string platform = {}, driver = {}, pci = {};  ///< empty: there is none
  std::string self_test;                             ///< "passed", "off", or "not needed"
};

/// The host, as reports name it.
UsedDevice used_host(const Backend& host);

/// Where a run was computed, and what went wrong there.
struct DeviceUse {
  std::vector<UsedDevice> devices;
  std::string names;  ///< of the devices, in words
  DeviceFaults faults;
};

/// The backends of a run, ready to compute.
struct OpenBackends {
  std::vector<std::unique_ptr<Backend>> devices;
  std::unique_ptr<Backend> host;  ///< always there, for what the devices cannot do
  HostRole host_role = HostRole::standby;
  std::vector<UsedDevice> used;  ///< those that were asked for

  /// The backends that were asked for, in words, with "; " between them.
  std::string names() const;
  /// See Backend::announce.
  void announce(const Stage& stage) const;
  /// The devices, as a scheduler takes them.
  std::vector<Backend*> devices_to_use() const;
  /// A scheduler over the backends, which must outlive it.
  std::unique_ptr<Scheduler> scheduler() const;
};

/// Opens the devices of a choice. A device is used only after its self-test (ACCORD_SELF_TEST=off
/// skips it, for simulators, where it takes minutes); of "auto", a device that fails it or cannot
/// be opened is left out with a warning. `others` are stages beside those of the aligner that are
/// to be tested, too.
///
/// Throws  Error{device_failed} if a named device cannot be used; Error{no_input} for a kernel
///         directory that does not exist.
OpenBackends open_backends(const DeviceChoice& choice, const ocl::OpenClSettings& settings = {},
                           std::span<const Stage* const> others = {});

/// Places in the list of the devices that "auto" takes if they are good, the best first: GPUs that
/// can be used, those with memory of their own before those that share the host's. After them, and
/// before all processors, comes the host: it is faster without OpenCL in between.
std::vector<std::size_t> auto_devices(const ocl::DeviceList& list);

/// Places in the list of the devices that one item means: a number, a name (gpu0, cpu0), a type
/// (gpu, cpu, acc: all of that type), "pci:ADDRESS" (0a:00.0, with the domain or without), or a
/// part of one device's description or platform in any case.
/// Throws  Error{device_unavailable} if none match, or a part matches several; the hint lists them.
std::vector<std::size_t> find_devices(const ocl::DeviceList& list, const std::string& item);

}  // namespace accord
