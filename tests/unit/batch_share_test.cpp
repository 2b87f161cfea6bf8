// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <utility>
#include <vector>

#include "engine/work_queue_parts.hpp"
#include "stages/posteriors/posterior_call.hpp"
#include "support/share_simulation.hpp"

using namespace accord;
using namespace accord::testing;

namespace {

constexpr SharePolicy kPolicy{100, 0.05, 0.5};

/// The share of a backend by rules that do not ask what is done.
double share_of(double remaining, double next_item, const std::vector<double>& rates,
                std::size_t self) {
  return batch_share({remaining, 0, next_item}, rates, self, kPolicy);
}

ShareSimulation simulation_of(std::vector<double> items, const std::vector<double>& rates) {
  ShareSimulation simulation{std::move(items), {}, kPolicy};
  for (const double rate : rates) simulation.backends.push_back({.rate = rate});
  return simulation;
}

std::vector<double> random_items(std::mt19937& random, std::size_t count) {
  std::lognormal_distribution<double> sizes(0.0, 1.0);
  std::vector<double> items(count);
  for (double& item : items) item = sizes(random);
  std::sort(items.rbegin(), items.rend());
  return items;
}

}  // namespace

TEST_CASE("batch share: one backend takes everything") {
  CHECK(std::isinf(share_of(1e9, 1, {0}, 0)));
  CHECK(std::isinf(share_of(1e9, 1, {5}, 0)));
}

TEST_CASE("batch share: the first batch is small, and never less than an item") {
  CHECK(share_of(1e9, 1, {0, 0}, 0) == kPolicy.most_first_batch_work);
  CHECK(share_of(4000, 1, {0, 0}, 0) == 4000 / 2 / kMostSlowness);
  CHECK(share_of(1e9, 700, {0, 0}, 0) == 700);
  // Of a backend that is known to be as fast.
  CHECK(batch_share({40, 0, 1}, std::vector<double>{0, 0}, 0, kPolicy, 1) == 10);
}

TEST_CASE("batch share: a first batch ends in time on a backend a hundred times slower") {
  const std::vector<double> rates{0, 1e3};
  CHECK(share_of(1e9, 1, rates, 0) == doctest::Approx(1e3 / 100 * kPolicy.longest_seconds));
  CHECK(share_of(600, 1, rates, 0) == doctest::Approx(600 / 2 / 100));
  // An item would last 7 s, the others need .6, 8 and .6 s, but have worked for 80 s.
  CHECK(share_of(600, 70, rates, 0) == 0);
  CHECK(share_of(8000, 70, rates, 0) == 70);
  CHECK(batch_share({600, 6e4, 70}, rates, 0, kPolicy) == 0);
  CHECK(batch_share({600, 8e4, 70}, rates, 0, kPolicy) == 70);
  // A short time is always tried, and so is a backend that is fast in another stage.
  CHECK(share_of(1, .4, rates, 0) == .4);
  CHECK(batch_share({600, 0, 70}, rates, 0, kPolicy, 2) > 0);
}

TEST_CASE("batch share: half of the fair part, and less towards the end") {
  const std::vector<double> rates{3000, 1000};
  CHECK(share_of(2000, 1, rates, 0) == doctest::Approx(2000 * 0.75 / 2));
  CHECK(share_of(2000, 1, rates, 1) == doctest::Approx(2000 * 0.25 / 2));
  CHECK(share_of(200, 1, rates, 0) == doctest::Approx(3000 * 0.05));
}

TEST_CASE("batch share: no batch is longer than the policy says, but for a single item") {
  const std::vector<double> rates{3000, 1000};
  CHECK(share_of(1e6, 1, rates, 0) == doctest::Approx(3000 * 0.5));
  CHECK(share_of(1e6, 1, rates, 1) == doctest::Approx(1000 * 0.5));
  CHECK(share_of(1e6, 9000, rates, 0) == 9000);
}

TEST_CASE("batch share: a backend refuses what the others do sooner; the fastest never") {
  CHECK(share_of(1000, 10, {1, 1000}, 0) == 0);
  CHECK(share_of(1e6, 10, {1, 1000}, 0) > 0);
  // One item cannot be shared by two backends, so none of three equal ones refuses it.
  for (std::size_t self : {0, 1, 2}) CHECK(share_of(10, 10, {7, 7, 7}, self) > 0);
  // Two threads of a slow backend do not rely on each other.
  for (std::size_t self : {0, 1}) CHECK(share_of(100, 10, {10, 10, 1000, 1000}, self) == 0);
  CHECK(share_of(100, 10, {10, 10, 1000, 1000}, 2) > 0);
}

