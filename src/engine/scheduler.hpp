// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "engine/work_queue.hpp"

namespace accord {

/// Computes the requests of the method on the backends: cuts requests into batches, spreads these
/// over the backends, and puts the results together. The results are the same bytes for any mix of
/// backends, and after any faults of devices. Several threads may call run() at once, one per
/// family; batches may then have work of several families. A copy shares the queue of work, but has
/// another check (see set_check).
class Scheduler {
 public:
  /// Computes everything on one backend, the host, by the calling thread, without retries. `only`
  /// must outlive the scheduler.
  explicit Scheduler(Backend& only) : Scheduler({}, only, HostRole::works) {}

  /// Computes on the devices, and on `host` as its role says. All backends must outlive the
  /// scheduler and its copies. `clock` measures their speed. `awaits_devices`: add_devices() will
  /// be called.
  /// Throws  Error{out_of_memory} if the system gives too few threads.
  Scheduler(const std::vector<Backend*>& devices, Backend& host, HostRole role,
            Clock clock = clock_seconds, bool awaits_devices = false)
      : queue_(std::make_shared<WorkQueue>(devices, host, role, std::move(clock), awaits_devices)) {
  }

  /// WorkQueue::add.
  void add_devices(std::span<Backend* const> devices, bool awaits_more) {
    queue_->add(devices, awaits_more);
  }

  /// Computes requests of any stage. Returns when all are done.
  /// Throws  the error of the first request that failed.
  void run(std::span<StageRequest* const> requests) {
    check();
    queue_->run(requests);
  }
  void run(StageRequest& request) {
    StageRequest* const alone = &request;
    run({&alone, 1});
  }
  /// Has every later run() of this object call `check` first; run() throws what `check` throws.
  void set_check(std::function<void()> check) { before_run_ = std::move(check); }
  /// Calls the function that set_check() has set. For work that does not go through run().
  void check() const {
    if (before_run_) before_run_();
  }

  /// The CPUs of the run. Work outside the queue leases its CPUs from here, too.
  CpuBudget& cpus() { return queue_->cpus(); }

  /// The faults of the devices so far.
  DeviceFaults faults() const { return queue_->faults(); }

  /// Unfinished requests, including those that no backend has begun.
  std::size_t open_requests() const { return queue_->open_requests(); }

  QueueState queue_state() const { return queue_->state(); }

 private:
  std::shared_ptr<WorkQueue> queue_;
  std::function<void()> before_run_;
};

}  // namespace accord
