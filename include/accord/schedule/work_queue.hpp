// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "accord/base/clock.hpp"
#include "accord/base/error.hpp"
#include "accord/core/backend.hpp"

namespace accord {

/// Whether the host is one of the backends that compute, or only takes what they could not do.
enum class HostRole { standby, works };

/// What went wrong with devices, and what was done about it.
struct DeviceFaults {
  std::size_t faults = 0;            ///< calls of a backend that failed
  std::size_t retries = 0;           ///< batches that were halved and tried again
  std::size_t moves = 0;             ///< batches that another backend took over
  std::vector<std::string> retired;  ///< names of backends that failed again and again
  std::string first;                 ///< what the first fault was
};

class WorkRequest;

/// The smallest part of a request that is handed out.
struct WorkItem {
  WorkRequest* request = nullptr;
  std::uint32_t index = 0;  ///< of the item within its request
  double work = 0;          ///< in the unit of the stage
  std::uint32_t pairs = 0;  ///< that are computed side by side; 0 if a batch need not be filled
};

/// Work of one family in one stage. It can be cut between its items, and several requests may
/// share a batch.
class WorkRequest {
 public:
  WorkRequest() = default;
  WorkRequest(const WorkRequest&) = delete;
  WorkRequest& operator=(const WorkRequest&) = delete;
  virtual ~WorkRequest() = default;

  virtual BackendStage stage() const = 0;
  /// All items, those with most work first.
  virtual std::vector<WorkItem> items() = 0;
  /// Working memory that an item needs on a backend.
  virtual std::size_t item_bytes(std::uint32_t index, const BackendLimits& limits) const = 0;
  /// Whether run() can compute items of `other` along with items of this one.
  virtual bool shares_batch_with(const WorkRequest& other) const { return this == &other; }
  /// Computes items of this request, and of others that share the batch, and keeps the results.
  /// May be called again for the same items after an Error.
  virtual void run(Backend& backend, const BackendLimits& limits,
                   std::span<const WorkItem> items) = 0;

  /// Gives the request up: what waits of it is not computed any more. Keeps the first error.
  void fail(std::exception_ptr error);
  bool failed() const { return failed_.load(); }

 private:
  friend class WorkQueue;
  std::atomic<bool> failed_{false};
  std::mutex error_mutex_;
  std::exception_ptr error_;
  std::size_t open_ = 0;  // items that are not done
  double all_work_ = 0;   // of all items
  std::condition_variable done_;
};

/// One queue of work, several backends, each with as many threads as it computes batches at the
/// same time: while the arithmetic of one batch runs on a device, the host prepares the next and
/// takes over the results of the one before. A thread takes the next batch when it is free, from
/// the request with most work first, whose family will take longest in what follows; how much it
/// takes is decided by batch_share().
///
/// A batch that fails on a device (an Error device_failed, device_unavailable or out_of_memory) is
/// halved and tried again, after memory errors with half the memory as well; a single item that
/// fails goes to the next backend, at last to the host. A device that fails kMostFaultsInRow times
/// in a row, or kMostFaults times in all, is retired. Every other exception, and every one on the
/// host, belongs to the requests of the batch: run() throws it.
///
/// Without devices there are no threads: the caller's own thread computes on the host.
class WorkQueue {
 public:
  static constexpr int kMostFaultsInRow = 3;  ///< memory errors count once nothing can be halved
  static constexpr int kMostFaults = 20;

  /// The backends must outlive the queue. `host` is never retired. `clock` tells how fast they are.
  WorkQueue(const std::vector<Backend*>& devices, Backend& host, HostRole role,
            Clock clock = clock_seconds);
  ~WorkQueue();
  WorkQueue(const WorkQueue&) = delete;
  WorkQueue& operator=(const WorkQueue&) = delete;

  /// Computes a request and returns when it is done. May be called by several threads at once.
  /// Errors  what the host throws, and what the devices throw that is no fault of theirs.
  void run(WorkRequest& request);

  DeviceFaults faults() const;

  /// Requests that are not done, those that no backend has begun included.
  std::size_t open_requests() const;

 private:
  struct Place;
  struct Batch {
    std::vector<WorkItem> items;
    std::uint64_t refused_by = 0;  // a bit a place
  };

  void enqueue(WorkRequest& request, std::span<const WorkItem> items);
  void work(Place& place);
  void compute(Place& place, Batch& batch, std::unique_lock<std::mutex>& lock);
  bool take(Place& place, Batch& batch);
  bool take_again(const Place& place, Batch& batch);
  void take_fresh(Place& place, BackendStage stage, Batch& batch);
  double share_of(const Place& place, BackendStage stage, double next_item) const;
  bool any_device_left() const;
  void finish(std::span<const WorkItem> items);
  void note(const Error& fault);
  void handle_error(Place& place, Batch batch, const std::exception_ptr& error);
  void handle_fault(Place& place, Batch batch, const Error& fault);
  void retire(Place& place, const Batch& batch);
  void wait_again(Batch batch);

  mutable std::mutex mutex_;
  std::condition_variable changed_;             // work has come, or a backend was retired
  std::vector<std::unique_ptr<Place>> places_;  // the devices, then the host
  std::vector<std::thread> threads_;
  Backend& host_;
  const Clock clock_;
  std::array<std::deque<WorkItem>, kBackendStages> fresh_;
  std::array<double, kBackendStages> fresh_work_{};
  std::deque<Batch> again_;  // what failed somewhere
  DeviceFaults faults_;
  std::size_t open_requests_ = 0;
  bool stopping_ = false;
};

}  // namespace accord
