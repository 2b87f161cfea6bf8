// SPDX-License-Identifier: Apache-2.0
#include "stages/posteriors/block_stream.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <vector>

#include "stages/posteriors/posterior_plan.hpp"
#include "support/align_cases.hpp"

using namespace accord;
using namespace accord::testing;

namespace {

using Lengths = std::vector<std::uint32_t>;

Lengths random_lengths(Random& random, std::size_t sequences, std::uint32_t longest) {
  Lengths lengths(sequences);
  for (std::uint32_t& length : lengths) length = draw(random, 0, longest);
  std::sort(lengths.begin(), lengths.end(), std::greater<>());
  return lengths;
}

std::vector<WantedBlock> all_blocks(const Lengths& lengths, const PairSet& pairs) {
  std::vector<WantedBlock> blocks;
  for (BlockStream stream(lengths, pairs); !stream.empty(); stream.pop()) {
    blocks.push_back(stream.front());
  }
  return blocks;
}

/// The blocks of a set, all of them listed and sorted.
std::vector<WantedBlock> obvious_blocks(const Lengths& lengths, const PairSet& pairs) {
  std::vector<WantedBlock> blocks;
  for (std::uint32_t y = 0; y < lengths.size(); ++y) {
    if (lengths[y] == 0) continue;
    const auto partners = pairs.partners(y);
    for (std::size_t k = 0; k < partners.size(); k += kBlockPairs) {
      const auto count =
          static_cast<std::uint32_t>(std::min<std::size_t>(kBlockPairs, partners.size() - k));
      blocks.push_back(
          {pairs.first(y) + k, y, count, std::uint64_t{lengths[partners[k]]} * lengths[y] * count});
    }
  }
  std::stable_sort(blocks.begin(), blocks.end(),
                   [](const WantedBlock& a, const WantedBlock& b) { return a.cells > b.cells; });
  return blocks;
}

void check_stream(const Lengths& lengths, const PairSet& pairs) {
  const std::vector<WantedBlock> found = all_blocks(lengths, pairs);
  const std::vector<WantedBlock> expected = obvious_blocks(lengths, pairs);
  REQUIRE(found.size() == expected.size());
  bool same = true;
  double cells = 0;
  for (std::size_t k = 0; k < found.size(); ++k) {
    same = same && found[k].first == expected[k].first && found[k].y == expected[k].y &&
           found[k].count == expected[k].count && found[k].cells == expected[k].cells;
    cells += static_cast<double>(expected[k].cells);
  }
  CHECK(same);
  const BlockStream stream(lengths, pairs);
  CHECK(stream.blocks() == expected.size());
  CHECK(stream.cells() == cells);
}

}  // namespace

TEST_CASE("block stream: the blocks of all pairs in the order in which they are planned") {
  Random random(61);
  for (std::uint32_t n = 0; n < 80; ++n) {
    CAPTURE(n);
    const Lengths lengths = random_lengths(random, n, n % 3 == 0 ? 4 : 500);
    const PairSet pairs = PairSet::all(n);
    check_stream(lengths, pairs);
    const std::vector<PairBlock> planned = plan_pair_blocks(lengths);
    const std::vector<WantedBlock> found = all_blocks(lengths, pairs);
    REQUIRE(found.size() == planned.size());
    for (std::size_t k = 0; k < found.size(); ++k) {
      const PairIndex first = pairs[found[k].first];
      const bool same = first.x == planned[k].first_x && first.y == planned[k].y &&
                        found[k].count == planned[k].count;
      CHECK(same);
    }
  }
}

TEST_CASE("block stream: the blocks of groups and lists, largest first") {
  Random random(62);
  for (std::uint32_t n = 0; n < 90; n += 3) {
    CAPTURE(n);
    const Lengths lengths = random_lengths(random, n, n % 2 == 0 ? 5 : 300);
    std::vector<std::uint32_t> group, other;
    std::vector<PairIndex> list;
    for (std::uint32_t y = 0; y < n; ++y) {
      if (const std::uint32_t side = draw(random, 0, 4); side < 2) {
        group.push_back(y);
      } else if (side < 4) {
        other.push_back(y);
      }
      for (std::uint32_t x = 0; x < y; ++x) {
        if (random() % 3 == 0) list.push_back({x, y});
      }
    }
    check_stream(lengths, PairSet::within(n, group));
    check_stream(lengths, PairSet::between(n, group, other));
    check_stream(lengths, PairSet::listed(n, list));
    check_stream(lengths, PairSet::listed(n, {}));
  }
}

TEST_CASE("block stream: of those asked for, the blocks that are done are forgotten") {
  const Lengths lengths(1500, 7);  // 71,000 blocks
  const PairSet pairs = PairSet::all(lengths.size());
  const std::vector<WantedBlock> expected = all_blocks(lengths, pairs);
  BlockWindow window(lengths, pairs);
  REQUIRE(window.blocks() == expected.size());
  CHECK(window.cells() == 1500.0 * 1499 / 2 * 49);
  constexpr std::size_t kNeighbours = 5000;  // blocks that are forgotten together, at most
  bool same = true;
  for (std::size_t first = 0; first < expected.size(); first += 1000) {
    const std::size_t last = std::min(first + 1000, expected.size());
    for (int run = 0; run < 2; ++run) {  // the second after a fault
      for (std::size_t k = first; k < last; ++k) {
        const WantedBlock block = window.at(k);
        same = same && block.first == expected[k].first && block.y == expected[k].y &&
               block.count == expected[k].count && block.cells == expected[k].cells;
      }
    }
    window.release(first, last);
    if (last > kNeighbours) CHECK_THROWS_AS(window.at(last - 1 - kNeighbours), std::out_of_range);
  }
  CHECK(same);
  CHECK_THROWS_AS(window.at(expected.size() - 1), std::out_of_range);
}
