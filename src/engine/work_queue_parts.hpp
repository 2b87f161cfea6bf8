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
  std::size_t number;
  bool is_host;
  bool works;                 // false: takes only work that no device can do
  std::uint32_t threads = 1;  // as many as it computes batches at the same time
  bool retired = false;
  std::size_t batches = 0;  // that it has computed
  DeviceHealth health{};
  /// The measured speed of a stage on the backend.
  struct OfStage {
    std::optional<StageLimits> limits;
    double rate = 0;  // of one thread of the backend
  };
  std::map<const Stage*, OfStage> stages{};  // those that were requested

  bool computes(const Stage& stage) const {
    const auto found = stages.find(&stage);
    return found != stages.end() && found->second.limits;
  }
};

/// A request while it is run.
struct WorkQueue::Job {
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

/// The work of a stage that no worker has taken.
struct WorkQueue::Pending {
  std::deque<Job*> jobs;
  double work = 0;
};

/// The requests of a call of run().
struct WorkQueue::Run {
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
  std::vector<std::size_t> refused_by = {};  // numbers of workers

  std::size_t size() const {
    std::size_t sum = 0;
    for (const JobRange& range : items) sum += range.last - range.first;
    return sum;
  }
  const Stage& stage() const { return items.front().job->request.stage(); }
  bool is_refused_by(const Worker& worker) const {
    return std::find(refused_by.begin(), refused_by.end(), worker.number) != refused_by.end();
  }
  /// Removes the items from number `from` on, and returns them.
  Batch split_off(std::size_t from);
};

/// A batch that is being put together.
struct WorkQueue::BatchBuilder {
  StageLimits limits;
  const SharePolicy& policy;
  double work = 0, share = 0;
  std::uint64_t pairs = 0;
  std::size_t items = 0;
  bool is_full = false;
};

}  // namespace accord
