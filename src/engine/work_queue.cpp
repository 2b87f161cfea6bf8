// SPDX-License-Identifier: Apache-2.0
#include "engine/work_queue.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "accord/base/error.hpp"
#include "base/parallel.hpp"
#include "engine/batch_share.hpp"
#include "engine/work_queue_parts.hpp"

namespace accord {
namespace {

/// The most batches at the same time that are believed of a backend.
constexpr std::uint32_t kMostCalls = 64;

/// Errors  Error{device_failed} if the backend says what cannot be.
std::uint32_t checked_calls(const Backend& backend) {
  const std::uint32_t calls = backend.calls();
  if (calls >= 1 && calls <= kMostCalls) return calls;
  throw Error(ErrorKind::device_failed, backend.name() + ": claims to compute " +
                                            std::to_string(calls) + " batches at the same time");
}

}  // namespace

WorkQueue::WorkQueue(const std::vector<Backend*>& devices, Backend& host, HostRole role,
                     Clock clock)
    : host_(host),
      clock_(std::move(clock)),
      cores_(thread_count()),
      awaits_devices_(role == HostRole::stands_in),
      is_alone_(devices.empty() && role != HostRole::stands_in) {
  if (is_alone_) return;
  for (Backend* device : devices) places_.push_back(make_place(*device, false));
  places_.push_back(make_place(host, true));
  places_.back()->works = role == HostRole::works;
  start_threads(places_);
}

/// Errors  what the host throws; a device that cannot say what it does is retired.
std::unique_ptr<WorkQueue::Place> WorkQueue::make_place(Backend& backend, bool is_host) {
  auto place = std::unique_ptr<Place>(new Place{backend, next_number_++, is_host, true});
  try {
    place->calls = checked_calls(backend);
    for (std::size_t stage = 0; stage < kBackendStages; ++stage) {
      place->limits[stage] = backend.limits(static_cast<BackendStage>(stage));
    }
  } catch (const Error& fault) {
    if (is_host) throw;
    note(fault);
    retire(*place, {});
  }
  return place;
}

void WorkQueue::start_threads(std::span<const std::unique_ptr<Place>> places) {
  std::vector<std::pair<Place*, std::size_t>> of_thread;  // and the batches before it
  for (const auto& place : places) {
    for (std::uint32_t calls = 1; calls <= place->calls && !place->retired; ++calls) {
      of_thread.emplace_back(place.get(), place->backend.batches_before(calls));
    }
  }
  threads_.emplace_back().start(of_thread.size(), [this, of_thread](std::size_t k) {
    work(*of_thread[k].first, of_thread[k].second);
  });
}

void WorkQueue::add(std::span<Backend* const> devices) {
  const std::lock_guard lock(mutex_);
  awaits_devices_ = false;
  is_alone_ = devices.empty();
  std::vector<std::unique_ptr<Place>> added;
  for (Backend* device : devices) added.push_back(make_place(*device, false));
  start_threads(added);  // they wait for the lock
  places_.insert(places_.end() - 1, std::make_move_iterator(added.begin()),
                 std::make_move_iterator(added.end()));
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

void WorkQueue::run(std::span<StageRequest* const> requests) {
  if (requests.empty()) return;
  Run run(requests);
  std::unique_lock lock(mutex_);
  open_requests_ += requests.size();
  if (is_alone_) {
    lock.unlock();
    run_here(run);
  } else {
    begin(run);
    lock.unlock();
    const CoreRest rest;  // the cores of this family are for others meanwhile
    lock.lock();
    run.done.wait(lock, [&] { return run.open == 0; });
    lock.unlock();  // before the rest ends, which may wait for a core
  }
  for (const StageRequest* request : requests) {
    if (request->failed()) std::rethrow_exception(request->error());
  }
}

/// Computes all requests on the host.
void WorkQueue::run_here(Run& run) {
  for (Job& job : run.jobs) {
    StageRequest& request = job.request;
    try {
      const std::size_t count = request.failed() ? 0 : request.items();
      const std::size_t most = request.policy().most_items;
      for (std::size_t first = 0; first < count && !request.failed();) {
        const std::size_t last = first + std::min(most, count - first);
        const ItemRange items{&request, first, last};
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

/// Puts the items of jobs behind those of jobs with at least as much work.
void WorkQueue::begin(Run& run) {
  for (Job& job : run.jobs) {
    try {
      job.count = job.request.failed() ? 0 : job.request.items();
      job.all_work = job.request.all_work(job.count);
    } catch (...) {
      job.request.fail(std::current_exception());
      job.count = 0;
    }
    job.open = job.count;
    if (job.count == 0) {
      close(job);
      continue;
    }
    const std::size_t stage = index_of(job.request.stage());
    fresh_work_[stage] += job.all_work;
    const auto behind =
        std::find_if(fresh_[stage].begin(), fresh_[stage].end(),
                     [&](const Job* other) { return other->all_work < job.all_work; });
    fresh_[stage].insert(behind, &job);
  }
  changed_.notify_all();
}

/// A job is done.
void WorkQueue::close(Job& job) {
  --open_requests_;
  if (--job.run.open == 0) job.run.done.notify_one();
}

/// Items that need no more work.
void WorkQueue::finish(const JobRange& items) {
  items.job->open -= items.last - items.first;
  if (items.job->open == 0) close(*items.job);
}

void WorkQueue::finish(const Batch& batch) {
  for (const JobRange& items : batch.items) finish(items);
}

/// What a thread of a backend does, when the backend has computed so many batches.
void WorkQueue::work(Place& place, std::size_t batches_before) {
  std::unique_lock lock(mutex_);
  while (true) {
    Batch batch;
    changed_.wait(lock, [&] {
      return stopping_ || place.retired || (place.batches >= batches_before && take(place, batch));
    });
    if (batch.items.empty()) return;
    compute(place, batch, lock);
    changed_.notify_all();
  }
}

/// Cores of a thread of the backend, if it can get them: the same for all that feed a device, and
/// what these leave for the host.
int WorkQueue::wanted_cores(const Place& place) const {
  int device_threads = 0;
  for (const auto& other : places_) {
    if (!other->is_host && !other->retired) device_threads += static_cast<int>(other->calls);
  }
  const int hosts = places_.back()->works ? 1 : 0;
  const int part = std::max(1, cores_.cores() / std::max(1, device_threads + hosts));
  return place.is_host ? std::max(1, cores_.cores() - device_threads * part) : part;
}

/// Computes a batch without the lock, and takes notice of how it went.
void WorkQueue::compute(Place& place, Batch& batch, std::unique_lock<std::mutex>& lock) {
  const std::uint32_t memory_parts = place.health.memory_parts();
  const int wanted = wanted_cores(place);
  lock.unlock();
  std::exception_ptr error;
  double work = 0, seconds = 0;
  try {
    const CoreBudget::Lease lease(
        cores_, [wanted] { return wanted; },
        place.is_host ? CoreBudget::Priority::usual : CoreBudget::Priority::device);
    std::vector<ItemRange> items;
    for (const JobRange& range : batch.items) {
      StageRequest& request = range.job->request;
      items.push_back({&request, range.first, range.last});
      for (std::size_t item = range.first; item < range.last; ++item) work += request.work(item);
    }
    const double begin = clock_();
    items.front().request->run(place.backend, memory_parts, items);
    seconds = clock_() - begin;
  } catch (...) {
    error = std::current_exception();
  }
  lock.lock();
  if (error) return handle_error(place, std::move(batch), error);
  double& rate = place.rate[index_of(batch.stage())];
  rate = updated_rate(rate, work, seconds);
  place.health.note_success();
  ++place.batches;
  finish(batch);
}

bool WorkQueue::any_device_left(BackendStage stage) const {
  return std::any_of(places_.begin(), places_.end(), [&](const auto& place) {
    return !place->is_host && !place->retired && place->computes(stage);
  });
}

/// Takes the next batch for a backend, if there is one. What is nearer to the end of its family
/// goes first, so that families end and give their memory back.
bool WorkQueue::take(Place& place, Batch& batch) {
  if (take_again(place, batch)) return true;
  for (std::size_t k = kBackendStages; k-- > 0;) {
    const auto stage = static_cast<BackendStage>(k);
    if (!place.computes(stage) || (!place.works && any_device_left(stage))) continue;
    take_fresh(place, stage, batch);
    if (!batch.items.empty()) return true;
  }
  return false;
}

bool WorkQueue::take_again(const Place& place, Batch& batch) {
  const auto can_take = [&](const Batch& waiting) {
    const auto takes = [&](const Place& other) {
      return !other.retired && other.computes(waiting.stage()) && !waiting.is_refused_by(other);
    };
    const bool any_device_takes =
        std::any_of(places_.begin(), places_.end(),
                    [&](const auto& other) { return !other->is_host && takes(*other); });
    return takes(place) && (place.works || !any_device_takes);
  };
  const auto found = std::find_if(again_.begin(), again_.end(), can_take);
  if (found == again_.end()) return false;
  batch = std::move(*found);
  again_.erase(found);
  return true;
}

/// Takes items of a stage that nobody has taken, as much as the backend's share allows.
void WorkQueue::take_fresh(const Place& place, BackendStage stage, Batch& batch) {
  std::deque<Job*>& queue = fresh_[index_of(stage)];
  double& fresh_work = fresh_work_[index_of(stage)];
  if (queue.empty()) return;
  Filling filling{*place.limits[index_of(stage)], queue.front()->request.policy()};
  while (!queue.empty()) {
    Job& job = *queue.front();
    if (job.request.failed()) {
      fresh_work -= job.fresh_work();
      queue.pop_front();
      const JobRange rest{&job, std::exchange(job.next, job.count), job.count};
      finish(rest);
      continue;
    }
    if (!batch.items.empty() && !batch.items.front().job->request.shares_batch_with(job.request)) {
      return;
    }
    take_items(place, job, batch, filling);
    if (job.next < job.count) return;
    queue.pop_front();
    if (queue.empty()) fresh_work = 0;  // whatever the rounding of the sums before
    // A large family that fills the device goes on sooner without others behind it.
    const double shortest = place.rate[index_of(stage)] * filling.policy.shortest_seconds;
    const bool is_filled = filling.pairs >= filling.limits.at_once && filling.work >= shortest;
    if (!place.is_host && is_filled) return;
  }
}

void WorkQueue::take_items(const Place& place, Job& job, Batch& batch, Filling& filling) {
  const BackendStage stage = job.request.stage();
  const std::size_t first = job.next;
  for (; job.next < job.count; ++job.next, ++filling.items) {
    const double work = job.request.work(job.next);
    const std::uint32_t pairs = job.request.pairs(job.next);
    if (filling.items == 0) {
      filling.share = share_of(place, stage, filling.policy, work);
      if (filling.share <= 0) return;
    } else {
      // A backend that computes many pairs at once takes as long for a few of them, and would be
      // taken for slow.
      const bool is_filled = pairs == 0 || filling.pairs >= filling.limits.at_once;
      if (filling.items >= filling.policy.most_items ||
          (filling.work + work > filling.share && is_filled)) {
        break;
      }
    }
    filling.work += work;
    filling.pairs += pairs;
    fresh_work_[index_of(stage)] -= work;
  }
  if (job.next > first) batch.items.push_back({&job, first, job.next});
}

double WorkQueue::share_of(const Place& place, BackendStage stage, SharePolicy policy,
                           double next_item) const {
  // Batches of a device that work is divided among; those beyond fill the gaps of these.
  constexpr std::uint32_t kSharers = 2;
  std::vector<double> rates;
  std::size_t self = 0;
  if (awaits_devices_) {  // they are to find something to do, and not to wait for the host
    rates.push_back(0);
    policy.longest_seconds = policy.shortest_seconds;
  }
  const bool devices_left = any_device_left(stage);
  for (const auto& other : places_) {
    if (other->retired || !other->computes(stage) || (!other->works && devices_left)) continue;
    if (other.get() == &place) self = rates.size();
    rates.insert(rates.end(), policy.is_divided ? std::min(other->calls, kSharers) : 1,
                 other->rate[index_of(stage)]);
  }
  return batch_share(fresh_work_[index_of(stage)], next_item, rates, self, policy);
}

}  // namespace accord
