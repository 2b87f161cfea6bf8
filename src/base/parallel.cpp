// SPDX-License-Identifier: Apache-2.0
#include "base/parallel.hpp"

#include <omp.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <utility>

namespace accord {
namespace {
int g_thread_count = 1;
thread_local int t_own_thread_count = 0;
}  // namespace

void set_thread_count(int count) { g_thread_count = std::max(1, count); }

int set_own_thread_count(int count) {
  return std::exchange(t_own_thread_count, std::max(0, count));
}

int thread_count() { return t_own_thread_count > 0 ? t_own_thread_count : g_thread_count; }

void parallel_for(std::size_t count, const std::function<void(std::size_t, int)>& body) {
  // OpenMP does not let exceptions leave a loop: keep the first and stop handing out work.
  // (By a mutex: LLVM 14's library crashes in a critical section of a catch block.)
  std::exception_ptr first_error;
  std::mutex error_mutex;
  std::atomic<bool> stop{false};
  const int threads = thread_count();
#pragma omp parallel for schedule(monotonic : dynamic, 1) num_threads(threads) if (count > 1)
  for (std::size_t index = 0; index < count; ++index) {
    if (stop.load(std::memory_order_relaxed)) continue;
    try {
      body(index, omp_get_thread_num());
    } catch (...) {
      const std::lock_guard lock(error_mutex);
      if (!first_error) first_error = std::current_exception();
      stop.store(true, std::memory_order_relaxed);
    }
  }
  if (first_error) std::rethrow_exception(first_error);
}

void parallel_for_parts(std::size_t count, std::size_t of_part,
                        const std::function<void(std::size_t, std::size_t)>& body) {
  parallel_for((count + of_part - 1) / of_part, [&](std::size_t part, int) {
    body(part * of_part, std::min(count, (part + 1) * of_part));
  });
}

}  // namespace accord
