// SPDX-License-Identifier: Apache-2.0
#include "base/thread_group.hpp"

#include <doctest/doctest.h>
#ifdef __linux__
#include <sys/resource.h>
#endif

#include <atomic>
#include <string>
#include <system_error>
#include <thread>

#include "accord/base/error.hpp"
#include "base/system.hpp"
#include "support/scratch.hpp"

using namespace accord;
using namespace accord::testing;

TEST_CASE("thread group: every thread works once, and all are joined") {
  std::atomic<int> calls{0}, sum{0};
  {
    ThreadGroup group;
    group.start(8, [&](std::size_t k) {
      ++calls;
      sum += static_cast<int>(k);
    });
  }
  CHECK(calls == 8);
  CHECK(sum == 28);
  ThreadGroup none;
  none.start(0, [](std::size_t) {});
}

TEST_CASE("thread group: if a thread cannot be started, none has worked, and the error says so") {
  for (const int most : {0, 1, 5}) {
    std::atomic<int> calls{0}, started{0};
    ThreadGroup group;
    const Error error = error_of([&] {
      group.start(
          8, [&](std::size_t) { ++calls; },
          [&](std::function<void()> run) {
            if (started++ == most) {
              throw std::system_error(
                  std::make_error_code(std::errc::resource_unavailable_try_again));
            }
            return std::thread(std::move(run));
          });
    });
    CHECK(error.kind() == ErrorKind::out_of_memory);
    CHECK(std::string(error.what()).find(std::to_string(most) + " of 8 threads") !=
          std::string::npos);
    CHECK(calls == 0);
  }
}

TEST_CASE("thread group: a thread for whose data there is no memory is an error") {
  int started = 0;
  std::atomic<int> calls{0};
  ThreadGroup group;
  const Error error = error_of([&] {
    group.start(
        3, [&](std::size_t) { ++calls; },
        [&](std::function<void()> run) {
          if (started++ == 1) throw std::bad_alloc();
          return std::thread(std::move(run));
        });
  });
  CHECK(error.kind() == ErrorKind::out_of_memory);
  CHECK(std::string(error.what()) == "the system gives 1 of 3 threads: no memory");
  CHECK(calls == 0);
}

TEST_CASE("thread group: no thread that was started misses its end") {
  for (int round = 0; round < 2000; ++round) CHECK(startable_threads(1) == 1);
}

#ifdef __linux__
TEST_CASE("threads: one that yields has the lowest priority, and those that it starts; no other") {
  const auto niceness = [] { return ::getpriority(PRIO_PROCESS, 0); };
  const int before = niceness();
  int of_thread = 0, of_its_thread = 0;
  std::thread([&] {
    yield_to_other_threads();
    of_thread = niceness();
    std::thread([&] { of_its_thread = niceness(); }).join();
  }).join();
  CHECK(of_thread == 19);
  CHECK(of_its_thread == 19);
  CHECK(niceness() == before);
}
#endif
