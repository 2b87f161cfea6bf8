// SPDX-License-Identifier: Apache-2.0
#include "run/devices/run_devices.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <utility>

#include "accord/base/error.hpp"
#include "base/log.hpp"
#include "base/paths.hpp"
#include "base/system.hpp"
#include "base/text.hpp"
#include "engine/opencl/kernel_source.hpp"
#include "run/devices/device_choice.hpp"
#include "run/devices/open_backends.hpp"

namespace accord {
namespace {

/// "auto" means the host for a run that the host finishes before the driver of a GPU has started:
/// within .4 s on a machine with an H200, 1.3 with four.
constexpr double kDriverSeconds = 0.5;

/// Whether the system has a device file of a GPU driver, or the environment names drivers. If not,
/// asking OpenCL takes no time, and needs no other thread.
bool may_have_gpu() {
  constexpr std::array nodes = {"/dev/nvidiactl", "/dev/kfd", "/dev/dri", "/dev/dxg"};
  return std::any_of(nodes.begin(), nodes.end(), path_exists) ||
         std::getenv("OCL_ICD_VENDORS") != nullptr;
}

OpenBackends open_auto(const DeviceRequest& request, std::span<const Stage* const> tested) {
  if (request.host_seconds < kDriverSeconds) {
    log_verbose(formatted("auto         none: the host needs about %.2g s", request.host_seconds));
    return OpenBackends({}, HostRole::works, BeginWhen::at_once);
  }
  // Finding the devices takes long, too.
  const auto open = [request, tested = std::vector(tested.begin(), tested.end())] {
    DeviceChoice choice = choose_devices("auto");
    std::erase_if(choice.devices, [&](const ocl::DeviceInfo& device) {
      return request.needs_doubles && !device.has_double;
    });
    return openers_of(choice, request.opencl, tested).front().open();
  };
  const bool behind = request.in_background && may_have_gpu();
  return OpenBackends({{.open = open}}, HostRole::standby,
                      behind ? BeginWhen::at_once : BeginWhen::all_ready, request.stages);
}

OpenBackends open_requested(const DeviceRequest& request) {
  const std::string& kernels = request.opencl.kernel_directory;
  if (!kernels.empty()) ocl::check_kernel_directory(kernels);
  std::vector<const Stage*> tested = request.stages;
  tested.insert(tested.end(), request.others.begin(), request.others.end());
  if (request.device == "auto") return open_auto(request, tested);
  const DeviceChoice choice = choose_devices(request.device);
  return OpenBackends(
      openers_of(choice, request.opencl, tested), choice.host ? HostRole::works : HostRole::standby,
      request.in_background ? BeginWhen::first_ready : BeginWhen::all_ready, request.stages);
}

std::atomic<bool>& left_devices() {
  static std::atomic<bool> left = false;
  return left;
}

}  // namespace

/// Devices that are open or are being opened, and who watches them.
struct RunDevices::Opened {
  explicit Opened(const DeviceRequest& request) : backends(open_requested(request)) {
    if (!request.on_standstill) return;
    watch.emplace([this] { return backends.scheduler().queue_state(); }, request.on_standstill);
  }

  const std::int64_t process = process_id();
  OpenBackends backends;
  std::optional<StandstillWatch> watch;  // uses the scheduler
};

RunDevices::RunDevices(const DeviceRequest& request)
    : RunDevices(
          std::shared_ptr<Opened>(std::make_unique<Opened>(request).release(), [](Opened* opened) {
            // Closing a device waits for threads, which a fork of the process does not have; there
            // the device is left open.
            if (opened->process != process_id()) return;
            if (opened->backends.is_opening()) {
              left_devices() = true;
              return;
            }
            delete opened;
          })) {}

RunDevices::RunDevices(std::shared_ptr<Opened> opened)
    : opened_(std::move(opened)),
      scheduler_(opened_->backends.scheduler()),
      faults_before_(scheduler_.faults()) {}

RunDevices RunDevices::for_another_run() const {
  if (opened_->process == process_id()) return RunDevices(opened_);
  throw Error(ErrorKind::device_unavailable,
              "the device was opened by process " + std::to_string(opened_->process) +
                  ", and this process is a fork of it",
              "open it in each process, and start these by spawn");
}

void RunDevices::announce(const Stage& stage) { opened_->backends.announce(stage); }

std::string RunDevices::names() const {
  const bool is_opening = opened_->backends.is_opening();
  return opened_->backends.names() + (is_opening ? "; more devices are being opened" : "");
}

bool RunDevices::expects_devices() const { return opened_->backends.expects_devices(); }

DeviceUse RunDevices::use() const {
  return {opened_->backends.used(), opened_->backends.names(),
          scheduler_.faults().since(faults_before_)};
}

bool has_left_devices() { return left_devices(); }

}  // namespace accord
