// SPDX-License-Identifier: Apache-2.0
#include "stages/posteriors/posterior_plan.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <set>
#include <utility>
#include <vector>

#include "support/align_cases.hpp"

using namespace accord;
using namespace accord::testing;

namespace {

constexpr std::size_t kUnlimited = std::numeric_limits<std::size_t>::max();

using Lengths = std::vector<std::uint32_t>;

/// Families of no, one, two, equal, very different and empty sequences.
std::vector<Lengths> families() {
  std::vector<Lengths> all = {{},
                              {5},
                              {0},
                              {3, 2},
                              {3, 0},
                              {0, 0, 0},
                              {1, 1, 1},
                              Lengths(40, 100),
                              {100'000, 50, 3, 1, 0, 0},
                              {2'000'000, 1'900'000}};
  Random random(41);
  for (int k = 0; k < 20; ++k) {
    Lengths lengths(draw(random, 2, 60));
    for (std::uint32_t& length : lengths) length = draw(random, 0, k % 2 == 0 ? 20 : 3000);
    std::sort(lengths.begin(), lengths.end(), std::greater<>());
    all.push_back(lengths);
  }
  return all;
}

/// Usual limits and absurd ones.
std::vector<TaskLimits> limit_choices() {
  std::vector<TaskLimits> all;
  for (const std::uint32_t lanes : {1u, 8u, 16u, 1000u}) {
    for (const std::size_t task :
         {std::size_t{0}, std::size_t{1}, std::size_t{3} << 19, kUnlimited}) {
      all.push_back({lanes, 0, task});
      if (lanes > 4) all.push_back({lanes, 4, task});
      if (lanes > 4) all.push_back({lanes, 4, task, true});
    }
  }
  return all;
}

std::vector<PairTask> tasks_of(const Lengths& lengths, const TaskLimits& limits) {
  return plan_pair_tasks(lengths, plan_pair_blocks(lengths), limits);
}

/// Checks what plan_pair_tasks promises.
void check_plan(const Lengths& lengths, const TaskLimits& limits) {
  std::set<std::pair<std::uint32_t, std::uint32_t>> seen;
  std::uint64_t last_cells = std::numeric_limits<std::uint64_t>::max();
  bool all_new = true, sorted = true, tasks_hold = true;
  for (const PairTask& task : tasks_of(lengths, limits)) {
    const std::uint32_t rows = lengths[task.first_x], cols = lengths[task.y];
    for (std::uint32_t x = task.first_x; x < task.first_x + task.count; ++x) {
      all_new = all_new && x < task.y && seen.emplace(x, task.y).second;
    }
    if (task.is_wavefront) {
      const std::uint32_t round = task.lanes * 8;
      tasks_hold = tasks_hold && task.count >= 1 && task.count <= task.lanes &&
                   (task.count == 1 || task.band_columns == 0) && limits.has_wavefronts &&
                   (task.lanes == limits.lanes || task.lanes == limits.narrow_lanes) &&
                   task.band_columns % round == 0 &&
                   task.work_bytes == wavefront_task_bytes(rows, cols, task.count,
                                                           task.band_columns / round, task.lanes);
    } else {
      tasks_hold = tasks_hold && task.count >= 1 && task.count <= task.lanes &&
                   (task.lanes == limits.lanes || task.lanes == limits.narrow_lanes) &&
                   task.band_columns % 8 == 0 &&
                   task.cells == std::uint64_t{rows} * cols * task.lanes &&
                   task.work_bytes == pair_task_bytes(rows, cols, task.band_columns, task.lanes);
    }
    sorted = sorted && task.cells <= last_cells;
    last_cells = task.cells;
  }
  CHECK(all_new);
  CHECK(sorted);
  CHECK(tasks_hold);
  const auto filled = static_cast<std::size_t>(
      std::count_if(lengths.begin(), lengths.end(), [](std::uint32_t n) { return n > 0; }));
  CHECK(seen.size() == filled * (filled - (filled > 0)) / 2);
  const bool without_empty = std::all_of(seen.begin(), seen.end(), [&](const auto& pair) {
    return lengths[pair.first] > 0 && lengths[pair.second] > 0;
  });
  CHECK(without_empty);
}

bool same_task(const PairTask& a, const PairTask& b) {
  return a.y == b.y && a.first_x == b.first_x && a.count == b.count && a.lanes == b.lanes &&
         a.is_wavefront == b.is_wavefront && a.band_columns == b.band_columns &&
         a.work_bytes == b.work_bytes && a.cells == b.cells;
}

/// The only task of a pair.
PairTask task_of(std::uint32_t rows, std::uint32_t cols, const TaskLimits& limits) {
  const std::vector<PairTask> tasks = tasks_of(Lengths{rows, cols}, limits);
  REQUIRE(tasks.size() == 1);
  return tasks[0];
}

}  // namespace

TEST_CASE("pair tasks: every pair once, largest first") {
  const std::vector<Lengths> all = families();
  const std::vector<TaskLimits> choices = limit_choices();
  for (std::size_t f = 0; f < all.size(); ++f) {
    CAPTURE(f);
    for (std::size_t k = 0; k < choices.size(); ++k) {
      CAPTURE(k);
      check_plan(all[f], choices[k]);
    }
  }
}

TEST_CASE("pair tasks: pairs that would leave lanes idle are wavefronts") {
  const TaskLimits limits{16, 8, std::size_t{3} << 19, true};
  const auto wavefronts = [&](const Lengths& lengths) {
    const std::vector<PairTask> tasks = tasks_of(lengths, limits);
    return std::count_if(tasks.begin(), tasks.end(),
                         [](const PairTask& task) { return task.is_wavefront; });
  };
  CHECK(wavefronts(Lengths(2, 30'000)) == 1);
  CHECK(wavefronts(Lengths(4, 1000)) == 6);
  CHECK(wavefronts(Lengths(2, 20)) == 0);
  // Of short pairs narrow vectors leave fewer lanes idle.
  CHECK(task_of(300, 300, limits).lanes == 8);
  CHECK(task_of(30'000, 30'000, limits).lanes == 16);
  // Pairs with the same y share a task, as long as it needs no bands.
  const std::vector<PairTask> short_ones = tasks_of(Lengths(5, 300), {16, 8, kUnlimited, true});
  CHECK(short_ones.size() == 4);
  CHECK(std::all_of(short_ones.begin(), short_ones.end(), [](const PairTask& task) {
    return task.is_wavefront && task.count == task.y;
  }));
  // Against the last of 17 sequences there are as many pairs as lanes.
  const std::vector<PairTask> tasks = tasks_of(Lengths(17, 1000), limits);
  CHECK(std::any_of(tasks.begin(), tasks.end(), [](const PairTask& task) {
    return task.y == 16 && task.count == 16 && !task.is_wavefront;
  }));
  // Two sequences of 100,000 fit into 2 GiB, and many bands take less memory than one.
  const PairTask longest = task_of(100'000, 100'000, limits);
  CHECK(longest.work_bytes < std::size_t{2} << 30);
  CHECK(longest.band_columns > 0);
}

TEST_CASE("pair tasks: narrow tasks where wide ones would idle") {
  const TaskLimits limits{16, 8, kUnlimited};
  /// Lanes and pairs of the tasks against the last sequence, by their first x.
  const auto cuts = [&](const Lengths& lengths) {
    std::vector<std::array<std::uint32_t, 3>> found;
    for (const PairTask& task : tasks_of(lengths, limits)) {
      if (task.y + 1 == lengths.size()) found.push_back({task.first_x, task.count, task.lanes});
    }
    std::sort(found.begin(), found.end());
    return found;
  };
  using Cuts = std::vector<std::array<std::uint32_t, 3>>;
  CHECK(cuts(Lengths(6, 50)) == Cuts{{0, 5, 8}});
  CHECK(cuts(Lengths(13, 50)) == Cuts{{0, 12, 16}});
  CHECK(cuts(Lengths(22, 50)) == Cuts{{0, 16, 16}, {16, 5, 8}});
  Lengths with_long_one(10, 50);
  with_long_one[0] = 500;  // 8 lanes of 500 rows and 8 of 50 are less than 16 of 500
  CHECK(cuts(with_long_one) == Cuts{{0, 1, 8}, {1, 8, 8}});
}

TEST_CASE("pair tasks: the work of all pairs by arithmetic is that of the tasks") {
  std::vector<Lengths> all = families();
  all.push_back(Lengths(17, 9));
  all.push_back({40, 39, 38, 37, 36, 35, 34, 33, 32, 31, 30, 29, 28, 27, 26, 25, 24, 1});
  for (const Lengths& lengths : all) {
    CAPTURE(lengths.size());
    for (const TaskLimits& limits : limit_choices()) {
      const PairWork work = work_of_pairs(lengths, PairSet::all(lengths.size()), limits);
      double cells = 0;
      for (const PairTask& task : tasks_of(lengths, limits)) {
        cells += static_cast<double>(task.cells);
      }
      CHECK(work.task_cells == cells);
      const std::vector<PairBlock> blocks = plan_pair_blocks(lengths);
      const PairIndex largest =
          blocks.empty() ? PairIndex{} : PairIndex{blocks.front().first_x, blocks.front().y};
      CHECK(work.largest == largest);
    }
  }
}

TEST_CASE("pair tasks: the work of any set of pairs by arithmetic is that of the tasks") {
  Random random(43);
  const TaskLimits limits{16, 8, kUnlimited};
  for (const Lengths& lengths : families()) {
    const auto n = static_cast<std::uint32_t>(lengths.size());
    CAPTURE(n);
    std::vector<std::uint32_t> group, other;
    std::vector<PairIndex> list;
    for (std::uint32_t y = 0; y < n; ++y) {
      (random() % 2 == 0 ? group : other).push_back(y);
      for (std::uint32_t x = 0; x < y; ++x) {
        if (random() % 2 == 0) list.push_back({x, y});
      }
    }
    for (const PairSet& pairs :
         {PairSet::within(n, group), PairSet::between(n, group, other), PairSet::listed(n, list)}) {
      double cells = 0, rows = 0, task_cells = 0;
      for (std::uint32_t y = 0; y < n; ++y) {
        const auto partners = pairs.partners(y);
        for (std::size_t first = 0; first < partners.size(); first += kBlockPairs) {
          Lengths block;  // the lengths of a block of x's, and of y
          for (const std::uint32_t x : partners.subspan(
                   first, std::min<std::size_t>(kBlockPairs, partners.size() - first))) {
            block.push_back(lengths[x]);
            rows += lengths[x];
            cells += static_cast<double>(lengths[x]) * lengths[y];
          }
          const auto count = static_cast<std::uint32_t>(block.size());
          block.push_back(lengths[y]);
          if (lengths[y] == 0) continue;
          const std::vector<PairBlock> only = {{count, 0, count}};
          for (const PairTask& task : plan_pair_tasks(block, only, limits)) {
            task_cells += static_cast<double>(task.cells);
          }
        }
      }
      const PairWork work = work_of_pairs(lengths, pairs, limits);
      CHECK(work.cells == cells);
      CHECK(work.rows == rows);
      CHECK(work.task_cells == task_cells);
    }
  }
}

TEST_CASE("pair tasks: without pairs there are none") {
  for (const Lengths& lengths : {Lengths{}, Lengths{7}, Lengths{0}, Lengths{9, 0, 0}}) {
    CHECK(tasks_of(lengths, {16, 0, kUnlimited}).empty());
  }
}

TEST_CASE("pair tasks: the same arguments give the same plan") {
  for (const Lengths& lengths : families()) {
    const TaskLimits limits{8, 0, 1 << 20};
    const auto first = tasks_of(lengths, limits), second = tasks_of(lengths, limits);
    CHECK(std::equal(first.begin(), first.end(), second.begin(), second.end(), same_task));
  }
}

TEST_CASE("pair tasks: one band if it fits, else the fewest that fit, else the least memory") {
  const std::size_t one_band = pair_task_bytes(1000, 900, 0, 8);
  CHECK(task_of(1000, 900, {8, 0, one_band}).band_columns == 0);
  const PairTask banded = task_of(1000, 900, {8, 0, one_band - 1});
  CHECK(banded.band_columns == 456);  // half of 113 tiles
  CHECK(banded.work_bytes < one_band);
  std::uint64_t least = one_band;
  for (std::uint32_t band = 8; band < 900; band += 8) {
    least = std::min(least, pair_task_bytes(1000, 900, band, 8));
  }
  CHECK(task_of(1000, 900, {8, 0, 0}).work_bytes == least);
}

TEST_CASE("pair tasks: forward values of a band fit, unless that takes more memory") {
  const std::size_t column = 2 * 8 * 1008 * sizeof(float);  // of two models and 8 lanes
  TaskLimits limits{8, 0, SIZE_MAX};
  limits.band_bytes = 904 * column;
  CHECK(task_of(1000, 900, limits).band_columns == 0);
  --limits.band_bytes;
  CHECK(task_of(1000, 900, limits).band_columns == 456);
  limits.band_bytes = 456 * column - 1;
  CHECK(task_of(1000, 900, limits).band_columns == 304);
  limits.band_bytes = 1;
  CHECK(task_of(1000, 900, limits).work_bytes == task_of(1000, 900, {8, 0, 0}).work_bytes);
}

TEST_CASE("pair task bytes: lanes multiply, and more rows, columns or lanes never need less") {
  for (const std::uint32_t band : {0u, 8u, 64u}) {
    for (std::uint32_t n = 1; n < 200; n += 13) {
      CHECK(pair_task_bytes(n, 60, band, 16) == 16 * pair_task_bytes(n, 60, band, 1));
      CHECK(pair_task_bytes(n + 13, 60, band, 4) >= pair_task_bytes(n, 60, band, 4));
      CHECK(pair_task_bytes(60, n + 13, band, 4) >= pair_task_bytes(60, n, band, 4));
    }
  }
  // A pair of long sequences needs more than 32 bits can count.
  CHECK(pair_task_bytes(100'000, 100'000, 0, 16) > std::uint64_t{1} << 40);
}
