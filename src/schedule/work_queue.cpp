// SPDX-License-Identifier: Apache-2.0
#include "accord/schedule/work_queue.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "accord/base/core_pool.hpp"
#include "accord/base/error.hpp"
#include "accord/base/log.hpp"
#include "accord/base/parallel.hpp"
#include "accord/schedule/batch_share.hpp"

namespace accord {
namespace {

/// First batches are a fraction of a second on one core of a processor. Every batch of the
/// consistency transform lays out the posteriors of its sequences anew, so they are longer.
constexpr SharePolicy policy_of(BackendStage stage) {
  switch (stage) {
    case BackendStage::posteriors:
      return {3e7, 0.05, 0.5};
    case BackendStage::join:
      return {1e6, 0.05, 0.5};
    case BackendStage::relax:
      break;
  }
  return {1e6, 0.2, 2};
}

/// The most batches at the same time that are believed of a backend.
constexpr std::uint32_t kMostCalls = 64;

std::size_t index_of(BackendStage stage) { return static_cast<std::size_t>(stage); }

/// The Error if a device caused it.
std::optional<Error> device_fault(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const Error& fault) {
    const bool of_device = fault.kind() == ErrorKind::device_failed ||
                           fault.kind() == ErrorKind::device_unavailable ||
                           fault.kind() == ErrorKind::out_of_memory;
    return of_device ? std::optional(fault) : std::nullopt;
  } catch (...) {
    return std::nullopt;
  }
}

/// Limits with which batches can be planned.
/// Errors  Error{device_failed} if the backend says what cannot be.
BackendLimits checked_limits(const Backend& backend) {
  const BackendLimits limits = backend.limits();
  if (limits.lanes < 1 || limits.lanes > kBlockPairs) {
    throw Error(ErrorKind::device_failed, backend.name() + ": claims to compute " +
                                              std::to_string(limits.lanes) + " pairs side by side");
  }
  if (limits.calls < 1 || limits.calls > kMostCalls) {
    throw Error(ErrorKind::device_failed, backend.name() + ": claims to compute " +
                                              std::to_string(limits.calls) +
                                              " batches at the same time");
  }
  return limits;
}

/// The same if batches get only a part of the memory.
BackendLimits limits_in_part(const Backend& backend, std::size_t memory_part) {
  BackendLimits limits = checked_limits(backend);
  limits.batch_bytes /= memory_part;
  return limits;
}

}  // namespace

/// A backend, and how its batches went.
struct WorkQueue::Place {
  Backend& backend;
  std::size_t number;
  bool is_host;
  bool works;                         // false: takes only what no device can do
  std::uint32_t calls = 1, busy = 0;  // its threads, and how many of them compute
  bool retired = false;
  std::size_t memory_part = 1;  // batches get this part of the memory that the backend claims
  int faults = 0, faults_in_row = 0;
  std::array<double, kBackendStages> rate{};  // of one of its threads
};

void WorkRequest::fail(std::exception_ptr error) {
  const std::lock_guard lock(error_mutex_);
  if (!error_) error_ = std::move(error);
  failed_.store(true);
}

WorkQueue::WorkQueue(const std::vector<Backend*>& devices, Backend& host, HostRole role,
                     Clock clock)
    : host_(host), clock_(std::move(clock)) {
  if (devices.empty()) return;
  for (Backend* device : devices) {
    places_.push_back(std::unique_ptr<Place>(new Place{*device, places_.size(), false, true}));
  }
  places_.push_back(
      std::unique_ptr<Place>(new Place{host, places_.size(), true, role == HostRole::works}));
  for (auto& place : places_) {
    try {
      place->calls = checked_limits(place->backend).calls;
    } catch (const Error&) {
      // Its one thread will meet the same when it takes a batch, and that is accounted for.
    }
  }
  for (auto& place : places_) {
    for (std::uint32_t k = 0; k < place->calls; ++k) {
      threads_.emplace_back([this, &place] { work(*place); });
    }
  }
}

WorkQueue::~WorkQueue() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

DeviceFaults WorkQueue::faults() const {
  const std::lock_guard lock(mutex_);
  return faults_;
}

std::size_t WorkQueue::open_requests() const {
  const std::lock_guard lock(mutex_);
  return open_requests_;
}

