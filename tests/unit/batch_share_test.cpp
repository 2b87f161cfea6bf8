// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <vector>

#include "engine/work_queue_parts.hpp"

using namespace accord;

namespace {

constexpr SharePolicy kPolicy{100, 0.05, 0.5};

/// A stage on backends of the given true rates, event by event.
struct Simulation {
  std::vector<double> items;  // never increasing
  std::vector<double> speeds;
  double tired_from = INFINITY;           // from when on the last backend is slower,
  double tired_by = 1;                    // by this factor
  double end = 0;                         // when the last batch ended
  double longest_of_slowest = 0;          // batch of the slowest backend, in seconds
  std::vector<std::size_t> batches = {};  // of each backend

  void run() {
    std::vector<double> rates(speeds.size(), 0), free_at(speeds.size(), 0);
    std::vector<double> busy_work(speeds.size(), 0), busy_since(speeds.size(), 0);
    batches.assign(speeds.size(), 0);
    std::size_t next = 0;
    double remaining = std::accumulate(items.begin(), items.end(), 0.0);
    const std::size_t slowest = place_of(std::min_element(speeds.begin(), speeds.end()));
    while (next < items.size()) {
      // The backend that is free first asks; one that refuses asks again when a batch has ended.
      const std::size_t self = place_of(std::min_element(free_at.begin(), free_at.end()), free_at);
      const double now = free_at[self];
      REQUIRE(std::isfinite(now));  // else all have refused
      if (busy_work[self] > 0) {
        rates[self] = updated_rate(rates[self], busy_work[self], now - busy_since[self]);
        busy_work[self] = 0;
        std::replace(free_at.begin(), free_at.end(), double{INFINITY}, now);
      }
      const double share = batch_share(remaining, items[next], rates, self, kPolicy);
      if (share <= 0) {
        free_at[self] = INFINITY;
        continue;
      }
      double work = 0;
      do {
        work += items[next++];
      } while (next < items.size() && work + items[next] <= share);
      remaining -= work;
      busy_work[self] = work;
      busy_since[self] = now;
      const bool is_tired = self + 1 == speeds.size() && now >= tired_from;
      free_at[self] = now + work / speeds[self] * (is_tired ? tired_by : 1);
      ++batches[self];
      end = std::max(end, free_at[self]);
      if (self == slowest) longest_of_slowest = std::max(longest_of_slowest, work / speeds[self]);
    }
  }

 private:
  std::size_t place_of(std::vector<double>::const_iterator at) const {
    return static_cast<std::size_t>(at - speeds.begin());
  }
  static std::size_t place_of(std::vector<double>::iterator at, std::vector<double>& of) {
    return static_cast<std::size_t>(at - of.begin());
  }
};

std::vector<double> random_items(std::mt19937& random, std::size_t count) {
  std::lognormal_distribution<double> sizes(0.0, 1.0);
  std::vector<double> items(count);
  for (double& item : items) item = sizes(random);
  std::sort(items.rbegin(), items.rend());
  return items;
}

}  // namespace

TEST_CASE("batch share: one backend takes everything") {
  CHECK(std::isinf(batch_share(1e9, 1, std::vector<double>{0}, 0, kPolicy)));
  CHECK(std::isinf(batch_share(1e9, 1, std::vector<double>{5}, 0, kPolicy)));
}

TEST_CASE("batch share: the first batch is small, and never less than an item") {
  const std::vector<double> rates{0, 1e6};
  CHECK(batch_share(1e9, 1, rates, 0, kPolicy) == kPolicy.most_first_batch_work);
  CHECK(batch_share(40, 1, rates, 0, kPolicy) == 10);
  CHECK(batch_share(1e9, 700, rates, 0, kPolicy) == 700);
}

TEST_CASE("batch share: half of the fair part, and less towards the end") {
  const std::vector<double> rates{3000, 1000};
  CHECK(batch_share(2000, 1, rates, 0, kPolicy) == doctest::Approx(2000 * 0.75 / 2));
  CHECK(batch_share(2000, 1, rates, 1, kPolicy) == doctest::Approx(2000 * 0.25 / 2));
  CHECK(batch_share(200, 1, rates, 0, kPolicy) == doctest::Approx(3000 * 0.05));
}

