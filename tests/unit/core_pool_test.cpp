// SPDX-License-Identifier: Apache-2.0
#include "accord/base/core_pool.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include "accord/base/parallel.hpp"
#include "support/align_cases.hpp"

using namespace accord;
using namespace accord::testing;

TEST_CASE("core pool: a share sets the threads of its own thread, until its end") {
  const ThreadCount threads(3);
  CorePool pool(8);
  {
    const CorePool::Share share(pool, [] { return 5; });
    CHECK(thread_count() == 5);
    std::thread([] { CHECK(thread_count() == 3); }).join();
    rebalance_cores();
    CHECK(thread_count() == 8);  // nobody else wants them
    {
      const CoreRest rest;
      std::thread([&] {
        const CorePool::Share all(pool, [] { return 8; });
        CHECK(thread_count() == 8);
      }).join();
    }
    CHECK(thread_count() == 5);
  }
  CHECK(thread_count() == 3);
  const CoreRest nothing;
  rebalance_cores();
  CHECK(thread_count() == 3);
}

TEST_CASE("core pool: a wish above what there is takes what there is") {
  CorePool pool(2);
  const CorePool::Share share(pool, [] { return 9; });
  CHECK(thread_count() == 2);
}

TEST_CASE("core pool: a share follows its wish, from rebalance to rebalance and after a rest") {
  CorePool pool(6);
  std::atomic<int> wish{4};
  const CorePool::Share share(pool, [&] { return wish.load(); });
  CHECK(thread_count() == 4);
  std::atomic<bool> waits{true};
  std::thread other([&] {  // wants more than half of what is there: it waits
    const CorePool::Share all(pool, [&] {
      waits = false;
      return 6;
    });
    CHECK(thread_count() >= 3);
  });
  while (waits) std::this_thread::yield();
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  wish = 1;
  rebalance_cores();  // gives back what is above its wish, and the other begins
  CHECK(thread_count() == 1);
  other.join();
  wish = 4;
  { const CoreRest rest; }
  CHECK(thread_count() == 4);
}

TEST_CASE("core pool: never more cores than there are; everybody gets a turn") {
  constexpr int kCores = 4;
  CorePool pool(kCores);
  std::atomic<int> used{0}, most{0}, turns{0};
  const auto use = [&] {
    const int now = used += thread_count();
    int seen = most;
    while (now > seen && !most.compare_exchange_weak(seen, now)) {
    }
    std::this_thread::sleep_for(std::chrono::microseconds(100));
    used -= thread_count();
  };
  std::vector<std::thread> threads;
  for (int k = 0; k < 24; ++k) {
    threads.emplace_back([&, k] {
      for (int turn = 0; turn < 20; ++turn) {
        const CorePool::Share share(pool, [k] { return 1 + k % kCores; });
        use();
        rebalance_cores();
        use();
        {
          const CoreRest rest;
          std::this_thread::sleep_for(std::chrono::microseconds(50));
        }
        use();
        ++turns;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(turns == 24 * 20);
  CHECK(most <= kCores);
  CHECK(most >= 2);
}
