// SPDX-License-Identifier: Apache-2.0
#include "base/parallel.hpp"

#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

#include "base/log.hpp"

namespace accord {
namespace {

std::atomic<int> g_thread_count{1};
thread_local int t_own_thread_count = 0;
thread_local bool t_is_in_loop = false;

/// A loop that several threads go through.
class Loop {
 public:
  Loop(std::size_t count, const std::function<void(std::size_t, int)>& body)
      : count_(count), body_(body) {}

  /// Does what nobody has taken yet, as one of the threads.
  void work(int thread) {
    t_is_in_loop = true;
    try {
      for (std::size_t index; (index = next_.fetch_add(1)) < count_;) body_(index, thread);
    } catch (...) {
      next_ = count_;  // no more work is handed out
      const std::lock_guard lock(error_mutex_);
      if (!first_error_) first_error_ = std::current_exception();
    }
    t_is_in_loop = false;
  }

  void rethrow() const {
    if (first_error_) std::rethrow_exception(first_error_);
  }

  // Guarded by the mutex of the threads.
  int wanted = 0;   ///< threads that may still join
  int joined = 0;   ///< threads that have
  int working = 0;  ///< threads that are in work()
  std::condition_variable left;

 private:
  const std::size_t count_;
  const std::function<void(std::size_t, int)>& body_;
  std::atomic<std::size_t> next_{0};
  std::mutex error_mutex_;
  std::exception_ptr first_error_;
};

/// The threads that join loops. They are started when a loop first wants them, as many as the
/// system gives, and then wait until the process ends. Whoever begins a loop works in it, and waits
/// only for those that have joined it: no loop depends on threads that are late or missing.
class Helpers {
 public:
  /// Goes through a loop with up to so many others.
  void run(Loop& loop, int helpers) {
    {
      const std::lock_guard lock(mutex_);
      loop.wanted = helpers;
      wanted_ += helpers;
      loops_.push_back(&loop);
      start_missing();
    }
    for (int k = 0; k < helpers; ++k) changed_.notify_one();
    loop.work(0);
    std::unique_lock lock(mutex_);
    if (loop.wanted > 0) {
      loops_.erase(std::find(loops_.begin(), loops_.end(), &loop));
      wanted_ -= loop.wanted;
    }
    loop.left.wait(lock, [&] { return loop.working == 0; });
  }

 private:
  void start_missing() {
    try {
      for (; free_ < wanted_ && !is_at_limit_; ++free_, ++all_) {
        std::thread([this] { help(); }).detach();
      }
    } catch (const std::system_error& error) {
      is_at_limit_ = true;
      g_thread_count = std::min(g_thread_count.load(), all_ + 1);
      log_warning("the system gives no more threads: " + error.code().message() + "; " +
                      std::to_string(all_ + 1) + (all_ == 0 ? " computes" : " compute"),
                  "-j " + std::to_string(all_ + 1) +
                      " asks for no more; limits are those of ulimit -u, ulimit -v and the "
                      "control group");
    }
  }

  [[noreturn]] void help() {
    std::unique_lock lock(mutex_);
    while (true) {
      changed_.wait(lock, [&] { return !loops_.empty(); });
      Loop& loop = *loops_.front();
      const int thread = ++loop.joined;
      --free_;
      --wanted_;
      ++loop.working;
      if (--loop.wanted == 0) loops_.pop_front();
      lock.unlock();
      loop.work(thread);
      lock.lock();
      ++free_;
      if (--loop.working == 0) loop.left.notify_one();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Loop*> loops_;  // that want threads
  int all_ = 0, free_ = 0, wanted_ = 0;
  bool is_at_limit_ = false;
};

/// Never destroyed, since its threads wait until the process ends. A child process has none of
/// them, and begins anew.
std::atomic<Helpers*> g_helpers{nullptr};

Helpers& helpers() {
  static std::once_flag once;
  std::call_once(once, [] {
    g_helpers = new Helpers;
    pthread_atfork(nullptr, nullptr, [] { g_helpers = new Helpers; });
  });
  return *g_helpers;
}

}  // namespace

void set_thread_count(int count) { g_thread_count = std::max(1, count); }

int set_own_thread_count(int count) {
  return std::exchange(t_own_thread_count, std::max(0, count));
}

int thread_count() { return t_own_thread_count > 0 ? t_own_thread_count : g_thread_count.load(); }

void parallel_for(std::size_t count, const std::function<void(std::size_t, int)>& body) {
  const auto threads =
      static_cast<int>(std::min(count, static_cast<std::size_t>(std::max(1, thread_count()))));
  if (threads <= 1 || t_is_in_loop) {
    for (std::size_t index = 0; index < count; ++index) body(index, 0);
    return;
  }
  Loop loop(count, body);
  helpers().run(loop, threads - 1);
  loop.rethrow();
}

void parallel_for_parts(std::size_t count, std::size_t of_part,
                        const std::function<void(std::size_t, std::size_t)>& body) {
  parallel_for((count + of_part - 1) / of_part, [&](std::size_t part, int) {
    body(part * of_part, std::min(count, (part + 1) * of_part));
  });
}

}  // namespace accord
