// SPDX-License-Identifier: Apache-2.0
#include "engine/work_queue.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/parallel.hpp"
#include "base/text.hpp"
#include "base/timeline.hpp"
#include "engine/batch_span.hpp"
#include "engine/work_queue_parts.hpp"

namespace accord {
namespace {

/// The largest number of concurrent batches that a backend may claim.
constexpr std::uint32_t kMostThreads = 64;

/// The number of threads that a backend needs: one for each concurrent batch.
/// Throws  Error{device_failed} if the backend claims an impossible number.
std::uint32_t checked_threads(const Backend& backend) {
  const std::uint32_t batches = backend.concurrent_batches();
  if (batches >= 1 && batches <= kMostThreads) return batches;
  throw Error(ErrorKind::device_failed, backend.name() + ": claims to compute " +
                                            std::to_string(batches) + " batches at the same time");
}

/// Counts something while it exists.
class Counted {
 public:
  explicit Counted(std::atomic<std::size_t>& count) : count_(count) { ++count_; }
  ~Counted() { --count_; }
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;

 private:
  std::atomic<std::size_t>& count_;
};

}  // namespace

WorkQueue::WorkQueue(const std::vector<Backend*>& devices, Backend& host, HostRole role,
                     Clock clock, bool awaits_devices)
    : host_(host),
      clock_(std::move(clock)),
      cpus_(thread_count()),
      awaits_devices_(awaits_devices),
      host_only_(devices.empty() && !awaits_devices) {
  if (host_only_) return;
  for (Backend* device : devices) workers_.push_back(make_worker(*device, false));
  workers_.push_back(make_worker(host, true));
  workers_.back()->works = role == HostRole::works;
  start_threads(workers_);
}

/// Makes the worker of a backend, and asks how many batches it computes at the same time. A device
/// that fails at that is retired.
/// Throws  what the host throws.
std::unique_ptr<WorkQueue::Worker> WorkQueue::make_worker(Backend& backend, bool is_host) {
  auto worker = std::unique_ptr<Worker>(new Worker{backend, next_number_++, is_host, true});
  try {
    worker->threads = checked_threads(backend);
  } catch (const Error& fault) {
    if (is_host) throw;
    note(fault);
    retire(*worker, {});
  }
  return worker;
}

/// Asks a backend once whether, and within which limits, it computes a stage. A device that cannot
/// say so is retired.
/// Throws  what the host throws.
void WorkQueue::ask_limits(Worker& worker, const Stage& stage) {
  if (worker.retired || worker.stages.contains(&stage)) return;
  try {
    worker.stages[&stage].limits = worker.backend.limits(stage);
  } catch (const Error& fault) {
    if (worker.is_host) throw;
    note(fault);
    retire(worker, {});
  }
}

void WorkQueue::start_threads(std::span<const std::unique_ptr<Worker>> workers) {
  std::vector<std::pair<Worker*, std::size_t>> thread_starts;  // and the batches before its start
  for (const auto& worker : workers) {
    for (std::uint32_t thread = 1; thread <= worker->threads && !worker->retired; ++thread) {
      thread_starts.emplace_back(worker.get(), worker->backend.warm_up_batches(thread));
    }
  }
  threads_.emplace_back().start(thread_starts.size(), [this, thread_starts](std::size_t k) {
    name_thread("worker of " + thread_starts[k].first->backend.name());
    work(*thread_starts[k].first, thread_starts[k].second);
  });
}

void WorkQueue::add(std::span<Backend* const> devices, bool awaits_more) {
  const std::lock_guard lock(mutex_);
  std::vector<std::unique_ptr<Worker>> added;
  for (Backend* device : devices) {
    added.push_back(make_worker(*device, false));
    for (const auto& [stage, pending] : pending_) ask_limits(*added.back(), *stage);
  }
  start_threads(added);  // the threads wait for the lock
  workers_.insert(workers_.end() - 1, std::make_move_iterator(added.begin()),
                  std::make_move_iterator(added.end()));
  awaits_devices_ = awaits_more;
  host_only_ = workers_.size() == 1 && !awaits_more;
}

WorkQueue::~WorkQueue() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  for (ThreadGroup& group : threads_) group.join();
}