TEST_CASE("batch share: a backend that becomes slower holds the stage up for one short batch") {
  constexpr unsigned kSeed = 12;
  CAPTURE(kSeed);
  std::mt19937 random(kSeed);
  const std::vector<double> items = random_items(random, 20000);
  ShareSimulation alone = simulation_of(items, {1000});
  alone.run();
  for (const double from : {0.5, 2.0, 5.0, 8.0}) {
    CAPTURE(from);
    ShareSimulation both = simulation_of(items, {1000, 1000});
    both.backends[1].tired_from = from;
    both.backends[1].tired_by = 20;
    both.run();
    CHECK(both.end <= alone.end + 20 * kPolicy.longest_seconds);
    CHECK(both.backends[1].longest_batch <= kPolicy.longest_seconds + items.front() / 1000);
  }
}

TEST_CASE("batch share: a slow backend lengthens the stage by at most one of its batches") {
  constexpr unsigned kSeed = 11;
  CAPTURE(kSeed);
  std::mt19937 random(kSeed);
  for (const double slowness : {1.0, 3.0, 100.0, 1e4, 1e7}) {
    CAPTURE(slowness);
    ShareSimulation alone = simulation_of(random_items(random, 5000), {1000});
    alone.run();
    ShareSimulation both = simulation_of(alone.items, {1000, 1000 / slowness});
    both.run();
    CHECK(both.end <= alone.end + both.backends[1].longest_batch);
    CHECK(both.backends[1].batches >= 1);
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
    std::vector<double> items = random_items(random, 1 + random() % 3000);
    std::vector<double> rates;
    for (std::size_t k = 0; k < 1 + random() % 8; ++k) {
      rates.push_back(std::pow(10.0, magnitude(random)));
    }
    const double slowest = *std::min_element(rates.begin(), rates.end());
    // A first batch is made before the rate is known.
    const double first = std::max(kPolicy.most_first_batch_work, items.front()) / slowest;
    ShareSimulation simulation = simulation_of(std::move(items), rates);
    simulation.run();
    CHECK(simulation.end <= 1.05 * simulation.ideal() + first + 2 * kPolicy.shortest_seconds);
  }
}

TEST_CASE("batch share: mixes of devices end as if they shared perfectly") {
  // Cells a second of the fastest: few processors, many, a GPU.
  constexpr std::array kFastest = {1e9, 1e10, 1e11};
  constexpr std::array<std::pair<int, int>, 4> kFamilies = {
      {{800, 0}, {300, 3}, {0, 10}, {100, 0}}};  // small, large
  const std::vector<std::vector<double>> mixes = {
      {1, 1}, {1, .1}, {1, .01}, {1, 1, .1}, {1, .1, .01}, {1, .7, .02}, {1, 1, .03, .03}};
  enum Trouble { none, joins_late, first_batch_compiles };
  int mixed = 0;
  for (unsigned seed = 1; seed <= 2; ++seed) {
    for (const auto& counts : kFamilies) {
      std::mt19937 random(seed);
      const std::vector<double> items = blocks_of_families(random, counts.first, counts.second);
      const double largest = *std::max_element(items.begin(), items.end());
      for (const double fastest : kFastest) {
        for (const std::vector<double>& mix : mixes) {
          for (const Trouble trouble : {none, joins_late, first_batch_compiles}) {
            ShareSimulation shared{items, {}, PosteriorCall::policy};
            for (const double rate : mix) shared.backends.push_back({.rate = rate * fastest});
            SimulatedBackend& last = shared.backends.back();
            const double alone = shared.work() / fastest;
            if (trouble == joins_late) last.joins_at = .3 * alone;
            if (trouble == first_batch_compiles) last.first_delay = .2 * alone;
            // Batches of a shorter stage would be too short for a device.
            if (shared.ideal() < 10 * PosteriorCall::policy.shortest_seconds) continue;
            CAPTURE(seed);
            CAPTURE(counts.first);
            CAPTURE(counts.second);
            CAPTURE(fastest);
            CAPTURE(mix);
            CAPTURE(trouble);
            shared.run();
            CHECK(shared.end <= 1.1 * (shared.ideal() + largest / fastest));
            CHECK(shared.end <= 1.1 * alone);
            ++mixed;
          }
        }
      }
    }
  }
  CHECK(mixed > 200);
}

TEST_CASE("batch share: rates rise at once and fall by half") {
  CHECK(updated_rate(0, 100, 2) == 50);
  CHECK(updated_rate(50, 1000, 1) == 1000);
  CHECK(updated_rate(1000, 100, 1) == 550);
  CHECK(std::isfinite(updated_rate(0, 100, 0)));
}
