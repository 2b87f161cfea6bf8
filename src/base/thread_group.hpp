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

/// Starts `count` threads, as far as the system gives them, and ends them again. The system may
/// count them for a moment longer.
/// Returns  how many it gave.
int startable_threads(int count);

/// Threads of which either all start to work or none, and which are always joined.
class ThreadGroup {
 public:
  /// Starts a thread of the machine that calls the function. Tests let it fail.
  using Start = std::function<std::thread(std::function<void()>)>;

  ThreadGroup() = default;
  /// Joins the threads, whose work must end by itself.
  ~ThreadGroup() { join(); }
  ThreadGroup(const ThreadGroup&) = delete;
  ThreadGroup& operator=(const ThreadGroup&) = delete;

  /// Starts `count` threads, which call body(0), body(1), ... once all of them have been started.
  /// `body` must not throw. Once per group.
  /// Throws  Error{out_of_memory} if the system gives fewer threads; no body has been called then.
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
