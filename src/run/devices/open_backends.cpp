// SPDX-License-Identifier: Apache-2.0
#include "run/devices/open_backends.hpp"

#include <algorithm>
#include <exception>
#include <system_error>
#include <utility>

#include "accord/base/error.hpp"
#include "base/log.hpp"
#include "base/timeline.hpp"
#include "engine/host/host_backend.hpp"

namespace accord {
namespace {

std::string joined_texts(const std::vector<std::string>& texts) {
  std::string all;
  for (const std::string& text : texts) all += (all.empty() ? "" : "; ") + text;
  return all;
}

void warn_of(const std::string& problem) {
  log_warning(problem + "; not used", "see 'accord devices --check'");
}

}  // namespace

OpenBackends::OpenBackends(const std::vector<DeviceOpener>& openers, HostRole role, BeginWhen begin,
                           std::span<const Stage* const> stages)
    : role_(role),
      host_(std::make_unique<HostBackend>()),
      stages_(stages.begin(), stages.end()),
      places_(openers.size()),
      opening_(openers.size()),
      awaited_(static_cast<std::size_t>(
          std::count_if(openers.begin(), openers.end(),
                        [](const DeviceOpener& opener) { return !opener.on_host; }))) {
  const bool waits = begin != BeginWhen::at_once;
  if (openers.size() == 1 && role == HostRole::standby && waits) {
    take(places_[0], openers[0].open());
    opening_ = awaited_ = 0;
  } else {
    open_all(openers);
  }
  std::unique_lock lock(mutex_);
  const bool host_begins = role == HostRole::works || !waits;
  changed_.wait(lock, [&] {
    if (opening_ == 0) return true;
    if (begin == BeginWhen::all_ready) return false;
    const std::vector<Backend*> ready = ready_devices();
    // A device on the processors of the host will stand by, so that its first batch would be the
    // last one that ends.
    return host_begins || std::any_of(ready.begin(), ready.end(), [&](const Backend* device) {
             return awaited_ == 0 || !device->uses_host_processors();
           });
  });
  std::vector<std::string> problems;
  for (const Place& place : places_) {
    if (!place.problem.empty()) problems.push_back(place.problem);
  }
  if (!host_begins && !problems.empty() && problems.size() == openers.size()) {
    throw Error(ErrorKind::device_failed, "no device can be used: " + joined_texts(problems),
                "{device=none} computes without devices");
  }
  std::for_each(problems.begin(), problems.end(), warn_of);
  scheduler_ =
      std::make_unique<Scheduler>(ready_devices(), *host_, role, clock_seconds, awaited_ > 0);
}

void OpenBackends::open_all(const std::vector<DeviceOpener>& openers) {
  for (std::size_t k = 0; k < openers.size(); ++k) {
    const auto open_this = [this, &place = places_[k], opener = openers[k]] {
      open(place, opener);
    };
    try {
      threads_.push_back(std::async(std::launch::async, open_this));
    } catch (const std::system_error&) {
      open_this();  // the system gives no thread
    }
  }
}

/// Opens a device and hands it to the scheduler, if there is one already.
void OpenBackends::open(Place& place, const DeviceOpener& opener) {
  {
    const TimelineSpan span(SpanKind::step, "get a device ready");
    std::unique_lock lock(mutex_, std::defer_lock);
    const auto end_opening = [&] {
      if (lock.owns_lock()) return;
      lock.lock();
      --opening_;
      if (!opener.on_host) --awaited_;
    };
    try {
      ReadyDevice device = opener.open();
      end_opening();
      take(place, std::move(device));
    } catch (const std::exception& error) {
      end_opening();
      leave_out(place, opener, error.what());
    }
  }
  changed_.notify_all();
  log_verbose("ready        " + names());
}

/// The caller holds the lock, or no other thread is there.
void OpenBackends::take(Place& place, ReadyDevice device) {
  if (device.backend) {
    for (const Stage* stage : stages_) device.backend->announce(*stage);
    place.used = std::move(device.used);
  }
  Backend* const added = device.backend.get();
  if (scheduler_) {
    scheduler_->add_devices({&added, added != nullptr ? std::size_t{1} : 0}, awaited_ > 0);
  }
  place.backend = std::move(device.backend);
}

void OpenBackends::leave_out(Place& place, const DeviceOpener& opener, const std::string& problem) {
  place.used = opener.failed;
  place.problem = problem;
  if (!scheduler_) return;  // the run has not begun
  scheduler_->add_devices({}, awaited_ > 0);
  warn_of(problem);
}

void OpenBackends::announce(const Stage& stage) {
  const std::lock_guard lock(mutex_);
  if (std::ranges::find(stages_, &stage) == stages_.end()) stages_.push_back(&stage);
  for (Backend* device : ready_devices()) device->announce(stage);
}

std::vector<Backend*> OpenBackends::ready_devices() const {
  std::vector<Backend*> found;
  for (const Place& place : places_) {
    if (place.backend) found.push_back(place.backend.get());
  }
  return found;
}

bool OpenBackends::host_computes() const {
  return role_ == HostRole::works || ready_devices().empty();
}

bool OpenBackends::is_opening() const {
  const std::lock_guard lock(mutex_);
  return opening_ > 0;
}

bool OpenBackends::expects_devices() const {
  const std::lock_guard lock(mutex_);
  return opening_ > 0 || !ready_devices().empty();
}

std::vector<Backend*> OpenBackends::ready() const {
  const std::lock_guard lock(mutex_);
  std::vector<Backend*> found = ready_devices();
  if (host_computes()) found.push_back(host_.get());
  return found;
}

std::string OpenBackends::names() const {
  std::vector<std::string> found;
  for (const Backend* backend : ready()) found.push_back(backend->name());
  return joined_texts(found);
}

std::vector<UsedDevice> OpenBackends::used() const {
  const std::lock_guard lock(mutex_);
  std::vector<UsedDevice> found;
  for (const Place& place : places_) {
    if (place.used) found.push_back(*place.used);
  }
  if (host_computes()) {
    found.push_back({.id = "none", .name = host_->name(), .self_test = "not needed"});
  }
  return found;
}

}  // namespace accord