TEST_CASE("batch share: no batch is longer than the policy says, but for a single item") {
  const std::vector<double> rates{3000, 1000};
  CHECK(batch_share(1e6, 1, rates, 0, kPolicy) == doctest::Approx(3000 * 0.5));
  CHECK(batch_share(1e6, 1, rates, 1, kPolicy) == doctest::Approx(1000 * 0.5));
  CHECK(batch_share(1e6, 9000, rates, 0, kPolicy) == 9000);
}

TEST_CASE("batch share: a backend that becomes slower holds the stage up for one short batch") {
  constexpr unsigned kSeed = 12;
  CAPTURE(kSeed);
  std::mt19937 random(kSeed);
  const std::vector<double> items = random_items(random, 20000);
  Simulation alone{items, {1000}};
  alone.run();
  for (const double from : {0.5, 2.0, 5.0, 8.0}) {
    CAPTURE(from);
    Simulation both{items, {1000, 1000}, from, 20};
    both.run();
    CHECK(both.end <= alone.end + 20 * kPolicy.longest_seconds);
    CHECK(both.longest_of_slowest <= kPolicy.longest_seconds + items.front() / 1000);
  }
}

TEST_CASE("batch share: a backend refuses what the others do sooner; the fastest never") {
  CHECK(batch_share(1000, 10, std::vector<double>{1, 1000}, 0, kPolicy) == 0);
  CHECK(batch_share(1e6, 10, std::vector<double>{1, 1000}, 0, kPolicy) > 0);
  // One item cannot be shared by two backends, so none of three equal ones refuses it.
  for (std::size_t self : {0, 1, 2}) {
    CHECK(batch_share(10, 10, std::vector<double>{7, 7, 7}, self, kPolicy) > 0);
  }
}

TEST_CASE("batch share: a slow backend lengthens the stage by at most one of its batches") {
  constexpr unsigned kSeed = 11;
  CAPTURE(kSeed);
  std::mt19937 random(kSeed);
  for (const double slowness : {1.0, 3.0, 100.0, 1e4, 1e7}) {
    CAPTURE(slowness);
    Simulation alone{random_items(random, 5000), {1000}};
    alone.run();
    Simulation both{alone.items, {1000, 1000 / slowness}};
    both.run();
    CHECK(both.end <= alone.end + both.longest_of_slowest);
    CHECK(both.batches[1] >= 1);
    if (slowness < 10) CHECK(both.end < 1.1 * alone.end * slowness / (1 + slowness));
  }
}

TEST_CASE("batch share: many backends of any speed end together") {
  constexpr unsigned kSeed = 12;
  CAPTURE(kSeed);
  std::mt19937 random(kSeed);
  std::uniform_real_distribution<double> magnitude(1.0, 4.0);
  for (int round = 0; round < 200; ++round) {
    CAPTURE(round);
    Simulation simulation{random_items(random, 1 + random() % 3000), {}};
    for (std::size_t k = 0; k < 1 + random() % 8; ++k) {
      simulation.speeds.push_back(std::pow(10.0, magnitude(random)));
    }
    simulation.run();
    const double work = std::accumulate(simulation.items.begin(), simulation.items.end(), 0.0);
    const double speed = std::accumulate(simulation.speeds.begin(), simulation.speeds.end(), 0.0);
    const double slowest = *std::min_element(simulation.speeds.begin(), simulation.speeds.end());
    // A first batch is made before the rate is known.
    const double first =
        std::max(kPolicy.most_first_batch_work, simulation.items.front()) / slowest;
    CHECK(simulation.end <= 1.05 * work / speed + first + 2 * kPolicy.shortest_seconds);
  }
}

TEST_CASE("batch share: rates rise at once and fall by half") {
  CHECK(updated_rate(0, 100, 2) == 50);
  CHECK(updated_rate(50, 1000, 1) == 1000);
  CHECK(updated_rate(1000, 100, 1) == 550);
  CHECK(std::isfinite(updated_rate(0, 100, 0)));
}
