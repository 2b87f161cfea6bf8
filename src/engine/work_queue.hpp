// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "accord/base/error.hpp"
#include "base/clock.hpp"
#include "base/cpu_budget.hpp"
#include "base/thread_group.hpp"
#include "engine/backend.hpp"

namespace accord {

/// Whether the host is one of the backends that compute, or only takes what they could not do, or
/// computes alone until devices are added and then stands by.
enum class HostRole { standby, works, stands_in };

/// What went wrong with devices, and what was done about it.
struct DeviceFaults {
  std::size_t faults = 0;            ///< calls of a backend that failed
  std::size_t retries = 0;           ///< batches that were halved and tried again
  std::size_t moves = 0;             ///< batches that another backend took over
  std::vector<std::string> retired;  ///< names of backends that failed again and again
  std::string first;                 ///< what the first fault was
};

/// One queue of work, several backends, each with as many threads as it computes batches at the
/// same time: while the arithmetic of one batch runs on a device, the host prepares the next and
/// takes over the results of the one before. A thread takes the next batch when it is free, from
/// the request with most work first, whose family will take longest in what follows; how much it
/// takes is decided by batch_share().
///
/// A batch that fails on a device (an Error device_failed, device_unavailable or out_of_memory) is
/// halved and tried again, after memory errors with half the memory as well; a single item that
/// fails goes to the next backend, at last to the host. A device that fails too often (see
/// DeviceHealth) is retired. Every other exception, and every one on the host, belongs to the
/// requests of the batch: run() throws it. A device that does not compute a stage gets none of it;
/// the host computes all.
///
/// Without devices, and none to come, there are no threads: the caller's own thread computes on the
/// host. Those of the queue lease the cores that they compute with from its budget, as the families
/// do that run side by side.
class WorkQueue {
 public:
  /// The backends must outlive the queue. `host` is never retired. `clock` tells how fast they are.
  /// The budget has as many cores as thread_count() says now.
  /// Errors  Error{out_of_memory} if the system gives too few threads.
  WorkQueue(const std::vector<Backend*>& devices, Backend& host, HostRole role,
            Clock clock = clock_seconds);
  ~WorkQueue();
  WorkQueue(const WorkQueue&) = delete;
  WorkQueue& operator=(const WorkQueue&) = delete;

  /// Adds the devices that a host which stands in has waited for, once. They must outlive the
  /// queue; if there are none, the host goes on alone, without the threads of the queue.
  /// Errors  Error{out_of_memory} if the system gives too few threads; the host goes on then.
  void add(std::span<Backend* const> devices);

  /// Computes requests and returns when all are done, or given up. May be called by several threads
  /// at once; a request is run once.
  /// Errors  that of the first request that failed: what the host throws, and what the devices
  ///         throw that is no fault of theirs.
  void run(std::span<StageRequest* const> requests);
  void run(StageRequest& request) {
    StageRequest* const alone = &request;
    run({&alone, 1});
  }

  /// The cores of the run.
  CoreBudget& cores() { return cores_; }

  DeviceFaults faults() const;

  /// Requests that are not done, those that no backend has begun included.
  std::size_t open_requests() const;

 private:
  struct Place;
  struct Job;
  struct Run;
  struct Filling;
  struct Batch;
  /// Items [first, last) of a job.
  struct JobRange {
    Job* job;
    std::size_t first, last;
  };

  std::unique_ptr<Place> make_place(Backend& backend, bool is_host);
  void start_threads(std::span<const std::unique_ptr<Place>> places);
  void run_here(Run& run);
  void begin(Run& run);
  void close(Job& job);
  void finish(const JobRange& items);
  void finish(const Batch& batch);
  void work(Place& place, std::size_t batches_before);
  void compute(Place& place, Batch& batch, std::unique_lock<std::mutex>& lock);
  bool take(Place& place, Batch& batch);
  bool take_again(const Place& place, Batch& batch);
  void take_fresh(const Place& place, BackendStage stage, Batch& batch);
  void take_items(const Place& place, Job& job, Batch& batch, Filling& filling);
  int wanted_cores(const Place& place) const;
  double share_of(const Place& place, BackendStage stage, SharePolicy policy,
                  double next_item) const;
  bool any_device_left(BackendStage stage) const;
  void note(const Error& fault);
  void handle_error(Place& place, Batch batch, const std::exception_ptr& error);
  void handle_fault(Place& place, Batch batch, const Error& fault);
  void retire(Place& place, const Batch& batch);
  void wait_again(Batch batch);

  mutable std::mutex mutex_;
  std::condition_variable changed_;             // work has come, or a backend was retired
  std::vector<std::unique_ptr<Place>> places_;  // the devices, then the host
  Backend& host_;
  const Clock clock_;
  CoreBudget cores_;
  std::array<std::deque<Job*>, kBackendStages> fresh_;  // with items that nobody has taken
  std::array<double, kBackendStages> fresh_work_{};
  std::deque<Batch> again_;  // what failed somewhere
  DeviceFaults faults_;
  std::size_t open_requests_ = 0;
  std::size_t next_number_ = 0;  // of the places
  bool awaits_devices_ = false;  // the host stands in for them
  bool is_alone_ = false;        // there are none: run() computes on the host
  bool stopping_ = false;
  std::deque<ThreadGroup> threads_;  // last: they use all of the above
};

}  // namespace accord