DeviceFaults WorkQueue::faults() const {
  const std::lock_guard lock(mutex_);
  return faults_;
}

std::size_t WorkQueue::open_requests() const {
  const std::lock_guard lock(mutex_);
  return open_requests_;
}

QueueState WorkQueue::state() const {
  const std::lock_guard lock(mutex_);
  QueueState state{open_requests_, computing_, ended_batches_, {}};
  std::size_t taken = 0;
  for (const auto& [stage, pending] : pending_) {
    if (pending.jobs.empty() && pending.taken == 0) continue;
    state.waits += std::string(stage->name) + ": " + counted(pending.jobs.size(), "request") +
                   " not begun or in part, " + counted(pending.taken, "batch", "batches") +
                   " taken; ";
    taken += pending.taken;
  }
  state.waits += counted(retries_.size(), "failed batch", "failed batches") + " to be tried; " +
                 std::to_string(taken - std::min(taken, state.computing)) +
                 " of the taken ones wait for CPUs; " + cpus_.usage();
  return state;
}

void WorkQueue::run(std::span<StageRequest* const> requests) {
  if (requests.empty()) return;
  if (!may_wait_for_results()) {
    throw Error(ErrorKind::internal, "a thread of a loop waits for the queue on CPUs of the loop");
  }
  Run run(requests);
  std::unique_lock lock(mutex_);
  open_requests_ += requests.size();
  record_value("open requests", static_cast<double>(open_requests_));
  if (host_only_) {
    lock.unlock();
    run_here(run);
  } else {
    begin(run);
    lock.unlock();
    const CpuRest rest;  // other families may use the CPUs of this one meanwhile
    const TimelineSpan span(SpanKind::wait, "wait for results");
    lock.lock();
    run.done.wait(lock, [&] { return run.open == 0; });
    lock.unlock();  // the destructor of `rest` may wait for a CPU
  }
  for (const StageRequest* request : requests) {
    if (request->failed()) std::rethrow_exception(request->error());
  }
}

/// Computes all requests on the host.
void WorkQueue::run_here(Run& run) {
  const Counted computes(computing_);
  for (Job& job : run.jobs) {
    StageRequest& request = job.request;
    try {
      const std::size_t count = request.failed() ? 0 : request.items();
      const std::size_t most = request.policy().most_items;
      for (std::size_t first = 0; first < count && !request.failed();) {
        const std::size_t last = first + std::min(most, count - first);
        const ItemRange items{&request, first, last};
        const BatchSpan span(host_, {&items, 1});
        request.run(host_, 1, {&items, 1});
        first = last;
      }
    } catch (...) {
      request.fail(std::current_exception());
    }
    const std::lock_guard lock(mutex_);
    close(job);
  }
}

/// Puts jobs into the queues of their stages, behind the jobs with at least as much work.
void WorkQueue::begin(Run& run) {
  for (Job& job : run.jobs) {
    try {
      job.count = job.request.failed() ? 0 : job.request.items();
      job.all_work = job.request.all_work(job.count);
      for (const auto& worker : workers_) ask_limits(*worker, job.request.stage());
    } catch (...) {
      job.request.fail(std::current_exception());
      job.count = 0;
    }
    job.open = job.count;
    if (job.count == 0) {
      close(job);
      continue;
    }
    Pending& pending = pending_[&job.request.stage()];
    pending.work += job.all_work;
    const auto behind =
        std::find_if(pending.jobs.begin(), pending.jobs.end(),
                     [&](const Job* other) { return other->all_work < job.all_work; });
    pending.jobs.insert(behind, &job);
  }
  changed_.notify_all();
}

/// Records that a job is done; wakes up run() after the last job of a run.
void WorkQueue::close(Job& job) {
  --open_requests_;
  record_value("open requests", static_cast<double>(open_requests_));
  if (--job.run.open == 0) job.run.done.notify_one();
}

/// Records that items are done or abandoned.
void WorkQueue::finish(const JobRange& items) {
  items.job->open -= items.last - items.first;
  if (items.job->open == 0) close(*items.job);
}

void WorkQueue::finish(const Batch& batch) {
  for (const JobRange& items : batch.items) finish(items);
}

