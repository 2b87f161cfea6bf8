// SPDX-License-Identifier: Apache-2.0
#include "accord/core/relax_batch.hpp"

#include <doctest/doctest.h>

#include <algorithm>
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

BackendLimits with_batch_bytes(std::size_t bytes) {
  BackendLimits limits;
  limits.batch_bytes = bytes;
  return limits;
}

PosteriorSet random_set(Random& random, std::uint32_t sequences, std::uint32_t longest) {
  std::vector<std::uint32_t> lengths(sequences);
  for (std::uint32_t& length : lengths) length = draw(random, 0, longest);
  std::sort(lengths.begin(), lengths.end(), std::greater<>());
  return random_posteriors(random, lengths, 2, 50);
}

/// Checks what plan_relax_batches promises.
void check_plan(const PosteriorSet& set, const BackendLimits& limits) {
  std::set<std::pair<std::uint32_t, std::uint32_t>> seen;
  std::size_t last_cells = kUnlimited, cells = 0;
  bool all_new = true, sorted = true, batches_hold = true;
  for (const RelaxBatch& batch : plan_relax_batches(set, limits)) {
    std::size_t bytes = 0;
    for (const PairIndex& pair : batch.pairs) {
      const std::size_t count = set.at(pair.x, pair.y).packed().size();
      all_new = all_new && pair.x < pair.y && count > 0 && seen.emplace(pair.x, pair.y).second;
      sorted = sorted && count <= last_cells;
      last_cells = count;
      cells += count;
      bytes += 4 * count;
    }
    batches_hold = batches_hold && !batch.pairs.empty() && batch.work_bytes == bytes &&
                   (bytes <= limits.batch_bytes || batch.pairs.size() == 1);
  }
  CHECK(all_new);
  CHECK(sorted);
  CHECK(batches_hold);
  CHECK(cells == set.cells());  // with all_new: no pair that has cells is missing
}

}  // namespace

TEST_CASE("relax batches: every pair that has cells once, most cells first, within the limits") {
  constexpr unsigned kSeed = 42;
  CAPTURE(kSeed);
  Random random(kSeed);
  for (std::uint32_t sequences = 0; sequences < 24; ++sequences) {
    CAPTURE(sequences);
    const PosteriorSet set = random_set(random, sequences, sequences % 2 == 0 ? 3 : 80);
    for (const std::size_t bytes :
         {std::size_t{0}, std::size_t{1}, std::size_t{500}, std::size_t{10'000}, kUnlimited}) {
      CAPTURE(bytes);
      check_plan(set, with_batch_bytes(bytes));
    }
  }
}

TEST_CASE("relax batches: without cells there are no batches") {
  const BackendLimits limits = with_batch_bytes(kUnlimited);
  CHECK(plan_relax_batches(PosteriorSet(), limits).empty());
  CHECK(plan_relax_batches(PosteriorSet(1), limits).empty());
  CHECK(plan_relax_batches(PosteriorSet(5), limits).empty());
  Random random(1);
  CHECK(plan_relax_batches(random_posteriors(random, {4, 3, 2}, 2, 10).without_cells(), limits)
            .empty());
}

TEST_CASE("relax batches: a limit of 0 bytes gives a batch for each pair, no limit a single one") {
  Random random(43);
  const PosteriorSet set = random_posteriors(random, {60, 50, 40, 30, 20}, 2, 50);
  CHECK(plan_relax_batches(set, with_batch_bytes(0)).size() == 10);
  const auto whole = plan_relax_batches(set, with_batch_bytes(kUnlimited));
  REQUIRE(whole.size() == 1);
  CHECK(whole[0].pairs.size() == 10);
  CHECK(whole[0].work_bytes == 4 * set.cells());
}

TEST_CASE("relax batches: the same arguments give the same plan") {
  Random random(44);
  const PosteriorSet set = random_set(random, 15, 50);
  const auto first = plan_relax_batches(set, with_batch_bytes(3000));
  const auto second = plan_relax_batches(set, with_batch_bytes(3000));
  REQUIRE(first.size() == second.size());
  for (std::size_t b = 0; b < first.size(); ++b) {
    CHECK(std::equal(first[b].pairs.begin(), first[b].pairs.end(), second[b].pairs.begin(),
                     second[b].pairs.end(), [](const PairIndex& a, const PairIndex& c) {
                       return a.x == c.x && a.y == c.y;
                     }));
  }
}
