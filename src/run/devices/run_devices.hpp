// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/backend.hpp"
#include "engine/opencl/opencl_settings.hpp"
#include "engine/scheduler.hpp"
#include "method/align_result.hpp"
#include "run/devices/device_use.hpp"
#include "run/devices/standstill_watch.hpp"

namespace accord {

/// The devices that a run asks for, and what the run would take without them.
struct DeviceRequest {
  std::string device = "none";  ///< an argument of choose_devices()
  ocl::OpenClSettings opencl = {};
  std::vector<const Stage*> stages = {};  ///< announced to the devices when they open
  /// Further stages, not announced: the self-test of a device runs them beside `stages` and the
  /// stages of the aligner.
  std::vector<const Stage*> others = {};
  /// The seconds that the run takes on the host alone, as estimated. If they are few, "auto" means
  /// the host, and OpenCL is not touched: the driver of a GPU takes about as long to start.
  double host_seconds = std::numeric_limits<double>::infinity();
  bool needs_doubles = false;  ///< "auto" takes no GPU without double precision
  /// The run begins before all devices are ready: of several, with the first, or with the host if
  /// it is among them; of "auto", with the host, if the machine may have a GPU. If the run is done
  /// before a device is ready, the thread that opens it and all that this needs are left to
  /// themselves, since nothing stops the compiler of a driver; see has_left_devices().
  bool in_background = false;
  /// Called on another thread if the run stands still, see StandstillWatch. Not set: the run is not
  /// watched.
  StandstillWatch::OnStandstill on_standstill = {};
};

/// The open devices of a run, the host, and a scheduler over them.
class RunDevices {
 public:
  /// Opens the devices side by side. Call it early in a run: the devices compile their kernels
  /// during other work. Of several devices, or of "auto", one that cannot be used is left out with
  /// a warning.
  /// Throws  as choose_devices, and as the constructor of OpenBackends; Error{no_input} for a
  ///         directory of kernels that does not exist.
  explicit RunDevices(const DeviceRequest& request);

  /// Returns an object with the same devices for another run, which may go on at the same time. The
  /// other run has another check (set_check), and counts the faults of devices from this call on.
  /// Throws  Error{device_unavailable} in a fork of the process that opened the devices: the fork
  ///         has none of their threads.
  RunDevices for_another_run() const;

  /// Calls `body` with the scheduler, then warns of the faults of devices in this run.
  /// Returns  what `body` returns.
  template <class Body>
  auto compute(const Body& body) {
    auto result = body(scheduler_);
    warn_of_device_faults(use().faults);
    return result;
  }

  /// Scheduler::set_check for this run alone.
  void set_check(std::function<void()> check) { scheduler_.set_check(std::move(check)); }
  /// Announces another stage to the devices (see Backend::announce).
  void announce(const Stage& stage);
  /// The names of the devices, for messages.
  std::string names() const;
  /// Whether devices are open, or are being opened.
  bool expects_devices() const;
  /// The devices that can have computed for the run so far, and their faults in this run.
  DeviceUse use() const;

 private:
  struct Opened;
  explicit RunDevices(std::shared_ptr<Opened> opened);

  std::shared_ptr<Opened> opened_;
  Scheduler scheduler_;  // shares the queue of all runs on the devices; has the check of this run
  DeviceFaults faults_before_;
};

/// Whether a run of this process was done before its devices were open. The thread that opens them
/// may be inside a driver, so that the process has to end by std::_Exit: the destructors of static
/// objects would take away what the thread uses.
bool has_left_devices();

/// The devices, the memory budget and the listener of a run. It is the last argument of the
/// functions of src/run.
struct RunContext {
  RunDevices& devices;                       ///< must outlive this object
  std::optional<std::size_t> memory_budget;  ///< of the host, bytes; not set: not known
  RunListener listener = {};                 ///< receives stages and progress; the default: nothing
};

}  // namespace accord
