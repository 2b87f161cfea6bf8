// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "engine/work_queue.hpp"

namespace accord {

/// What the method asks for the stages that backends compute: requests are cut into batches, spread
/// over the backends, put together again. The results are the same bytes for any mix of backends,
/// whatever fails on the way. Several threads may call it at once, one per family; their work then
/// shares batches. A copy has the same queue of work, but its own check (see set_check).
class Scheduler {
 public:
  /// Everything on one backend, the host, by the calling thread, without retries.
  explicit Scheduler(Backend& only) : Scheduler({}, only, HostRole::works) {}

  /// The devices, and `host` as its role says. All must outlive the scheduler. `clock` measures how
  /// fast they are.
  Scheduler(const std::vector<Backend*>& devices, Backend& host, HostRole role,
            Clock clock = clock_seconds)
      : queue_(std::make_shared<WorkQueue>(devices, host, role, std::move(clock))) {}

  /// Adds devices if the role of the host is until_devices_ready; see WorkQueue::add.
  void add_devices(std::span<Backend* const> devices) { queue_->add(devices); }

  /// Computes requests of any stage. Returns when all are done.
  /// Throws  the error of the first request that failed.
  void run(std::span<StageRequest* const> requests) {
    if (before_run_) before_run_();
    queue_->run(requests);
  }
  void run(StageRequest& request) {
    StageRequest* const alone = &request;
    run({&alone, 1});
  }
  /// Has `check` called before each run() from here on, by its thread; what it throws is thrown
  /// there.
  void set_check(std::function<void()> check) { before_run_ = std::move(check); }

  /// The CPUs of the run, for all that computes beside the queue.
  CpuBudget& cpus() { return queue_->cpus(); }

  DeviceFaults faults() const { return queue_->faults(); }

  /// Unfinished requests, including those that no backend has begun.
  std::size_t open_requests() const { return queue_->open_requests(); }

 private:
  std::shared_ptr<WorkQueue> queue_;
  std::function<void()> before_run_;
};

}  // namespace accord
