// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "engine/work_queue.hpp"

namespace accord {

/// A device or the host, for the report.
struct UsedDevice {
  std::string id;    ///< "none" (the host), "gpu0", ...
  std::string name;  ///< the name that the driver gives; of the host, the instruction set
  std::string platform = {}, driver = {}, pci = {};  ///< empty for the host
  /// "passed", "off", "not needed", or "failed": the device was named, but cannot be used.
  std::string self_test;
};

/// The devices that computed a run, and their faults.
struct DeviceUse {
  std::vector<UsedDevice> devices;  ///< and those that were named, but cannot be used
  std::string names;                ///< OpenBackends::names() of the run
  DeviceFaults faults;
};

}  // namespace accord
