// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace accord {

/// Tries to start `count` threads, then ends them. The system may count them for a moment longer.
/// Returns  the number of threads that started while a megabyte could still be allocated.
int startable_threads(int count);

/// A group of threads that start work together or not at all. They are always joined.
class ThreadGroup {
 public:
  /// Starts a thread that calls the function. Tests pass one that fails.
  using Start = std::function<std::thread(std::function<void()>)>;

  ThreadGroup() = default;
  /// Joins the threads, whose bodies must return by themselves.
  ~ThreadGroup() { join(); }
  ThreadGroup(const ThreadGroup&) = delete;
  ThreadGroup& operator=(const ThreadGroup&) = delete;

  /// Starts `count` threads. Once all have started, they call body(0), body(1), ... `body` must not
  /// throw. Call start() once per group.
  /// Throws  Error{out_of_memory} if the system gives fewer threads; then no body has been called.
  void start(
      std::size_t count, std::function<void(std::size_t)> body,
      const Start& start = [](std::function<void()> run) { return std::thread(std::move(run)); });

  /// Waits until all bodies have returned.
  void join();

 private:
  enum class State { starting, running, given_up };
  void set(State state);

  std::vector<std::thread> threads_;
  std::function<void(std::size_t)> body_;
  std::mutex mutex_;
  std::condition_variable changed_;
  State state_ = State::starting;
};

/// Calls a function every `seconds` on another thread, the first time after `seconds`, until this
/// object is destroyed. The destructor waits until a running call returns. Makes no calls if the
/// system gives no thread.
class PeriodicCall {
 public:
  /// `call` must not throw.
  PeriodicCall(double seconds, std::function<void()> call);
  ~PeriodicCall();
  PeriodicCall(const PeriodicCall&) = delete;
  PeriodicCall& operator=(const PeriodicCall&) = delete;

 private:
  void run(double seconds);

  const std::function<void()> call_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_over_ = false;
  std::thread thread_;  // last: it uses the other members
};

}  // namespace accord
