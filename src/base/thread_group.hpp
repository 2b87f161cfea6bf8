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
/// Returns  the number of threads that started while a megabyte of memory was left.
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

}  // namespace accord
