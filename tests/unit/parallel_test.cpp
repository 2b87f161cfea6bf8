// SPDX-License-Identifier: Apache-2.0
#include "base/parallel.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <limits>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

#include "support/align_cases.hpp"
#include "support/waiting.hpp"

namespace accord::testing {
namespace {

TEST_CASE("parallel loops: indices are handed out one by one, lowest first") {
  constexpr std::size_t kCount = 100;
  const ThreadCount scope(2);
  std::vector<std::size_t> order;  // of the thread that has not got the first index
  std::atomic<bool> is_last_done{false};
  parallel_for(kCount, [&](std::size_t index, int) {
    if (index == 0) {
      wait_until([&] { return is_last_done.load(); });
    } else {
      order.push_back(index);
      is_last_done = index == kCount - 1;
    }
  });
  REQUIRE(order.size() == kCount - 1);
  for (std::size_t k = 0; k < order.size(); ++k) CHECK(order[k] == k + 1);
}

TEST_CASE("parallel loops: calls at the same time differ in thread, and loops inside stay on it") {
  constexpr std::size_t kThreads = 3;
  const ThreadCount scope(static_cast<int>(kThreads));
  std::vector<std::atomic<int>> calls(kThreads);
  std::vector<std::set<std::thread::id>> inner(kThreads);
  std::atomic<std::size_t> begun{0};
  parallel_for(kThreads, [&](std::size_t index, int thread) {
    REQUIRE(static_cast<std::size_t>(thread) < kThreads);
    ++calls[static_cast<std::size_t>(thread)];
    ++begun;
    wait_until([&] { return begun == kThreads; });  // all calls run at the same time
    parallel_for(10, [&](std::size_t, int inner_thread) {
      CHECK(inner_thread == 0);
      inner[index].insert(std::this_thread::get_id());
    });
    CHECK(inner[index] == std::set{std::this_thread::get_id()});
  });
  for (const std::atomic<int>& of_thread : calls) CHECK(of_thread == 1);
}

TEST_CASE("parallel loops: after an exception no more work is handed out, and the next loop runs") {
  const ThreadCount scope(2);
  constexpr std::size_t kNoTimeForAll = std::numeric_limits<std::size_t>::max() / 2;
  const auto fail_at_3 = [](std::size_t index, int) {
    if (index == 3) throw std::runtime_error("index 3");
  };
  CHECK_THROWS_WITH_AS(parallel_for(kNoTimeForAll, fail_at_3), "index 3", std::runtime_error);
  std::atomic<std::size_t> sum{0};
  parallel_for(100, [&](std::size_t index, int) { sum += index; });
  CHECK(sum == 4950);
}

TEST_CASE("parallel parts: every index once, in parts of the wanted size") {
  const ThreadCount scope(3);
  for (const std::size_t count : {0u, 1u, 7u, 8u, 9u, 100u}) {
    std::vector<std::atomic<int>> seen(count);
    std::atomic<std::size_t> calls = 0;
    parallel_for_parts(count, 8, [&](std::size_t first, std::size_t last) {
      CHECK(first % 8 == 0);
      CHECK((last == count || last == first + 8));
      for (std::size_t k = first; k < last; ++k) ++seen[k];
      ++calls;
    });
    CHECK(calls == (count + 7) / 8);
    for (const std::atomic<int>& times : seen) CHECK(times == 1);
  }
}

}  // namespace
}  // namespace accord::testing
