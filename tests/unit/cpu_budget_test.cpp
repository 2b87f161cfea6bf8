// SPDX-License-Identifier: Apache-2.0
#include "base/cpu_budget.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

#include "base/parallel.hpp"
#include "support/align_cases.hpp"
#include "support/waiting.hpp"

using namespace accord;
using namespace accord::testing;

TEST_CASE("core budget: a lease sets the threads of its own thread, until its end") {
  const ThreadCount threads(3);
  CoreBudget budget(8);
  {
    const CoreBudget::Lease lease(budget, 5);
    CHECK(thread_count() == 5);
    std::thread([] { CHECK(thread_count() == 3); }).join();
    rebalance_cores();
    CHECK(thread_count() == 8);  // nobody else wants them
    {
      const CoreRest rest;
      std::thread([&] {
        const CoreBudget::Lease all(budget, 8);
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

TEST_CASE("core budget: a wish above what there is takes what there is") {
  CoreBudget budget(2);
  const CoreBudget::Lease lease(budget, 9);
  CHECK(thread_count() == 2);
}

TEST_CASE("core budget: a lease of another budget within one ends also by an exception") {
  CoreBudget budget(6);
  const CoreBudget::Lease lease(budget, 4);
  try {
    CoreBudget one(1);
    const CoreBudget::Lease alone(one, 1);
    CHECK(thread_count() == 1);
    throw std::runtime_error("");
  } catch (const std::runtime_error&) {
  }
  CHECK(thread_count() == 4);
  { const CoreRest rest; }
  CHECK(thread_count() == 4);
}

TEST_CASE("core budget: a helper has the cores of the thread that started it") {
  CoreBudget budget(6);
  const CoreBudget::Lease lease(budget, 4);
  {
    const CoreLoan loan;
    std::thread([&] {
      loan.take();
      CHECK(thread_count() == 4);
      const CoreBudget::Lease rest_of_them(budget, 2);
      CHECK(thread_count() == 2);
    }).join();
    const CoreRest none;  // the helper may use them
    std::thread([&] {
      const CoreBudget::Lease all(
          budget, [] { return 6; }, CoreBudget::Priority::device);
      CHECK(thread_count() == 2);
    }).join();
  }
  const CoreRest rest;
  std::thread([&] {
    const CoreBudget::Lease all(budget, 6);
    CHECK(thread_count() == 6);
  }).join();
}

TEST_CASE("core budget: a lease follows its wish, from rebalance to rebalance and after a rest") {
  CoreBudget budget(6);
  std::atomic<int> wish{4};
  const CoreBudget::Lease lease(budget, [&] { return wish.load(); });
  CHECK(thread_count() == 4);
  std::thread other([&] {  // wants more than half of what is there: it waits
    const CoreBudget::Lease all(budget, 6);
    CHECK(thread_count() >= 3);
  });
  wait_until([&] { return budget.waiting() == 1; });
  wish = 1;
  rebalance_cores();  // gives back what is above its wish, and the other begins
  CHECK(thread_count() == 1);
  other.join();
  wish = 4;
  { const CoreRest rest; }
  CHECK(thread_count() == 4);
}

TEST_CASE("core budget: of many that wait, each is served, and together they never have too many") {
  constexpr int kCores = 3, kThreads = 40, kTurns = 50;
  CoreBudget budget(kCores);
  std::atomic<int> held{0}, most{0}, turns{0};
  const auto hold = [&] {
    const int own = thread_count(), all = held += own;
    int known = most;
    while (all > known && !most.compare_exchange_weak(known, all)) continue;
    std::this_thread::yield();
    held -= own;
  };
  std::vector<std::thread> threads;
  for (int k = 0; k < kThreads; ++k) {
    threads.emplace_back([&, k] {
      const CoreBudget::Lease lease(budget, 1 + k % kCores);
      for (int turn = 0; turn < kTurns; ++turn) {
        hold();
        const CoreRest rest;  // others may have the cores meanwhile
        ++turns;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(turns == kThreads * kTurns);
  CHECK(most <= kCores);
  CHECK(budget.waiting() == 0);
}

TEST_CASE("core budget: who comes back from a rest goes first") {
  CoreBudget budget(4);
  std::vector<int> order;  // by threads that hold all cores one after another
  std::mutex mutex;
  const auto come = [&](int who) {
    const std::lock_guard lock(mutex);
    order.push_back(who);
  };
  std::atomic<bool> rests{false}, may_return{false};
  std::vector<std::thread> threads;
  threads.emplace_back([&] {
    const CoreBudget::Lease lease(budget, 4);
    {
      const CoreRest rest;
      rests = true;
      wait_until([&] { return may_return.load(); });
    }
    come(1);
  });
  wait_until([&] { return rests.load(); });
  {
    const CoreBudget::Lease all(budget, 4);
    threads.emplace_back([&] {
      const CoreBudget::Lease lease(budget, 4);
      come(2);
    });
    wait_until([&] { return budget.waiting() == 1; });
    may_return = true;
    wait_until([&] { return budget.waiting() == 2; });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(order == std::vector<int>{1, 2});
}

TEST_CASE("core budget: who feeds a device takes what is left, or one core too many") {
  CoreBudget budget(4);
  const auto device_lease = [&](int expected) {
    const CoreBudget::Lease lease(
        budget, [] { return 4; }, CoreBudget::Priority::device);
    CHECK(thread_count() == expected);
    const CoreRest rest;
  };
  std::thread([&] { device_lease(4); }).join();
  {
    const CoreBudget::Lease three(budget, 3);
    std::thread([&] { device_lease(1); }).join();
  }
  const CoreBudget::Lease all(budget, 4);
  std::thread([&] { device_lease(1); }).join();
  CHECK(thread_count() == 4);
  std::atomic<bool> is_there{false}, may_end{false};
  std::thread device([&] {
    const CoreBudget::Lease lease(
        budget, [] { return 2; }, CoreBudget::Priority::device);
    is_there = true;
    wait_until([&] { return may_end.load(); });
  });
  wait_until([&] { return is_there.load(); });
  rebalance_cores();  // gives it back
  CHECK(thread_count() == 3);
  may_end = true;
  device.join();
  rebalance_cores();
  CHECK(thread_count() == 4);
}

TEST_CASE("core budget: never more cores than there are and devices; everybody gets a turn") {
  constexpr int kCores = 4, kThreads = 24, kEach = 5;
  CoreBudget budget(kCores);
  std::atomic<int> used{0}, most{0}, turns{0};
  const auto use = [&] {
    const int now = used += thread_count();
    int seen = most;
    while (now > seen && !most.compare_exchange_weak(seen, now)) {
    }
    for (int k = 0; k < 3; ++k) std::this_thread::yield();
    used -= thread_count();
  };
  std::vector<std::thread> threads;
  for (int k = 0; k < kThreads; ++k) {
    threads.emplace_back([&, k] {
      for (int turn = 0; turn < 6; ++turn) {
        const CoreBudget::Lease lease(
            budget, [k] { return 1 + k % kCores; },
            k % kEach == 0 ? CoreBudget::Priority::device : CoreBudget::Priority::usual);
        use();
        rebalance_cores();
        use();
        {
          const CoreRest rest;
          std::this_thread::yield();
        }
        use();
        ++turns;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(turns == kThreads * 6);
  CHECK(most <= kCores + kThreads / kEach + 1);
}