/// The loop of a thread of a backend. The thread takes its first batch when the backend has
/// computed `warm_up_batches` batches.
void WorkQueue::work(Worker& worker, std::size_t warm_up_batches) {
  std::unique_lock lock(mutex_);
  while (true) {
    Batch batch;
    changed_.wait(lock, [&] {
      return stopping_ || worker.retired ||
             (worker.batches >= warm_up_batches && take(worker, batch));
    });
    if (batch.items.empty()) return;
    compute(worker, batch, lock);
    changed_.notify_all();
  }
}

/// The number of CPUs that a thread of the backend asks for: an equal part for each thread of a
/// device, and the rest for the host.
int WorkQueue::wanted_cpus(const Worker& worker) const {
  int device_threads = 0;
  for (const auto& other : workers_) {
    if (!other->is_host && !other->retired) device_threads += static_cast<int>(other->threads);
  }
  const int hosts = workers_.back()->works ? 1 : 0;
  const int part = std::max(1, cpus_.cpus() / std::max(1, device_threads + hosts));
  return worker.is_host ? std::max(1, cpus_.cpus() - device_threads * part) : part;
}

/// Computes a batch without the lock, then records its speed or its fault.
void WorkQueue::compute(Worker& worker, Batch& batch, std::unique_lock<std::mutex>& lock) {
  const std::uint32_t memory_parts = worker.health.memory_parts();
  const int wanted = wanted_cpus(worker);
  Pending& pending = pending_.at(&batch.stage());
  ++pending.taken;
  lock.unlock();
  std::exception_ptr error;
  double work = 0, seconds = 0;
  try {
    const CpuBudget::Lease lease(
        cpus_, [wanted] { return wanted; },
        worker.is_host ? CpuBudget::Priority::begun : CpuBudget::Priority::device);
    std::vector<ItemRange> items;
    for (const JobRange& range : batch.items) {
      StageRequest& request = range.job->request;
      items.push_back({&request, range.first, range.last});
      for (std::size_t item = range.first; item < range.last; ++item) work += request.work(item);
    }
    const Counted computes(computing_);
    const TimelineFamily of_family(batch.items.size() == 1 ? batch.items.front().job->family
                                                           : nullptr);
    const BatchSpan span(worker.backend, items);
    const double begin = clock_();
    items.front().request->run(worker.backend, memory_parts, items);
    seconds = clock_() - begin;
  } catch (...) {
    error = std::current_exception();
  }
  lock.lock();
  --pending.taken;
  ++ended_batches_;
  if (error) return handle_error(worker, std::move(batch), error);
  double& rate = worker.stages[&batch.stage()].rate;
  rate = updated_rate(rate, work, seconds);
  pending.done += work;
  worker.health.note_success();
  ++worker.batches;
  finish(batch);
}

bool WorkQueue::any_device_left(const Stage& stage) const {
  return std::any_of(workers_.begin(), workers_.end(), [&](const auto& worker) {
    return !worker->is_host && !worker->retired && worker->computes(stage);
  });
}

/// Takes the next batch for a backend, if there is one. Work that is nearer to the end of its
/// family goes first, so that families end and give their memory back.
bool WorkQueue::take(Worker& worker, Batch& batch) {
  if (take_retry(worker, batch)) return true;
  for (auto& [stage, pending] : pending_) {
    if (!worker.computes(*stage) || (!worker.works && any_device_left(*stage))) continue;
    take_pending(worker, pending, batch);
    if (!batch.items.empty()) return true;
  }
  return false;
}

bool WorkQueue::take_retry(const Worker& worker, Batch& batch) {
  const auto can_take = [&](const Batch& waiting) {
    const auto takes = [&](const Worker& other) {
      return !other.retired && other.computes(waiting.stage()) && !waiting.is_refused_by(other);
    };
    const bool any_device_takes =
        std::any_of(workers_.begin(), workers_.end(),
                    [&](const auto& other) { return !other->is_host && takes(*other); });
    return takes(worker) && (worker.works || !any_device_takes);
  };
  const auto found = std::find_if(retries_.begin(), retries_.end(), can_take);
  if (found == retries_.end()) return false;
  batch = std::move(*found);
  retries_.erase(found);
  return true;
}

