// SPDX-License-Identifier: Apache-2.0
// The part of WorkQueue that decides which backend takes which work.
#include <algorithm>
#include <utility>

#include "engine/work_queue_parts.hpp"

namespace accord {

/// Whether a backend takes work of a stage: it computes the stage, and no backend that goes before
/// it does.
bool WorkQueue::takes_part(const Worker& worker, const Stage& stage) const {
  const auto computes = [&](const Worker& one) { return !one.retired && one.computes(stage); };
  return computes(worker) && std::none_of(workers_.begin(), workers_.end(), [&](const auto& other) {
           return other->turn() < worker.turn() && computes(*other);
         });
}

/// Takes the next batch for a backend, if there is one. Work that is nearer to the end of its
/// family goes first, so that families end and give their memory back.
bool WorkQueue::take(Worker& worker, Batch& batch) {
  if (take_retry(worker, batch)) return true;
  for (auto& [stage, pending] : pending_) {
    if (!takes_part(worker, *stage)) continue;
    take_pending(worker, pending, batch);
    if (!batch.items.empty()) return true;
  }
  return false;
}

/// Takes a batch that failed on another backend, if no backend that goes before this one can.
bool WorkQueue::take_retry(const Worker& worker, Batch& batch) {
  const auto can_take = [&](const Batch& waiting) {
    const auto takes = [&](const Worker& other) {
      return !other.retired && other.computes(waiting.stage()) && !waiting.is_refused_by(other);
    };
    return takes(worker) && std::none_of(workers_.begin(), workers_.end(), [&](const auto& other) {
             return other->turn() < worker.turn() && takes(*other);
           });
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

/// Estimates how many times slower than the fastest other backend a backend is in a stage that it
/// has not computed yet: the largest factor of the stages that it has computed, at most
/// kMostSlowness; kMostSlowness if it has computed none.
double WorkQueue::slowness_of(const Worker& worker) const {
  double slowness = 0;
  for (const auto& [stage, known] : worker.stages) {
    double fastest = 0;
    for (const auto& other : workers_) {
      if (other.get() != &worker && !other->retired) {
        fastest = std::max(fastest, other->rate(*stage));
      }
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
    // Work is left for the devices, which are faster than the host more often than not. The longer
    // they do not come, the later they are expected.
    if (worker.is_host) {
      policy.longest_seconds =
          std::clamp((clock_() - begin_) / 3, policy.shortest_seconds, policy.longest_seconds);
    }
  }
  bool is_alone = true;
  for (const auto& other : workers_) {
    if (!takes_part(*other, stage)) continue;
    if (other.get() == &worker) {
      self = rates.size();
    } else {
      is_alone = false;
    }
    rates.insert(rates.end(), policy.is_divided ? std::min(other->threads, kSharers) : 1,
                 other->rate(stage));
  }
  return batch_share({pending.work, pending.done, next_item}, rates, self, policy,
                     is_alone ? 1 : slowness_of(worker));
}

}  // namespace accord
