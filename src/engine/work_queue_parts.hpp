// SPDX-License-Identifier: Apache-2.0
// The parts of a WorkQueue.
#pragma once
#include <algorithm>

#include "engine/device_health.hpp"
#include "engine/work_queue.hpp"

namespace accord {

/// A backend, and the record of its batches.
struct WorkQueue::Worker {
  Backend& backend;
  std::size_t number;  // different for each worker; Batch::refused_by has such numbers
  bool is_host;
  bool works;                 // false: takes only work that no device can do
  std::uint32_t threads = 1;  // number of batches that it computes at the same time
  bool retired = false;       // takes no more batches, because of faults
  std::size_t batches = 0;    // number of batches that it has computed
  DeviceHealth health{};
  /// A stage on the backend: its limits and its measured speed.
  struct OfStage {
    std::optional<StageLimits> limits;  // not set: the backend does not compute the stage
    double rate = 0;                    // work per second of one thread; 0: not known
  };
  std::map<const Stage*, OfStage> stages{};  // those that were requested

  bool computes(const Stage& stage) const {
    const auto found = stages.find(&stage);
    return found != stages.end() && found->second.limits;
  }
};

/// A request while it is run.
struct WorkQueue::Job {
  /// Refers to a request and to its run, which must outlive the job. The queue sets the numbers of
  /// items.
  Job(StageRequest& of_request, Run& of_run) : request(of_request), run(of_run) {}

  StageRequest& request;
  Run& run;
  std::size_t count = 0;  // items
  std::size_t next = 0;   // the first item that no worker has taken
  std::size_t open = 0;   // items that are not done
  double all_work = 0;    // of all items

  /// The work of the items that no worker has taken.
  double pending_work() const {
    double sum = 0;
    for (std::size_t item = next; item < count; ++item) sum += request.work(item);
    return sum;
  }
};

/// The work of a stage.
struct WorkQueue::Pending {
  std::deque<Job*> jobs;  // with items that no worker has taken; those with most work first
  double work = 0;        // of the items of these jobs that no worker has taken
  std::size_t taken = 0;  // batches that workers have taken, and that have not ended
};

/// The requests of a call of run().
struct WorkQueue::Run {
  /// Makes a job for each request; the requests must outlive this object.
  explicit Run(std::span<StageRequest* const> requests) : open(requests.size()) {
    for (StageRequest* request : requests) jobs.emplace_back(*request, *this);
  }

  std::deque<Job> jobs;
  std::size_t open;  // jobs that are not done
  std::condition_variable done;
};

/// The items that a backend computes at once.
struct WorkQueue::Batch {
  std::vector<JobRange> items = {};
  // Numbers of the workers on which it failed when it was a single item. (A larger batch that fails
  // is halved.)
  std::vector<std::size_t> refused_by = {};

  std::size_t size() const {
    std::size_t sum = 0;
    for (const JobRange& range : items) sum += range.last - range.first;
    return sum;
  }
  const Stage& stage() const { return items.front().job->request.stage(); }
  bool is_refused_by(const Worker& worker) const {
    return std::find(refused_by.begin(), refused_by.end(), worker.number) != refused_by.end();
  }
  /// Removes the items behind the first `from` items, and returns them.
  Batch split_off(std::size_t from);
};

/// A batch that is being put together for a backend: its limits, and the sums over its items.
struct WorkQueue::BatchBuilder {
  StageLimits limits;          // of the stage on the backend
  const SharePolicy& policy;   // of the stage
  double work = 0, share = 0;  // of the items; `share` is the work that batch_share() allows
  std::uint64_t pairs = 0;
  std::size_t items = 0;
  bool is_full = false;
};

}  // namespace accord
