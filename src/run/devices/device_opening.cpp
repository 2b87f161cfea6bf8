// SPDX-License-Identifier: Apache-2.0
#include "run/devices/device_opening.hpp"

#include <algorithm>
#include <cstdlib>
#include <future>
#include <optional>
#include <utility>

#include "accord/base/error.hpp"
#include "base/log.hpp"
#include "base/system.hpp"
#include "base/text.hpp"
#include "base/timeline.hpp"
#include "base/timer.hpp"
#include "engine/opencl/disk_cache.hpp"
#include "engine/opencl/opencl_backend.hpp"
#include "run/devices/device_survey.hpp"
#include "run/devices/standstill_watch.hpp"
#include "stages/aligner_stages.hpp"

namespace accord {
namespace {

using ocl::DeviceInfo;

/// Whether the user has turned the self-test off, for simulators, where it takes minutes.
bool is_self_test_off() {
  const char* variable = std::getenv("ACCORD_SELF_TEST");
  return variable != nullptr && std::string(variable) == "off";
}

/// The key in the cache for the seconds that getting a device ready took the last time. Versions of
/// the driver and the kernels are not in the key.
std::string ready_key(const DeviceInfo& device) {
  return "seconds until ready\n" + device.platform + "\n" + device.name;
}

std::optional<double> last_ready_seconds(const DeviceInfo& device) {
  const std::optional<std::string> text = ocl::read_cache(ready_key(device));
  if (!text) return std::nullopt;
  return std::atof(text->c_str());
}

/// Compiles the kernels of a backend and runs the self-test, with a notice every few seconds.
/// Returns the fault, if there is one.
std::string first_use(Backend& backend, std::span<const Stage* const> stages,
                      const DeviceInfo& device, const ocl::OpenClSettings& settings) {
  constexpr double kEvery = 10;
  const TimelineSpan span(SpanKind::step, "self-test of " + device.name);
  const SlowStepNotice notice(
      "getting " + ocl::format_device(device) + " ready (compiling kernels, self-test)",
      last_ready_seconds(device), kEvery, [](const std::string& line) { log_notice(line); });
  // All kernels, so that a compiler that builds side by side begins at once.
  for (const Stage* stage : stages) backend.announce(*stage);
  std::string problem = run_self_test(backend, stages, device, settings);
  if (problem.empty()) ocl::write_cache(ready_key(device), std::to_string(notice.seconds()));
  return problem;
}

UsedDevice entry_of(const DeviceInfo& device, const char* self_test) {
  return {device.name, device.description, device.platform, device.driver, device.pci, self_test};
}

/// Opens a device.
/// Throws  Error{device_failed} if it fails, or fails the self-test of a stage.
ReadyDevice open_tested(const DeviceInfo& device, const ocl::OpenClSettings& settings,
                        std::span<const Stage* const> stages) {
  const Timer timer;
  TimelineSpan span(SpanKind::step, "open " + device.name);
  auto backend = std::make_unique<OpenClBackend>(device, settings);
  span.end();
  log_verbose(formatted("%-12s %9.3f s  %s", "opening", timer.seconds(), device.name.c_str()));
  if (is_self_test_off()) return {std::move(backend), entry_of(device, "off")};
  if (!has_passed_self_test(stages, device, settings)) {
    const std::string problem = first_use(*backend, stages, device, settings);
    if (!problem.empty()) {
      throw Error(ErrorKind::device_failed,
                  ocl::format_device(device) + " failed its self-test: " + problem,
                  "update its driver; {device=none} computes without it");
    }
  }
  return {std::move(backend), entry_of(device, "passed")};
}

/// The same on a thread that yields to those that compute: a processor that compiles its kernels
/// would take the host's time away. The threads that later feed the device must not yield.
ReadyDevice open_yielding(const DeviceInfo& device, const ocl::OpenClSettings& settings,
                          std::span<const Stage* const> stages) {
  const auto open = [&] {
    yield_to_other_threads();
    return open_tested(device, settings, stages);
  };
  return std::async(std::launch::async, open).get();
}

/// Opens the first device that can be used, and warns of those before it.
ReadyDevice open_first_good(std::span<const DeviceInfo> devices,
                            const ocl::OpenClSettings& settings,
                            std::span<const Stage* const> stages) {
  for (const DeviceInfo& device : devices) {
    try {
      return open_tested(device, settings, stages);
    } catch (const Error& error) {
      if (error.kind() == ErrorKind::usage) throw;
      log_warning(std::string(error.what()) + "; not used", "see 'accord devices --check'");
    }
  }
  return {};
}

}  // namespace

std::vector<DeviceOpener> openers_of(const DeviceChoice& choice,
                                     const ocl::OpenClSettings& settings,
                                     std::span<const Stage* const> others) {
  std::vector<const Stage*> stages(kAlignerStages.begin(), kAlignerStages.end());
  for (const Stage* other : others) {
    if (std::ranges::find(stages, other) == stages.end()) stages.push_back(other);
  }
  if (choice.is_auto) {
    return {{.open = [=] { return open_first_good(choice.devices, settings, stages); }}};
  }
  const bool is_alone = choice.devices.size() == 1 && !choice.host;
  std::vector<DeviceOpener> openers;
  for (const DeviceInfo& device : choice.devices) {
    const bool on_host = device.kind == ocl::DeviceKind::cpu;
    const auto open = on_host && !is_alone ? open_yielding : open_tested;
    openers.push_back({.open = [=] { return open(device, settings, stages); },
                       .failed = entry_of(device, "failed"),
                       .on_host = on_host});
  }
  return openers;
}

}  // namespace accord
