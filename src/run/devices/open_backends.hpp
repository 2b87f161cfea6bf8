// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <condition_variable>
#include <cstddef>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/backend.hpp"
#include "engine/scheduler.hpp"
#include "run/devices/device_opening.hpp"

namespace accord {

/// When a run begins, and with which backends.
enum class BeginWhen {
  at_once,  ///< with the host, which computes until a device is ready
  /// With the host if it works, or with the first device that has processors of its own; with
  /// another device only if no such device is being opened.
  first_ready,
  all_ready  ///< with all devices
};

/// The host, and devices that open side by side. Each device joins the queue of the scheduler when
/// it is ready. A device that cannot be used is left out with a warning.
class OpenBackends {
 public:
  /// Opens each device on a thread of its own, a single one that is waited for on the calling
  /// thread, and returns when the run may begin. `role`: of the host. `stages` are announced to
  /// each device.
  /// Throws  what the opener of a single device throws, if the host neither works nor computes
  ///         meanwhile; Error{device_failed} if none of several devices can be used, and the host
  ///         does not work. Error{out_of_memory} if the system gives too few threads.
  OpenBackends(const std::vector<DeviceOpener>& openers, HostRole role, BeginWhen begin,
               std::span<const Stage* const> stages = {});
  /// Waits until no device is being opened.
  ~OpenBackends() = default;
  OpenBackends(const OpenBackends&) = delete;
  OpenBackends& operator=(const OpenBackends&) = delete;

  /// Its backends compute as they get ready.
  Scheduler& scheduler() { return *scheduler_; }
  /// Announces a stage to every device, also to those that get ready later (Backend::announce).
  void announce(const Stage& stage);
  /// Whether devices are being opened.
  bool is_opening() const;
  /// Whether devices are ready, or are being opened.
  bool expects_devices() const;
  /// The backends that compute at this moment: the devices in the order of the openers, and the
  /// host if it works or if no device is ready.
  std::vector<Backend*> ready() const;
  /// The names of these, with "; " between them.
  std::string names() const;
  /// The report's entries of these, and of the devices that cannot be used.
  std::vector<UsedDevice> used() const;

 private:
  /// A device, once it is ready or has failed.
  struct Place {
    std::unique_ptr<Backend> backend;
    std::optional<UsedDevice> used;
    std::string problem;  // why it cannot be used
  };

  void open_all(const std::vector<DeviceOpener>& openers);
  void open(Place& place, const DeviceOpener& opener);
  void take(Place& place, ReadyDevice device);
  void leave_out(Place& place, const DeviceOpener& opener, const std::string& problem);
  std::vector<Backend*> ready_devices() const;
  bool host_computes() const;

  const HostRole role_;
  const std::unique_ptr<Backend> host_;
  mutable std::mutex mutex_;         // for the members that follow, while devices are opened
  std::condition_variable changed_;  // a device is ready, or has failed
  std::vector<const Stage*> stages_;
  std::vector<Place> places_;  // of each opener
  std::size_t opening_;        // devices that are being opened
  std::size_t awaited_;        // those that bring processors of their own
  std::unique_ptr<Scheduler> scheduler_;
  std::vector<std::future<void>> threads_;  // last: they use the members above
};

}  // namespace accord
