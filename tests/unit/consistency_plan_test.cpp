// SPDX-License-Identifier: Apache-2.0
#include "stages/consistency/consistency_plan.hpp"

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

PosteriorSet random_set(Random& random, std::uint32_t sequences, std::uint32_t longest) {
  std::vector<std::uint32_t> lengths(sequences);
  for (std::uint32_t& length : lengths) length = draw(random, 0, longest);
  std::sort(lengths.begin(), lengths.end(), std::greater<>());
  return random_posteriors(random, lengths, 2, 50);
}

}  // namespace

TEST_CASE("consistency plan: every pair that has cells once, most cells first") {
  constexpr unsigned kSeed = 42;
  CAPTURE(kSeed);
  Random random(kSeed);
  for (std::uint32_t sequences = 0; sequences < 24; ++sequences) {
    CAPTURE(sequences);
    const PosteriorSet set = random_set(random, sequences, sequences % 2 == 0 ? 3 : 80);
    std::set<std::pair<std::uint32_t, std::uint32_t>> seen;
    std::size_t last_cells = std::numeric_limits<std::size_t>::max(), cells = 0;
    bool all_new = true, sorted = true;
    for (const PairIndex& pair : plan_consistency_pairs(set)) {
      const std::size_t count = consistency_pair_bytes(set, pair) / 4;
      all_new = all_new && pair.x < pair.y && count > 0 && seen.emplace(pair.x, pair.y).second;
      sorted = sorted && count <= last_cells;
      last_cells = count;
      cells += count;
    }
    CHECK(all_new);
    CHECK(sorted);
    CHECK(cells == set.cells());  // with all_new: no pair that has cells is missing
  }
}

TEST_CASE("consistency plan: none without cells") {
  CHECK(plan_consistency_pairs(PosteriorSet()).empty());
  CHECK(plan_consistency_pairs(PosteriorSet(1)).empty());
  CHECK(plan_consistency_pairs(PosteriorSet(5)).empty());
  Random random(1);
  CHECK(
      plan_consistency_pairs(random_posteriors(random, {4, 3, 2}, 2, 10).without_cells()).empty());
}

TEST_CASE("consistency plan: an order of neighbours, for any numbers of sequences") {
  const auto place = [](PairIndex pair) {
    return std::array{pair.x / 16, pair.y / 16, pair.x % 16, pair.y % 16};
  };
  Random random(7);
  std::vector<PairIndex> pairs{
      {0, 1}, {4294967279, 4294967295}, {15, 16}, {16, 17}, {0, 4294967295}};
  for (int k = 0; k < 2000; ++k) {
    const std::uint32_t y = draw(random, 1, k % 2 == 0 ? 40 : 100000);
    pairs.push_back({draw(random, 0, y - 1), y});
  }
  const std::vector<std::size_t> numbers = by_neighbourhood(pairs);
  CHECK(std::set<std::size_t>(numbers.begin(), numbers.end()).size() == pairs.size());
  CHECK(std::is_sorted(numbers.begin(), numbers.end(), [&](std::size_t a, std::size_t b) {
    return place(pairs[a]) < place(pairs[b]);
  }));
  CHECK(by_neighbourhood({}).empty());
}
