// SPDX-License-Identifier: Apache-2.0
#include "accord/base/core_pool.hpp"

#include <algorithm>
#include <utility>

#include "accord/base/parallel.hpp"

namespace accord {
namespace {
thread_local CorePool::Share* t_share = nullptr;
}  // namespace

CorePool::Share::Share(CorePool& pool, int wanted) : pool_(pool), wanted_(std::max(1, wanted)) {
  set(pool.acquire(wanted_));
  t_share = this;
}

CorePool::Share::~Share() {
  t_share = nullptr;
  pool_.release(held_);
  set_own_thread_count(0);
}

void CorePool::Share::set(int held) {
  held_ = held;
  set_own_thread_count(held);
}

int CorePool::acquire(int wanted) {
  std::unique_lock lock(mutex_);
  const std::uint64_t ticket = next_ticket_++;
  changed_.wait(lock,
                [&] { return ticket == served_ && returning_ == 0 && free_ >= (wanted + 1) / 2; });
  ++served_;
  const int taken = std::min(wanted, free_);
  free_ -= taken;
  changed_.notify_all();
  return taken;
}

int CorePool::acquire_again(int wanted) {
  std::unique_lock lock(mutex_);
  ++returning_;
  changed_.wait(lock, [&] { return free_ >= 1; });
  --returning_;
  const int taken = std::min(wanted, free_);
  free_ -= taken;
  changed_.notify_all();
  return taken;
}

void CorePool::release(int cores) {
  const std::lock_guard lock(mutex_);
  free_ += cores;
  changed_.notify_all();
}

int CorePool::adjust(int held, int wanted) {
  const std::lock_guard lock(mutex_);
  const bool others_wait = served_ != next_ticket_ || returning_ > 0;
  const int better = others_wait ? std::min(held, wanted) : held + free_;
  free_ += held - better;
  if (better < held) changed_.notify_all();
  return better;
}

CoreRest::CoreRest() : share_(t_share) {
  if (share_) share_->pool_.release(std::exchange(share_->held_, 0));
}

CoreRest::~CoreRest() {
  if (share_) share_->set(share_->pool_.acquire_again(share_->wanted_));
}

void rebalance_cores() {
  if (t_share) t_share->set(t_share->pool_.adjust(t_share->held_, t_share->wanted_));
}

}  // namespace accord
