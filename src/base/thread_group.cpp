// SPDX-License-Identifier: Apache-2.0
#include "base/thread_group.hpp"

#include <chrono>
#include <exception>
#include <new>
#include <string>
#include <system_error>

#include "accord/base/error.hpp"
#include "base/text.hpp"

namespace accord {
namespace {

/// Holds memory while threads start, so that it is left for OpenMP's library, which ends the
/// process if it finds none. (Not an expression with `new`, which the compiler may remove.)
class Reserve {
 public:
  Reserve() : bytes_(::operator new(kBytes)) {}
  Reserve(const Reserve&) = delete;
  Reserve& operator=(const Reserve&) = delete;
  ~Reserve() { ::operator delete(bytes_); }

 private:
  static constexpr std::size_t kBytes = std::size_t{1} << 20;
  void* bytes_;
};

}  // namespace

int startable_threads(int count) {
  std::vector<std::thread> threads;
  std::mutex gate;  // not a std::latch (check_includes.py says why)
  std::unique_lock closed(gate);
  try {
    threads.reserve(static_cast<std::size_t>(count));
    const Reserve reserve;
    for (int k = 0; k < count; ++k) {
      threads.emplace_back([&gate] { const std::lock_guard passes(gate); });
    }
  } catch (const std::exception&) {
    // The system refuses a thread, or memory. The caller sees it in the returned number.
  }
  closed.unlock();
  for (std::thread& thread : threads) thread.join();
  return static_cast<int>(threads.size());
}

void ThreadGroup::start(std::size_t count, std::function<void(std::size_t)> body,
                        const Start& start) {
  body_ = std::move(body);
  threads_.reserve(count);
  try {
    for (std::size_t k = 0; k < count; ++k) {
      threads_.push_back(start([this, k] {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return state_ != State::starting; });
        const bool runs = state_ == State::running;
        lock.unlock();
        if (runs) body_(k);
      }));
    }
  } catch (const std::exception& error) {
    const auto* const refused = dynamic_cast<const std::system_error*>(&error);
    const std::size_t started = threads_.size();
    set(State::given_up);
    join();
    throw Error(
        ErrorKind::out_of_memory,
        "the system gives " + std::to_string(started) + " of " + counted(count, "thread") + ": " +
            (refused != nullptr ? refused->code().message() : "no memory"),
        "use fewer threads ({threads}), or raise the limits of the system (ulimit -u, ulimit -v)");
  }
  set(State::running);
}

void ThreadGroup::join() {
  for (std::thread& thread : threads_) {
    if (thread.joinable()) thread.join();
  }
}

void ThreadGroup::set(State state) {
  {
    const std::lock_guard lock(mutex_);
    state_ = state;
  }
  changed_.notify_all();
}

PeriodicCall::PeriodicCall(double seconds, std::function<void()> call) : call_(std::move(call)) {
  try {
    thread_ = std::thread([this, seconds] { run(seconds); });
  } catch (const std::system_error&) {
    // Without a thread there are no calls; the rest of the run goes on all the same.
  }
}

PeriodicCall::~PeriodicCall() {
  {
    const std::lock_guard lock(mutex_);
    is_over_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void PeriodicCall::run(double seconds) {
  std::unique_lock lock(mutex_);
  while (!changed_.wait_for(lock, std::chrono::duration<double>(seconds),
                            [this] { return is_over_; })) {
    lock.unlock();  // a slow call, such as one that writes to a terminal, does not hold up the end
    call_();
    lock.lock();
  }
}

}  // namespace accord
