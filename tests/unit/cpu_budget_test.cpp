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

TEST_CASE("CPU budget: a lease sets the threads of its own thread, until its end") {
  const ThreadCount threads(3);
  CpuBudget budget(8);
  {
    const CpuBudget::Lease lease(budget, 5);
    CHECK(thread_count() == 5);
    std::thread([] { CHECK(thread_count() == 3); }).join();
    rebalance_cpus();
    CHECK(thread_count() == 8);  // nobody else wants them
    {
      const CpuRest rest;
      std::thread([&] {
        const CpuBudget::Lease all(budget, 8);
        CHECK(thread_count() == 8);
      }).join();
    }
    CHECK(thread_count() == 5);
  }
  CHECK(thread_count() == 3);
  const CpuRest nothing;
  rebalance_cpus();
  CHECK(thread_count() == 3);
}

TEST_CASE("CPU budget: a wish above what there is takes what there is") {
  CpuBudget budget(2);
  const CpuBudget::Lease lease(budget, 9);
  CHECK(thread_count() == 2);
}

TEST_CASE("CPU budget: a lease of another budget within one ends also by an exception") {
  CpuBudget budget(6);
  const CpuBudget::Lease lease(budget, 4);
  try {
    CpuBudget one(1);
    const CpuBudget::Lease alone(one, 1);
    CHECK(thread_count() == 1);
    throw std::runtime_error("");
  } catch (const std::runtime_error&) {
  }
  CHECK(thread_count() == 4);
  { const CpuRest rest; }
  CHECK(thread_count() == 4);
}

TEST_CASE("CPU budget: a helper has the CPUs of the thread that started it") {
  CpuBudget budget(6);
  const CpuBudget::Lease lease(budget, 4);
  {
    const CpuLoan loan;
    std::thread([&] {
      loan.take();
      CHECK(thread_count() == 4);
      const CpuBudget::Lease rest_of_them(budget, 2);
      CHECK(thread_count() == 2);
    }).join();
    const CpuRest none;  // the helper may use them
    std::thread([&] {
      const CpuBudget::Lease all(
          budget, [] { return 6; }, CpuBudget::Priority::device);
      CHECK(thread_count() == 2);
    }).join();
  }
  const CpuRest rest;
  std::thread([&] {
    const CpuBudget::Lease all(budget, 6);
    CHECK(thread_count() == 6);
  }).join();
}

TEST_CASE("CPU budget: a lease follows its wish, from rebalance to rebalance and after a rest") {
  CpuBudget budget(6);
  std::atomic<int> wish{4};
  const CpuBudget::Lease lease(budget, [&] { return wish.load(); });
  CHECK(thread_count() == 4);
  std::thread other([&] {  // wants more than half of what is there: it waits
    const CpuBudget::Lease all(budget, 6);
    CHECK(thread_count() >= 3);
  });
  wait_until([&] { return budget.waiting() == 1; });
  wish = 1;
  rebalance_cpus();  // gives back what is above its wish, and the other begins
  CHECK(thread_count() == 1);
  other.join();
  wish = 4;
  { const CpuRest rest; }
  CHECK(thread_count() == 4);
}

TEST_CASE("CPU budget: of many that wait, each is served, and together they never have too many") {
  constexpr int kCpus = 3, kThreads = 40, kTurns = 50;
  CpuBudget budget(kCpus);
  std::atomic<int> held{0}, most{0}, turns{0};
  const auto hold = [&] {
    const int lease_threads = thread_count(), all = held += lease_threads;
    int known = most;
    while (all > known && !most.compare_exchange_weak(known, all)) continue;
    std::this_thread::yield();
    held -= lease_threads;
  };
  std::vector<std::thread> threads;
  for (int k = 0; k < kThreads; ++k) {
    threads.emplace_back([&, k] {
      const CpuBudget::Lease lease(budget, 1 + k % kCpus);
      for (int turn = 0; turn < kTurns; ++turn) {
        hold();
        const CpuRest rest;  // others may have the CPUs meanwhile
        ++turns;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(turns == kThreads * kTurns);
  CHECK(most <= kCpus);
  CHECK(budget.waiting() == 0);
}

TEST_CASE("CPU budget: who comes back from a rest goes first") {
  CpuBudget budget(4);
  std::vector<int> order;  // by threads that hold all CPUs one after another
  std::mutex mutex;
  const auto come = [&](int who) {
    const std::lock_guard lock(mutex);
    order.push_back(who);
  };
  std::atomic<bool> rests{false}, may_return{false};
  std::vector<std::thread> threads;
  threads.emplace_back([&] {
    const CpuBudget::Lease lease(budget, 4);
    {
      const CpuRest rest;
      rests = true;
      wait_until([&] { return may_return.load(); });
    }
    come(1);
  });
  wait_until([&] { return rests.load(); });
  {
    const CpuBudget::Lease all(budget, 4);
    threads.emplace_back([&] {
      const CpuBudget::Lease lease(budget, 4);
      come(2);
    });
    wait_until([&] { return budget.waiting() == 1; });
    may_return = true;
    wait_until([&] { return budget.waiting() == 2; });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(order == std::vector<int>{1, 2});
}

TEST_CASE("CPU budget: who feeds a device takes what is left, or one CPU too many") {
  CpuBudget budget(4);
  const auto device_lease = [&](int expected) {
    const CpuBudget::Lease lease(
        budget, [] { return 4; }, CpuBudget::Priority::device);
    CHECK(thread_count() == expected);
    const CpuRest rest;
  };
  std::thread([&] { device_lease(4); }).join();
  {
    const CpuBudget::Lease three(budget, 3);
    std::thread([&] { device_lease(1); }).join();
  }
  const CpuBudget::Lease all(budget, 4);
  std::thread([&] { device_lease(1); }).join();
  CHECK(thread_count() == 4);
  std::atomic<bool> has_lease{false}, may_end{false};
  std::thread device([&] {
    const CpuBudget::Lease lease(
        budget, [] { return 2; }, CpuBudget::Priority::device);
    has_lease = true;
    wait_until([&] { return may_end.load(); });
  });
  wait_until([&] { return has_lease.load(); });
  rebalance_cpus();  // gives it back
  CHECK(thread_count() == 3);
  may_end = true;
  device.join();
  rebalance_cpus();
  CHECK(thread_count() == 4);
}

TEST_CASE("CPU budget: never more CPUs than there are and devices; everybody gets a turn") {
  constexpr int kCpus = 4, kThreads = 24, kEach = 5;
  CpuBudget budget(kCpus);
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
        const CpuBudget::Lease lease(
            budget, [k] { return 1 + k % kCpus; },
            k % kEach == 0 ? CpuBudget::Priority::device : CpuBudget::Priority::usual);
        use();
        rebalance_cpus();
        use();
        {
          const CpuRest rest;
          std::this_thread::yield();
        }
        use();
        ++turns;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(turns == kThreads * 6);
  CHECK(most <= kCpus + kThreads / kEach + 1);
}
