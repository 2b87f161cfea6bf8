// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "engine/backend.hpp"
#include "engine/opencl/opencl_settings.hpp"
#include "engine/scheduler.hpp"
#include "run/devices/device_choice.hpp"

namespace accord {

/// Which devices a run asks for, and what they are to compute.
struct DeviceRequest {
  std::string device = "none";  ///< as choose_devices takes it
  ocl::OpenClSettings opencl = {};
  std::vector<const Stage*> stages = {};  ///< that the devices get ready for as soon as they open
  /// Stages that the devices are tested with beside `stages` and those of the aligner.
  std::vector<const Stage*> others = {};
  /// The work of the run, as host_seconds takes it. "auto" leaves little work to the host and does
  /// not touch OpenCL, since the driver of a GPU takes longer to start.
  double work = std::numeric_limits<double>::infinity();
  bool needs_doubles = false;  ///< "auto" takes no GPU without double precision
  /// Where there may be a GPU, "auto" lets the host compute while another thread opens it; what
  /// goes wrong with the GPU is a warning then.
  bool in_background = false;
};

/// What a run computes with: open devices, the host, and a scheduler over them.
class RunDevices {
 public:
  /// Opens the devices. The earlier in a run, the better: they compile their kernels meanwhile.
  /// Throws  as choose_devices and open_backends, but for devices that are opened in the
  /// background.
  explicit RunDevices(const DeviceRequest& request);

  /// The same devices for another run, also while this one goes on. The other run has a check of
  /// its own, and faults that are counted from here on.
  /// Throws  Error{device_unavailable} in a fork of the process that opened the devices: the fork
  ///         has none of their threads.
  RunDevices for_another_run() const;

  /// Calls `body` with the scheduler, then warns of the faults of devices in this run.
  /// Returns  what `body` returns.
  template <class Body>
  auto compute(const Body& body) {
    auto result = body(scheduler_);
    warn_of(use().faults);
    return result;
  }

  /// As Scheduler::set_check, for this run alone.
  void set_check(std::function<void()> check) { scheduler_.set_check(std::move(check)); }
  /// Lets the devices get ready for another stage.
  void announce(const Stage& stage);
  /// The devices in words, for messages.
  std::string names() const;
  /// Whether devices compute, or may come to.
  bool expects_devices() const;
  /// Where the run is computed, and what has gone wrong there in it. Waits until all devices are
  /// open.
  DeviceUse use() const;

 private:
  struct Opened;
  explicit RunDevices(std::shared_ptr<Opened> opened);

  std::shared_ptr<Opened> opened_;
  Scheduler scheduler_;  // its work is that of the devices, its check that of the run
  DeviceFaults faults_before_;
};

}  // namespace accord
