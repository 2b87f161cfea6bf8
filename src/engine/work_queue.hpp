// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "accord/base/error.hpp"
#include "base/cpu_budget.hpp"
#include "base/thread_group.hpp"
#include "base/timer.hpp"
#include "engine/backend.hpp"

namespace accord {

/// The role of the host: it computes only what no device can, and everything while there is no
/// device (standby); or it computes like a device (works).
enum class HostRole { standby, works };

/// Faults of devices, and their consequences.
struct DeviceFaults {
  std::size_t faults = 0;            ///< calls of a backend that failed
  std::size_t retries = 0;           ///< batches that were halved and tried again
  std::size_t moves = 0;             ///< batches that another backend took over
  std::vector<std::string> retired;  ///< names of backends that failed again and again
  std::string first, last;           ///< the first fault, and the last one

  /// The faults since `before`, which are earlier faults of the same queue. `retired` stays
  /// complete.
  DeviceFaults since(const DeviceFaults& before) const;
};

/// Logs one warning about all faults of devices, or, without faults, a warning about each retired
/// device.
void warn_of_device_faults(const DeviceFaults& faults);

/// The state of a queue, by which a run that stands still is seen.
struct QueueState {
  std::size_t open_requests = 0;  ///< as WorkQueue::open_requests()
  std::size_t computing = 0;      ///< batches that backends compute at this moment
  std::size_t ended = 0;          ///< batches that have ended, those that failed included
  /// For a message: what the open requests of each stage wait for, and who has the CPUs.
  std::string waits;
};

/// One queue of work for several backends. Each backend has as many threads as it computes batches
/// at the same time: while the arithmetic of one batch runs on a device, the host prepares the next
/// and takes over the results of the previous one. An idle thread takes the next batch from the
/// request with most work, whose family takes longest in later stages; batch_share() decides how
/// much it takes.
///
/// A batch that fails on a device (with an Error device_failed, device_unavailable or
/// out_of_memory) is halved and tried again, after memory errors with half the memory as well; a
/// single item that fails goes to the next backend, at last to the host. A device that fails too
/// often (see DeviceHealth) is retired. Every other exception, and every exception on the host, is
/// an error of the requests of the batch: run() throws it. A device receives no work of stages that
/// it does not compute; the host computes all.
/// While the host computes alone, the calling threads compute on it; without devices, the queue has
/// no threads. The threads of the queue lease their CPUs from its budget, as do the families that
/// run side by side.
class WorkQueue {
 public:
  /// The backends must outlive the queue. `host` is never retired. `clock` measures the speed of
  /// the backends. `awaits_devices`: backends leave work for devices that add() will bring. The
  /// queue makes a budget of thread_count() CPUs.
  /// Throws  Error{out_of_memory} if the system gives too few threads.
  WorkQueue(const std::vector<Backend*>& devices, Backend& host, HostRole role,
            Clock clock = clock_seconds, bool awaits_devices = false);
  ~WorkQueue();
  WorkQueue(const WorkQueue&) = delete;
  WorkQueue& operator=(const WorkQueue&) = delete;

  /// Adds devices, which must outlive the queue. `awaits_more`: as `awaits_devices` from now on.
  /// Throws  Error{out_of_memory} if the system gives too few threads; nothing has changed then.
  void add(std::span<Backend* const> devices, bool awaits_more = false);

  /// Computes requests and returns when all are done or abandoned. The requests must stay until
  /// then, and each may be run only once. Several threads may call run() at once.
  /// Throws  the error of the first request that failed: an exception of the host, or an exception
  ///         of a device that is no fault of the device. Error{internal} if the calling thread may
  ///         not wait (see may_wait_for_results()).
  void run(std::span<StageRequest* const> requests);
  void run(StageRequest& request) {
    StageRequest* const alone = &request;
    run({&alone, 1});
  }

  /// The CPUs that the threads of the queue and the families of the run share.
  CpuBudget& cpus() { return cpus_; }

  /// The faults since the queue was made.
  DeviceFaults faults() const;

  /// Unfinished requests, including those that no backend has begun.
  std::size_t open_requests() const;

  QueueState state() const;

 private:
  struct Worker;
  struct Job;
  struct Run;
  struct BatchBuilder;
  struct Batch;
  struct Pending;
  /// Items [first, last) of a job.
  struct JobRange {
    Job* job;
    std::size_t first, last;
  };

  std::unique_ptr<Worker> make_worker(Backend& backend, bool is_host);
  void ask_limits(Worker& worker, const Stage& stage);
  void start_threads(std::span<const std::unique_ptr<Worker>> workers);
  bool host_is_alone(std::span<StageRequest* const> requests);
  void run_here(Run& run);
  void begin(Run& run);
  void close(Job& job);
  void finish(const JobRange& items);
  void finish(const Batch& batch);
  void work(Worker& worker, std::size_t warm_up_batches);
  void compute(Worker& worker, Batch& batch, std::unique_lock<std::mutex>& lock);
  bool takes_part(const Worker& worker, const Stage& stage) const;
  bool take(Worker& worker, Batch& batch);
  bool take_retry(const Worker& worker, Batch& batch);
  void take_pending(const Worker& worker, Pending& pending, Batch& batch);
  void take_items(const Worker& worker, Job& job, Pending& pending, Batch& batch,
                  BatchBuilder& builder);
  int wanted_cpus(const Worker& worker) const;
  double slowness_of(const Worker& worker) const;
  double share_of(const Worker& worker, const Pending& pending, const Stage& stage,
                  SharePolicy policy, double next_item) const;
  void note(const Error& fault);
  void handle_error(Worker& worker, Batch batch, const std::exception_ptr& error);
  void handle_fault(Worker& worker, Batch batch, const Error& fault);
  void retire(Worker& worker, const Batch& batch);
  void retry_later(Batch batch);

  mutable std::mutex mutex_;
  std::condition_variable changed_;               // work has come, or a backend was retired
  std::vector<std::unique_ptr<Worker>> workers_;  // the devices, then the host
  Backend& host_;
  const Clock clock_;
  const double begin_;  // when the queue was made, by the clock
  CpuBudget cpus_;
  std::map<const Stage*, Pending, LaterStageFirst> pending_;  // of each stage that was requested
  std::list<Batch> retries_;                                  // batches that failed on some backend
  DeviceFaults faults_;
  std::size_t open_requests_ = 0;
  std::size_t ended_batches_ = 0;
  std::atomic<std::size_t> computing_{0};  // batches that a backend computes at this moment
  std::size_t next_number_ = 0;            // of the workers
  bool awaits_devices_;                    // devices will come that may be faster
  bool stopping_ = false;
  std::deque<ThreadGroup> threads_;  // last: they use the other members
};

}  // namespace accord
