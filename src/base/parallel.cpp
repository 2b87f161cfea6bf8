// SPDX-License-Identifier: Apache-2.0
#include "base/parallel.hpp"

#ifdef _OPENMP
#include <omp.h>
#endif

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "base/log.hpp"
#include "base/text.hpp"
#include "base/thread_group.hpp"
#include "base/timeline.hpp"

namespace accord {
namespace {

std::atomic<int> g_thread_count{1};
thread_local int t_thread_count = 0;
thread_local bool t_is_in_loop = false;

/// Calls work(k) on up to `threads` threads at the same time, with k = 0, 1, ...; k = 0 is the
/// calling thread. `work` must not throw. OpenMP keeps its threads from one call to the next, so
/// that a loop begins sooner; a compiler without OpenMP has threads that start with each call.
void run_team(int threads, const std::function<void(int)>& work) {
#ifdef _OPENMP
#pragma omp parallel num_threads(threads)
  work(omp_get_thread_num());
#else
  std::vector<std::thread> others;
  others.reserve(static_cast<std::size_t>(threads - 1));
  try {
    for (int k = 1; k < threads; ++k) others.emplace_back(work, k);
  } catch (const std::system_error&) {
    // The system gives fewer threads than it did before: those that started do the work.
  }
  work(0);
  for (std::thread& other : others) other.join();
#endif
}

/// The number of threads for a loop that wants `wanted`. GCC's OpenMP library ends the process if
/// it cannot start a thread, so this function starts and ends that number of threads first. If the
/// system gives fewer, half of these compute: the system counts threads for a moment after their
/// end, and other parts of the process need threads, too.
int available_threads(int wanted) {
  thread_local int t_proven = 1;
  if (wanted <= t_proven) return wanted;
  static std::mutex one_at_a_time;
  const std::lock_guard lock(one_at_a_time);
  const int found = 1 + startable_threads(wanted - 1);
  if (found < wanted) {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));  // ended threads count until then
    const int used = std::max(1, found / 2);
    if (g_thread_count.exchange(used) > used) {
      log_warning("the system gives no more than " + counted(found, "thread") + "; " +
                      counted(used, "computes", "compute"),
                  "limits are those of ulimit -u, ulimit -v and the control group");
    }
    wanted = used;
  }
  t_proven = std::max(t_proven, wanted);
  // Starts the team while one_at_a_time is held: OpenMP keeps its threads for this thread's loops.
  run_team(wanted, [](int) {});
  return wanted;
}

}  // namespace

void set_thread_count(int count) { g_thread_count = std::max(1, count); }

int set_local_thread_count(int count) { return std::exchange(t_thread_count, std::max(0, count)); }

int thread_count() { return t_thread_count > 0 ? t_thread_count : g_thread_count.load(); }

bool is_in_loop() { return t_is_in_loop; }

void parallel_for(std::size_t count, const std::function<void(std::size_t, int)>& body) {
  // A loop inside another one runs on the thread of its caller.
  const bool is_alone = count <= 1 || t_is_in_loop;
  const int threads = is_alone ? 1 : available_threads(thread_count());
  if (threads == 1) {
    for (std::size_t index = 0; index < count; ++index) body(index, 0);
    return;
  }
  // No exception may leave a thread: the first one is kept, and no more work is handed out. (With a
  // mutex: LLVM 14's library crashes in a critical section of a catch block.)
  std::exception_ptr first_error;
  std::mutex error_mutex;
  std::atomic<std::size_t> next{0};
  const TimelineLoop loop;
  run_team(threads, [&](int thread) {
    const TimelineSpan span(loop);
    t_is_in_loop = true;
    try {
      for (std::size_t index = next++; index < count; index = next++) body(index, thread);
    } catch (...) {
      next = count;
      const std::lock_guard lock(error_mutex);
      if (!first_error) first_error = std::current_exception();
    }
    t_is_in_loop = false;
  });
  if (first_error) std::rethrow_exception(first_error);
}

void parallel_for_parts(std::size_t count, std::size_t of_part,
                        const std::function<void(std::size_t, std::size_t)>& body) {
  parallel_for((count + of_part - 1) / of_part, [&](std::size_t part, int) {
    body(part * of_part, std::min(count, (part + 1) * of_part));
  });
}

}  // namespace accord
