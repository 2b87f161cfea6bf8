// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <functional>

namespace accord {

/// Sets the number of threads that parallel_for uses from now on. `count` >= 1.
void set_thread_count(int count);

/// Sets the number of threads for the loops that the calling thread starts; 0 removes the setting.
/// Returns  the previous setting.
int set_local_thread_count(int count);

/// Sets the number of threads for the loops that the calling thread starts, until the end of a
/// scope.
class LocalThreadCount {
 public:
  explicit LocalThreadCount(int count) : before_(set_local_thread_count(count)) {}
  ~LocalThreadCount() { set_local_thread_count(before_); }
  LocalThreadCount(const LocalThreadCount&) = delete;
  LocalThreadCount& operator=(const LocalThreadCount&) = delete;

 private:
  int before_;
};

/// The number of threads that parallel_for uses if the calling thread starts it.
int thread_count();

/// Whether the calling thread computes in a loop of several threads. A loop that it starts runs on
/// this thread alone.
bool is_in_loop();

/// Calls `body(index, thread)` once for every index in [0, count), in any order, on up to
/// thread_count() threads. `thread` is in [0, thread_count()); two calls that run at the same time
/// have different values. Indices are handed out one by one, lowest first, so large work should
/// come first. Results must not depend on the order of the calls. A call must not wait for the
/// result of a thread outside the loop (see parallel_with_leases()). If the system gives fewer
/// threads, the loop warns and uses fewer.
///
/// Throws  the first exception of a call, after all running calls have ended; indices not yet
///         started are skipped.
void parallel_for(std::size_t count, const std::function<void(std::size_t, int)>& body);

/// Calls `body(first, last)` for parts of [0, count), in parallel as parallel_for does. Each part
/// has `of_part` indices, at least one; the last part may have fewer. For loops whose work per
/// index is less than the cost of waking a thread.
void parallel_for_parts(std::size_t count, std::size_t of_part,
                        const std::function<void(std::size_t, std::size_t)>& body);

}  // namespace accord