void WorkQueue::run(WorkRequest& request) {
  const std::vector<WorkItem> items = request.items();
  if (items.empty()) return;
  if (places_.empty()) {
    request.run(host_, checked_limits(host_), items);
  } else {
    std::unique_lock lock(mutex_);
    enqueue(request, items);
    changed_.notify_all();
    lock.unlock();
    const CoreRest rest;  // the cores of this family are for others meanwhile
    lock.lock();
    request.done_.wait(lock, [&] { return request.open_ == 0; });
    lock.unlock();  // before the rest ends, which may wait for a core
  }
  if (request.failed()) std::rethrow_exception(request.error_);
}

/// Puts the items behind those of requests with at least as much work.
void WorkQueue::enqueue(WorkRequest& request, std::span<const WorkItem> items) {
  ++open_requests_;
  request.open_ = items.size();
  request.all_work_ = 0;
  for (const WorkItem& item : items) request.all_work_ += item.work;
  const std::size_t stage = index_of(request.stage());
  fresh_work_[stage] += request.all_work_;
  std::deque<WorkItem>& queue = fresh_[stage];
  const auto behind = std::find_if(queue.begin(), queue.end(), [&](const WorkItem& other) {
    return other.request->all_work_ < request.all_work_;
  });
  queue.insert(behind, items.begin(), items.end());
}

void WorkQueue::work(Place& place) {
  std::unique_lock lock(mutex_);
  while (true) {
    Batch batch;
    changed_.wait(lock, [&] { return stopping_ || place.retired || take(place, batch); });
    if (batch.items.empty()) return;
    compute(place, batch, lock);
    changed_.notify_all();
  }
}

/// Computes a batch without the lock, and takes notice of how it went.
void WorkQueue::compute(Place& place, Batch& batch, std::unique_lock<std::mutex>& lock) {
  const std::uint32_t busy = ++place.busy;
  const std::size_t memory_part = place.memory_part;
  lock.unlock();
  // The threads of a backend share the cores.
  set_own_thread_count(0);
  set_own_thread_count(thread_count() / static_cast<int>(busy));
  const double begin = clock_();
  std::exception_ptr error;
  try {
    const BackendLimits limits = limits_in_part(place.backend, memory_part);
    batch.items.front().request->run(place.backend, limits, batch.items);
  } catch (...) {
    error = std::current_exception();
  }
  const double seconds = clock_() - begin;
  lock.lock();
  --place.busy;
  if (error) return handle_error(place, std::move(batch), error);
  double& rate = place.rate[index_of(batch.items.front().request->stage())];
  double work = 0;
  for (const WorkItem& item : batch.items) work += item.work;
  rate = updated_rate(rate, work, seconds);
  place.faults_in_row = 0;
  finish(batch.items);
}

bool WorkQueue::any_device_left() const {
  return std::any_of(places_.begin(), places_.end(),
                     [](const auto& place) { return !place->is_host && !place->retired; });
}

/// Takes the next batch for a backend, if there is one. What is nearer to the end of its family
/// goes first, so that families end and give their memory back.
bool WorkQueue::take(Place& place, Batch& batch) {
  if (take_again(place, batch)) return true;
  if (!place.works && any_device_left()) return false;
  for (BackendStage stage : {BackendStage::relax, BackendStage::join, BackendStage::posteriors}) {
    take_fresh(place, stage, batch);
    if (!batch.items.empty()) return true;
  }
  return false;
}

bool WorkQueue::take_again(const Place& place, Batch& batch) {
  std::uint64_t devices = 0;
  for (const auto& other : places_) {
    if (!other->is_host && !other->retired) devices |= std::uint64_t{1} << other->number;
  }
  const auto can_take = [&](const Batch& waiting) {
    const bool refused = waiting.refused_by >> place.number & 1;
    const bool any_device_takes = devices & ~waiting.refused_by;
    return !refused && (place.works || !any_device_takes);
  };
  const auto found = std::find_if(again_.begin(), again_.end(), can_take);
  if (found == again_.end()) return false;
  batch = std::move(*found);
  again_.erase(found);
  return true;
}

