// SPDX-License-Identifier: Apache-2.0
#include "run/devices/run_devices.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <future>
#include <mutex>
#include <utility>

#include "accord/base/error.hpp"
#include "base/log.hpp"
#include "base/paths.hpp"
#include "base/system.hpp"
#include "base/text.hpp"
#include "base/timeline.hpp"
#include "engine/host/host_backend.hpp"

namespace accord {
namespace {

/// Whether "auto" means the host: for a run that the host finishes before the driver of a GPU has
/// started.
bool is_for_host(const DeviceRequest& request) {
  constexpr double kDriverSeconds = 0.5;  // 0.4 on a machine with an H200, 1.3 with four
  return request.device == "auto" && request.host_seconds < kDriverSeconds;
}

OpenBackends open_requested(const DeviceRequest& request) {
  DeviceChoice choice = choose_devices(request.device);
  if (request.needs_doubles && request.device == "auto") {
    std::erase_if(choice.devices, [](const ocl::DeviceInfo& device) { return !device.has_double; });
  }
  std::vector<const Stage*> tested = request.stages;
  tested.insert(tested.end(), request.others.begin(), request.others.end());
  return open_backends(choice, request.opencl, tested);
}

/// Whether the system has a device file of a GPU driver, or the environment names drivers. If not,
/// asking OpenCL takes no time, and needs no other thread.
bool may_have_gpu() {
  constexpr std::array nodes = {"/dev/nvidiactl", "/dev/kfd", "/dev/dri", "/dev/dxg"};
  return std::any_of(nodes.begin(), nodes.end(), path_exists) ||
         std::getenv("OCL_ICD_VENDORS") != nullptr;
}

std::atomic<bool>& left_devices() {
  static std::atomic<bool> left = false;
  return left;
}

}  // namespace

/// Devices that are open, or that another thread opens.
struct RunDevices::Opened {
  explicit Opened(const DeviceRequest& request);

  std::string names() const {
    const std::lock_guard lock(mutex);
    return backends.names();
  }

  bool is_opening() const {
    return opening.valid() &&
           opening.wait_for(std::chrono::seconds(0)) != std::future_status::ready;
  }

  const std::int64_t process = process_id();
  mutable std::mutex mutex;  // for `stages` and `backends`, while devices are opened
  std::vector<const Stage*> stages;
  OpenBackends backends;
  std::unique_ptr<Scheduler> scheduler;
  std::future<void> opening;             // the thread that opens devices; it uses the members above
  std::optional<StandstillWatch> watch;  // uses the scheduler

 private:
  void open(const DeviceRequest& request);
  void open_behind(const DeviceRequest& request);
};

RunDevices::Opened::Opened(const DeviceRequest& request) : stages(request.stages) {
  open(request);
  if (!request.on_standstill) return;
  watch.emplace([this] { return scheduler->queue_state(); }, request.on_standstill);
}

void RunDevices::Opened::open(const DeviceRequest& request) {
  if (is_for_host(request)) {
    log_verbose(formatted("auto         none: the host needs about %.2g s", request.host_seconds));
    backends = open_backends(choose_devices("none"), request.opencl);
  } else if (request.in_background && request.device == "auto" &&
             request.opencl.kernel_directory.empty() && may_have_gpu()) {
    open_behind(request);
    return;
  } else {
    backends = open_requested(request);
  }
  scheduler = backends.scheduler();
  for (const Stage* stage : stages) backends.announce(*stage);
}

/// Has the host compute while another thread opens the devices.
void RunDevices::Opened::open_behind(const DeviceRequest& request) {
  backends.host = std::make_unique<HostBackend>();
  backends.host_role = HostRole::until_devices_ready;
  backends.used = {used_host(*backends.host)};
  scheduler = backends.scheduler();
  const auto open = [this, request] {
    const TimelineSpan span(SpanKind::step, "get devices ready");
    try {
      OpenBackends found = open_requested(request);
      const std::lock_guard lock(mutex);
      for (const Stage* stage : stages) found.announce(*stage);
      scheduler->add_devices(found.devices_to_use());
      found.host = std::move(backends.host);  // keeps the host that computes
      backends = std::move(found);
    } catch (const Error& error) {
      log_warning(std::string(error.what()) + "; the host goes on alone",
                  "see 'accord devices --check'");
      scheduler->add_devices({});
      const std::lock_guard lock(mutex);
      backends.host_role = HostRole::works;
      backends.used = {used_host(*backends.host)};
    }
    log_verbose("ready        " + names());
  };
  try {
    opening = std::async(std::launch::async, open);
  } catch (const std::system_error&) {
    open();  // the system gives no thread: this thread opens the devices
  }
}

RunDevices::RunDevices(const DeviceRequest& request)
    : RunDevices(
          std::shared_ptr<Opened>(std::make_unique<Opened>(request).release(), [](Opened* opened) {
            // Closing a device waits for threads, which a fork of the process does not have; there
            // the device is left open.
            if (opened->process != process_id()) return;
            if (opened->is_opening()) {
              left_devices() = true;
              return;
            }
            delete opened;
          })) {}

RunDevices::RunDevices(std::shared_ptr<Opened> opened)
    : opened_(std::move(opened)),
      scheduler_(*opened_->scheduler),
      faults_before_(scheduler_.faults()) {}

RunDevices RunDevices::for_another_run() const {
  if (opened_->process == process_id()) return RunDevices(opened_);
  throw Error(ErrorKind::device_unavailable,
              "the device was opened by process " + std::to_string(opened_->process) +
                  ", and this process is a fork of it",
              "open it in each process, and start these by spawn");
}

void RunDevices::announce(const Stage& stage) {
  const std::lock_guard lock(opened_->mutex);
  if (std::ranges::find(opened_->stages, &stage) == opened_->stages.end()) {
    opened_->stages.push_back(&stage);
  }
  opened_->backends.announce(stage);
}

std::string RunDevices::names() const { return opened_->names(); }

bool RunDevices::expects_devices() const {
  const std::lock_guard lock(opened_->mutex);
  return !opened_->backends.devices.empty() ||
         opened_->backends.host_role == HostRole::until_devices_ready;
}

DeviceUse RunDevices::use() const {
  const std::lock_guard lock(opened_->mutex);
  const OpenBackends& backends = opened_->backends;
  const bool is_host_alone = backends.host_role == HostRole::until_devices_ready;
  return {backends.used, is_host_alone ? backends.host->name() : backends.names(),
          scheduler_.faults().since(faults_before_)};
}

bool has_left_devices() { return left_devices(); }

}  // namespace accord
