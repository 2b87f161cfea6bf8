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
      begin_(clock_()),
      cpus_(thread_count()),
      awaits_devices_(awaits_devices) {
  for (Backend* device : devices) workers_.push_back(make_worker(*device, false));
  workers_.push_back(make_worker(host, true));
  workers_.back()->works = role == HostRole::works;
  if (!devices.empty() || awaits_devices) start_threads(workers_);
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
  threads_.emplace_back();
  try {
    threads_.back().start(thread_starts.size(), [this, thread_starts](std::size_t k) {
      name_thread("worker of " + thread_starts[k].first->backend.name());
      work(*thread_starts[k].first, thread_starts[k].second);
    });
  } catch (const Error&) {
    threads_.pop_back();
    throw;
  }
}

void WorkQueue::add(std::span<Backend* const> devices, bool awaits_more) {
  const std::lock_guard lock(mutex_);
  std::vector<std::unique_ptr<Worker>> added;
  for (Backend* device : devices) {
    added.push_back(make_worker(*device, false));
    for (const auto& [stage, pending] : pending_) ask_limits(*added.back(), *stage);
  }
  // The threads wait for the lock.
  if (threads_.empty() && !devices.empty()) start_threads({&workers_.back(), 1});
  if (!devices.empty()) start_threads(added);
  workers_.insert(workers_.end() - 1, std::make_move_iterator(added.begin()),
                  std::make_move_iterator(added.end()));
  awaits_devices_ = awaits_more;
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
  const bool is_host_alone = host_is_alone(requests);
  open_requests_ += requests.size();
  record_value("open requests", static_cast<double>(open_requests_));
  if (is_host_alone) {
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

/// Whether no device is there or comes that would take work of the requests.
bool WorkQueue::host_is_alone(std::span<StageRequest* const> requests) {
  if (awaits_devices_) return false;
  const auto is_for_host = [&](const StageRequest* request) {
    const Stage& stage = request->stage();
    for (const auto& worker : workers_) ask_limits(*worker, stage);
    return std::none_of(workers_.begin(), workers_.end(), [&](const auto& worker) {
      return !worker->is_host && takes_part(*worker, stage);
    });
  };
  return std::all_of(requests.begin(), requests.end(), is_for_host);
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
/// device, and the rest for what computes on the processors of the host.
int WorkQueue::wanted_cpus(const Worker& worker) const {
  int device_threads = 0;
  for (const auto& other : workers_) {
    if (!other->on_host && !other->retired) device_threads += static_cast<int>(other->threads);
  }
  const int hosts = workers_.back()->works ? 1 : 0;
  const int part = std::max(1, cpus_.cpus() / std::max(1, device_threads + hosts));
  return worker.on_host ? std::max(1, cpus_.cpus() - device_threads * part) : part;
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
        worker.on_host ? CpuBudget::Priority::begun : CpuBudget::Priority::device);
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

}  // namespace accord
