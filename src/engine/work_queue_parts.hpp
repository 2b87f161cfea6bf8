// SPDX-License-Identifier: Apache-2.0
// The parts of a WorkQueue.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "base/timeline.hpp"
#include "engine/stage_request.hpp"
#include "engine/work_queue.hpp"

namespace accord {

/// Keeps the record of a device, and decides from it whether the device gets more batches, and
/// which part of its memory they may use. Faults are forgiven after successful batches, not after a
/// time, so that long and short runs treat a device alike. Not thread-safe.
class DeviceHealth {
 public:
  /// Faults in a row after which a device is retired. Memory errors count only for a batch that
  /// cannot be halved.
  static constexpr int kMostFaultsInRow = 3;
  /// Faults after which a device is retired. Every kForgiving successful batches cancel one fault,
  /// so that rare faults do not retire a device, however many there are.
  static constexpr int kMostFaults = 20, kForgiving = 10;
  /// A memory error halves the memory that a batch may use. After this many successful batches
  /// without a memory error, the memory is doubled again. Every memory error, also the first,
  /// doubles the number, so that a device which claims too much memory costs little. The constant
  /// is the number before the first memory error.
  static constexpr std::uint64_t kMemoryTrial = 8;

  /// Records a successful batch.
  void note_success();
  /// Records a failed batch. `of_memory`: the batch ran out of memory. `is_divisible`: the halves
  /// of the batch can be tried.
  void note_fault(bool of_memory, bool is_divisible);

  /// Whether the device is to be retired.
  bool is_hopeless() const;
  /// The number of equal parts of the memory that the device claims; a batch may use one part.
  std::uint32_t memory_parts() const { return memory_parts_; }

 private:
  int faults_in_row_ = 0;
  int burden_ = 0;  // kForgiving for each fault
  std::uint32_t memory_parts_ = 1;
  std::uint64_t went_well_ = 0;  // batches with this part of the memory
  std::uint64_t trial_ = kMemoryTrial;
};

/// A backend, and the record of its batches.
struct WorkQueue::Worker {
  Backend& backend;
  std::size_t number;  // different for each worker; Batch::refused_by has such numbers
  bool is_host;
  bool works;  // of the host: not on standby
  const bool on_host = is_host || backend.uses_host_processors();
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
  /// The place in the order in which backends take work: those that have a later turn take only
  /// what the others cannot. A device on the processors of the host comes after the others, since
  /// it takes these processors from alignment and refinement.
  int turn() const { return is_host ? (works ? 0 : 2) : (on_host ? 1 : 0); }
  double rate(const Stage& stage) const {
    const auto found = stages.find(&stage);
    return found != stages.end() ? found->second.rate : 0;
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
  const std::shared_ptr<const std::string> family = TimelineFamily::current();

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
  double done = 0;        // the work of all batches that ended well
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
};

/// The work of a stage at a moment.
struct StageWork {
  double remaining;  ///< that no backend has taken
  double done;       ///< that is computed
  double next_item;  ///< the work of the next item, which cannot be divided
};

/// How many times slower than the fastest backend a backend can be, in the view of batch_share().
inline constexpr double kMostSlowness = 100;

/// The share of the remaining work that an idle backend takes as its next batch, in work. The
/// result may be larger than the remaining work; the backend then takes everything.
///
/// - A backend that is alone takes everything (the result is infinity).
/// - A backend with a known rate takes half of its fair share of the remaining work. So batches
///   become smaller towards the end, and all backends end together. The batch takes at most
///   policy.longest_seconds, since a backend may become slower (as the host does when it aligns
///   families at the same time), and at least policy.shortest_seconds.
/// - A backend without a known rate may be `slowness` times slower than the fastest backend whose
///   rate is known. Its first batch must not last too long even then: no longer than
///   policy.longest_seconds, and about as long as the others need for their part. It has at most
///   policy.most_first_batch_work.
/// - A batch has at least the next item.
/// - A backend takes nothing (the result is 0) if the other backends would finish all remaining
///   work before this backend finished the next item. So a slow backend lengthens a stage by at
///   most one batch, and the fastest backend always takes work. A backend without a known rate
///   also takes an item that lasts at most policy.shortest_seconds, or at most a tenth of the time
///   that the others need for the work done so far. Without this exception, the rate would stay
///   unknown in a stage that has few items at a time.
///
/// `rates`: the rate of each backend that shares the work, in work a second, 0 if it is not known.
/// A backend that computes several batches at a time has a value for each of them. `self` is the
/// index of a value of this backend. Pure.
double batch_share(const StageWork& work, std::span<const double> rates, std::size_t self,
                   const SharePolicy& policy, double slowness = kMostSlowness);

/// The rate of a backend, in work a second, after a batch of `work` that took `seconds`. `rate` is
/// the rate before, 0 if it is not known. The result follows a faster batch at once and a slower
/// one by half, because the first batch also compiles kernels.
double updated_rate(double rate, double work, double seconds);

}  // namespace accord