/// Takes waiting items of a stage, as much as the backend's share and memory allow.
void WorkQueue::take_fresh(Place& place, BackendStage stage, Batch& batch) {
  std::deque<WorkItem>& queue = fresh_[index_of(stage)];
  std::optional<BackendLimits> limits;
  std::size_t bytes = 0;
  double work = 0, share = 0;
  std::uint64_t pairs = 0;
  while (!queue.empty()) {
    const WorkItem item = queue.front();
    const bool is_first = batch.items.empty();
    if (!item.request->failed()) {
      if (is_first) {
        share = share_of(place, stage, item.work);
        if (share <= 0) return;
        try {
          limits = limits_in_part(place.backend, place.memory_part);
        } catch (const Error& fault) {
          note(fault);
          return retire(place, {});
        }
      }
      bytes += item.request->item_bytes(item.index, *limits);
      // A backend that computes many pairs at once takes as long for a few of them, and would be
      // taken for slow.
      const bool fills = item.pairs == 0 || pairs >= limits->at_once;
      const bool fits = bytes <= limits->batch_bytes && (work + item.work <= share || !fills) &&
                        (is_first || batch.items.front().request->shares_batch_with(*item.request));
      if (!fits && !is_first) return;
      work += item.work;
      pairs += item.pairs;
      batch.items.push_back(item);
    } else {
      finish({&item, 1});
    }
    queue.pop_front();
    // The sum of an empty queue is 0, whatever the rounding of the sums before.
    fresh_work_[index_of(stage)] = queue.empty() ? 0 : fresh_work_[index_of(stage)] - item.work;
  }
}

/// A family's consistency transform is not cut between the threads of a backend, each of which
/// would need all of its posteriors; several families keep them busy.
double WorkQueue::share_of(const Place& place, BackendStage stage, double next_item) const {
  std::vector<double> rates;
  std::size_t self = 0;
  const bool devices_left = any_device_left();
  for (const auto& other : places_) {
    if (other->retired || (!other->works && devices_left)) continue;
    if (other.get() == &place) self = rates.size();
    const std::size_t parts = stage == BackendStage::relax ? 1 : other->calls;
    rates.insert(rates.end(), parts, other->rate[index_of(stage)]);
  }
  return batch_share(fresh_work_[index_of(stage)], next_item, rates, self, policy_of(stage));
}

/// Items that need no more work.
void WorkQueue::finish(std::span<const WorkItem> items) {
  for (const WorkItem& item : items) {
    if (--item.request->open_ > 0) continue;
    --open_requests_;
    item.request->done_.notify_one();
  }
}

void WorkQueue::note(const Error& fault) {
  log_verbose(std::string("device fault: ") + fault.what());
  if (faults_.faults++ == 0) faults_.first = fault.what();
}

void WorkQueue::handle_error(Place& place, Batch batch, const std::exception_ptr& error) {
  const std::optional<Error> fault = device_fault(error);
  if (fault && !place.is_host) return handle_fault(place, std::move(batch), *fault);
  for (const WorkItem& item : batch.items) item.request->fail(error);
  finish(batch.items);
}

void WorkQueue::handle_fault(Place& place, Batch batch, const Error& fault) {
  note(fault);
  const bool divisible = batch.items.size() > 1;
  const bool is_memory = fault.kind() == ErrorKind::out_of_memory;
  if (is_memory && place.memory_part < SIZE_MAX / 2) place.memory_part *= 2;
  if (!is_memory || !divisible) ++place.faults_in_row;
  if (!is_memory) ++place.faults;
  if (place.faults_in_row >= kMostFaultsInRow || place.faults >= kMostFaults) {
    return retire(place, batch);
  }
  if (divisible) {
    ++faults_.retries;
    const auto middle = batch.items.begin() + static_cast<std::ptrdiff_t>(batch.items.size() / 2);
    wait_again({{middle, batch.items.end()}, batch.refused_by});
    batch.items.erase(middle, batch.items.end());
  } else if (!batch.items.empty()) {
    ++faults_.moves;
    batch.refused_by |= std::uint64_t{1} << place.number;
  }
  wait_again(std::move(batch));
}

/// Puts a batch in front of what waits, without the items of requests that were given up.
void WorkQueue::wait_again(Batch batch) {
  std::erase_if(batch.items, [&](const WorkItem& item) {
    if (!item.request->failed()) return false;
    finish({&item, 1});
    return true;
  });
  if (!batch.items.empty()) again_.push_front(std::move(batch));
}

/// No more work for the backend; its batch, if any, is shared out among the others.
void WorkQueue::retire(Place& place, const Batch& batch) {
  if (!std::exchange(place.retired, true)) {
    faults_.retired.push_back(place.backend.name());
    log_verbose("retired      " + place.backend.name());
  }
  changed_.notify_all();
  if (batch.items.empty()) return;
  ++faults_.moves;
  const std::size_t stage = index_of(batch.items.front().request->stage());
  fresh_[stage].insert(fresh_[stage].begin(), batch.items.begin(), batch.items.end());
  for (const WorkItem& item : batch.items) fresh_work_[stage] += item.work;
}

}  // namespace accord