/// Takes items of a stage that no worker has taken, up to the share of the backend.
void WorkQueue::take_pending(const Worker& worker, Pending& pending, Batch& batch) {
  std::deque<Job*>& queue = pending.jobs;
  if (queue.empty()) return;
  const Worker::OfStage& known = worker.stages.at(&queue.front()->request.stage());
  BatchBuilder builder{*known.limits, queue.front()->request.policy()};
  while (!queue.empty()) {
    Job& job = *queue.front();
    if (job.request.failed()) {
      pending.work -= job.pending_work();
      queue.pop_front();
      const JobRange rest{&job, std::exchange(job.next, job.count), job.count};
      finish(rest);
      continue;
    }
    if (!batch.items.empty() && !batch.items.front().job->request.shares_batch_with(job.request)) {
      return;
    }
    take_items(worker, job, pending, batch, builder);
    if (job.next < job.count) return;
    queue.pop_front();
    if (queue.empty()) pending.work = 0;  // the sum may have rounding errors
    // A large family that fills the device gets its results sooner if no other family is in its
    // batch.
    const double shortest = known.rate * builder.policy.shortest_seconds;
    const bool is_full = builder.pairs >= builder.limits.at_once && builder.work >= shortest;
    if (!worker.is_host && is_full) return;
  }
}

void WorkQueue::take_items(const Worker& worker, Job& job, Pending& pending, Batch& batch,
                           BatchBuilder& builder) {
  const std::size_t first = job.next;
  for (; job.next < job.count; ++job.next, ++builder.items) {
    const double work = job.request.work(job.next);
    const std::uint32_t pairs = job.request.pairs(job.next);
    if (builder.items == 0) {
      builder.share = share_of(worker, pending, job.request.stage(), builder.policy, work);
      if (builder.share <= 0) return;
    } else {
      // A backend that computes many pairs at once takes as long for a few pairs; its rate would be
      // too low.
      const bool is_full = pairs == 0 || builder.pairs >= builder.limits.at_once;
      if (builder.items >= builder.policy.most_items ||
          (builder.work + work > builder.share && is_full)) {
        break;
      }
    }
    builder.work += work;
    builder.pairs += pairs;
    pending.work -= work;
  }
  if (job.next > first) batch.items.push_back({&job, first, job.next});
}

/// How many times slower than the fastest other backend a backend may be in a stage of which it has
/// computed nothing: as in the stages of which it has, at most kMostSlowness.
double WorkQueue::slowness_of(const Worker& worker) const {
  double slowness = 0;
  for (const auto& [stage, known] : worker.stages) {
    double fastest = 0;
    for (const auto& other : workers_) {
      if (other.get() == &worker || other->retired || !other->computes(*stage)) continue;
      fastest = std::max(fastest, other->stages.at(stage).rate);
    }
    if (known.rate > 0) slowness = std::max(slowness, fastest / known.rate);
  }
  return slowness > 0 ? std::clamp(slowness, 1.0, kMostSlowness) : kMostSlowness;
}

double WorkQueue::share_of(const Worker& worker, const Pending& pending, const Stage& stage,
                           SharePolicy policy, double next_item) const {
  // Work is divided among this number of batches of a device; further batches fill the gaps between
  // these.
  constexpr std::uint32_t kSharers = 2;
  std::vector<double> rates;
  std::size_t self = 0;
  if (awaits_devices_) {
    rates.push_back(0);
    // Work is left for the devices, which are faster than the host more often than not.
    if (worker.is_host) policy.longest_seconds = policy.shortest_seconds;
  }
  const bool devices_left = any_device_left(stage);
  double slowness = 1;
  for (const auto& other : workers_) {
    if (other->retired || !other->computes(stage) || (!other->works && devices_left)) continue;
    if (other.get() == &worker) {
      self = rates.size();
    } else {
      slowness = slowness_of(worker);
    }
    rates.insert(rates.end(), policy.is_divided ? std::min(other->threads, kSharers) : 1,
                 other->stages.at(&stage).rate);
  }
  return batch_share({pending.work, pending.done, next_item}, rates, self, policy, slowness);
}

}  // namespace accord
