// SPDX-License-Identifier: Apache-2.0
#include "base/cpu_budget.hpp"

#include <algorithm>
#include <utility>

#include "accord/base/error.hpp"
#include "base/parallel.hpp"
#include "base/text.hpp"
#include "base/timeline.hpp"

namespace accord {
namespace {
thread_local CpuBudget::Lease* t_lease = nullptr;
}  // namespace

int CpuBudget::waiting() const {
  const std::lock_guard lock(mutex_);
  return begun_.length() + usual_.length();
}

std::string CpuBudget::usage() const {
  const std::lock_guard lock(mutex_);
  std::string text = std::to_string(all_ - free_) + " of " +
                     counted(static_cast<std::size_t>(all_), "CPU") + " leased";
  for (const Line* line : {&begun_, &usual_}) {
    for (const Waiter* waiter = line->first(); waiter != nullptr; waiter = waiter->behind) {
      text += waiter == line->first() ? ", awaited: " : "+";
      text += std::to_string(waiter->wanted);
    }
  }
  return text;
}

void CpuBudget::Line::append(Waiter& waiter) {
  (first_ == nullptr ? first_ : last_->behind) = &waiter;
  last_ = &waiter;
  ++length_;
}

void CpuBudget::Line::remove_first() {
  first_ = first_->behind;
  --length_;
}

CpuBudget::Lease::Lease(CpuBudget& budget, std::function<int()> wanted, Priority priority)
    : budget_(budget),
      priority_(priority),
      wanted_(std::move(wanted)),
      outer_(t_lease),
      outer_threads_(set_local_thread_count(0)),
      is_in_loop_(is_in_loop()) {
  try {
    if (outer_ != nullptr && &outer_->budget_ == &budget && outer_->held_ > 0) {
      throw Error(ErrorKind::internal, "a thread that holds CPUs of a run waits for more of them");
    }
    set(acquire(priority));
  } catch (...) {
    set_local_thread_count(outer_threads_);
    throw;
  }
  t_lease = this;
}

CpuBudget::Lease::~Lease() {
  t_lease = outer_;
  budget_.release(held_);
  set_local_thread_count(outer_threads_);
}

int CpuBudget::Lease::wanted() const { return std::max(1, wanted_()); }

void CpuBudget::Lease::set(int held) {
  held_ = held;
  set_local_thread_count(held);
}

int CpuBudget::Lease::acquire(Priority priority) { return budget_.acquire(priority, wanted()); }

CpuBudget::Lease* CpuBudget::Lease::resting() {
  return t_lease != nullptr && t_lease->loans_ == 0 && may_wait_for_results() ? t_lease : nullptr;
}

int CpuBudget::acquire(Priority priority, int wanted) {
  std::unique_lock lock(mutex_);
  if (priority == Priority::device) {
    const int taken = std::max(1, std::min(wanted, free_));
    free_ -= taken;
    return taken;
  }
  Waiter waiter{std::min(wanted, all_)};
  (priority == Priority::begun ? begun_ : usual_).append(waiter);
  serve();
  if (waiter.taken > 0) return waiter.taken;
  const TimelineSpan span(SpanKind::wait, "wait for CPUs");
  waiter.is_served.wait(lock, [&] { return waiter.taken > 0; });
  return waiter.taken;
}

void CpuBudget::serve() {
  while (true) {
    Line& line = begun_.length() == 0 ? usual_ : begun_;
    Waiter* const first = line.first();
    if (first == nullptr || free_ < (first->wanted + 1) / 2) return;
    first->taken = std::min(first->wanted, free_);
    free_ -= first->taken;
    line.remove_first();
    first->is_served.notify_one();
  }
}

void CpuBudget::release(int cpus) {
  const std::lock_guard lock(mutex_);
  free_ += cpus;
  serve();
}

int CpuBudget::adjust(int held, int wanted) {
  const std::lock_guard lock(mutex_);
  const bool others_wait = begun_.length() + usual_.length() > 0;
  const int better = std::max(1, others_wait ? std::min(held + free_, wanted) : held + free_);
  free_ += held - better;
  serve();
  return better;
}

CpuRest::CpuRest() : lease_(CpuBudget::Lease::resting()) {
  if (lease_) lease_->budget_.release(std::exchange(lease_->held_, 0));
}

CpuRest::~CpuRest() {
  if (!lease_) return;
  using Priority = CpuBudget::Priority;
  const bool is_device = lease_->priority_ == Priority::device;
  lease_->set(lease_->acquire(is_device ? Priority::device : Priority::begun));
}

CpuLoan::CpuLoan() : lease_(t_lease), threads_(thread_count()) {
  if (lease_) ++lease_->loans_;
}

CpuLoan::~CpuLoan() {
  if (lease_) --lease_->loans_;
}

void CpuLoan::take() const { set_local_thread_count(threads_); }

void rebalance_cpus() {
  if (t_lease == nullptr || is_in_loop()) return;
  t_lease->set(t_lease->budget_.adjust(t_lease->held_, t_lease->wanted()));
}

bool may_wait_for_results() { return !is_in_loop() || (t_lease && t_lease->is_in_loop_); }

void parallel_with_leases(CpuBudget& budget, std::size_t count,
                          const std::function<void(std::size_t)>& body) {
  if (count <= 1 || thread_count() == 1 || is_in_loop()) {  // under the lease of this thread
    for (std::size_t index = 0; index < count; ++index) body(index);
    return;
  }
  const CpuRest rest;
  parallel_for(count, [&](std::size_t index, int) {
    const CpuBudget::Lease lease(
        budget, [] { return 1; }, CpuBudget::Priority::begun);
    body(index);
  });
}

}  // namespace accord
