// SPDX-License-Identifier: Apache-2.0
#include "base/cpu_budget.hpp"

#include <algorithm>
#include <utility>

#include "base/parallel.hpp"

namespace accord {
namespace {
thread_local CpuBudget::Lease* t_lease = nullptr;
}  // namespace

int CpuBudget::waiting() const {
  const std::lock_guard lock(mutex_);
  return returning_.length() + usual_.length();
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
      outer_threads_(set_local_thread_count(0)) {
  set(acquire(budget.usual_));
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

int CpuBudget::Lease::acquire(Line& line) {
  return priority_ == Priority::device ? budget_.acquire_at_once(wanted())
                                       : budget_.acquire(line, wanted());
}

int CpuBudget::acquire_at_once(int wanted) {
  const std::lock_guard lock(mutex_);
  const int taken = std::max(1, std::min(wanted, free_));
  free_ -= taken;
  return taken;
}

int CpuBudget::acquire(Line& line, int wanted) {
  std::unique_lock lock(mutex_);
  Waiter waiter{std::min(wanted, all_)};
  line.append(waiter);
  serve();
  waiter.is_served.wait(lock, [&] { return waiter.taken > 0; });
  return waiter.taken;
}

void CpuBudget::serve() {
  while (true) {
    Line& line = returning_.length() == 0 ? usual_ : returning_;
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
  const bool others_wait = returning_.length() + usual_.length() > 0;
  const int better = std::max(1, others_wait ? std::min(held + free_, wanted) : held + free_);
  free_ += held - better;
  serve();
  return better;
}

CpuRest::CpuRest() : lease_(t_lease != nullptr && t_lease->loans_ == 0 ? t_lease : nullptr) {
  if (lease_) lease_->budget_.release(std::exchange(lease_->held_, 0));
}

CpuRest::~CpuRest() {
  if (!lease_) return;
  lease_->set(lease_->acquire(lease_->budget_.returning_));
}

CpuLoan::CpuLoan() : lease_(t_lease), threads_(thread_count()) {
  if (lease_) ++lease_->loans_;
}

CpuLoan::~CpuLoan() {
  if (lease_) --lease_->loans_;
}

void CpuLoan::take() const { set_local_thread_count(threads_); }

void rebalance_cpus() {
  if (t_lease) t_lease->set(t_lease->budget_.adjust(t_lease->held_, t_lease->wanted()));
}

}  // namespace accord
