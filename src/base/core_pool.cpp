// SPDX-License-Identifier: Apache-2.0
#include "accord/base/core_pool.hpp"

#include <algorithm>
#include <utility>

#include "accord/base/parallel.hpp"

namespace accord {
namespace {
thread_local CorePool::Share* t_share = nullptr;
}  // namespace

CorePool::Share::Share(CorePool& pool, std::function<int()> wanted)
    : pool_(pool), wanted_(std::move(wanted)) {
  set(pool.acquire(pool.new_, this->wanted()));
  t_share = this;
}

CorePool::Share::~Share() {
  t_share = nullptr;
  pool_.release(held_);
  set_own_thread_count(0);
}

int CorePool::Share::wanted() const { return std::max(1, wanted_()); }

void CorePool::Share::set(int held) {
  held_ = held;
  set_own_thread_count(held);
}

int CorePool::acquire(Line& line, int wanted) {
  std::unique_lock lock(mutex_);
  wanted = std::min(wanted, all_);
  const std::uint64_t ticket = line.next_ticket++;
  changed_.wait(lock, [&] {
    const bool is_turn = ticket == line.served && (&line == &returning_ || returning_.is_empty());
    return is_turn && free_ >= (wanted + 1) / 2;
  });
  ++line.served;
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
  const bool others_wait = !new_.is_empty() || !returning_.is_empty();
  const int better = others_wait ? std::min(held + free_, wanted) : held + free_;
  free_ += held - better;
  if (better < held) changed_.notify_all();
  return better;
}

CoreRest::CoreRest() : share_(t_share) {
  if (share_) share_->pool_.release(std::exchange(share_->held_, 0));
}

CoreRest::~CoreRest() {
  if (!share_) return;
  CorePool& pool = share_->pool_;
  share_->set(pool.acquire(pool.returning_, share_->wanted()));
}

void rebalance_cores() {
  if (t_share) t_share->set(t_share->pool_.adjust(t_share->held_, t_share->wanted()));
}

}  // namespace accord
