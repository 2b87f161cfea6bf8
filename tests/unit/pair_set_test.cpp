// SPDX-License-Identifier: Apache-2.0
#include "core/pair_set.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "accord/base/error.hpp"
#include "support/align_cases.hpp"

using namespace accord;
using namespace accord::testing;

namespace {

using Pairs = std::set<std::pair<std::uint32_t, std::uint32_t>>;  // (y, x)

/// Checks everything that a set promises against the pairs that it should hold.
void check_set(const PairSet& set, std::size_t sequences, const Pairs& expected) {
  CHECK(set.sequences() == sequences);
  REQUIRE(set.size() == expected.size());
  std::size_t number = 0;
  bool numbered = true;
  for (const auto& [y, x] : expected) {  // increasing: by y, then by x
    numbered = numbered && set[number] == PairIndex{x, y} && set.number(x, y) == number &&
               set.find(x, y) == number;
    ++number;
  }
  CHECK(numbered);
  bool found = true, listed = true;
  for (std::uint32_t y = 0; y < sequences; ++y) {
    std::vector<std::uint32_t> partners;
    const auto at = expected.lower_bound({y, 0});
    const auto first = static_cast<std::size_t>(std::distance(expected.begin(), at));
    for (std::uint32_t x = 0; x < sequences; ++x) {
      const bool is_in = expected.count({y, x}) > 0;
      if (is_in) partners.push_back(x);
      found = found && set.find(x, y).has_value() == is_in;
    }
    const auto list = set.partners(y);
    listed = listed && std::equal(list.begin(), list.end(), partners.begin(), partners.end()) &&
             set.first(y) == first;
  }
  CHECK(found);
  CHECK(listed);
  CHECK(!set.find(0, sequences).has_value());
  CHECK(!set.find(sequences, sequences).has_value());
}

/// The pairs of sequences that `wants` takes.
template <class F>
Pairs pairs_that(std::size_t sequences, F&& wants) {
  Pairs pairs;
  for (std::uint32_t y = 0; y < sequences; ++y) {
    for (std::uint32_t x = 0; x < y; ++x) {
      if (wants(x, y)) pairs.emplace(y, x);
    }
  }
  return pairs;
}

/// Some of the sequences.
std::vector<std::uint32_t> draw_group(Random& random, std::size_t sequences) {
  std::vector<std::uint32_t> group;
  for (std::uint32_t x = 0; x < sequences; ++x) {
    if (random() % 3 == 0) group.push_back(x);
  }
  std::shuffle(group.begin(), group.end(), random);
  return group;
}

bool holds(const std::vector<std::uint32_t>& group, std::uint32_t x) {
  return std::find(group.begin(), group.end(), x) != group.end();
}

}  // namespace

TEST_CASE("pair sets: all pairs of a family") {
  CHECK(PairSet().sequences() == 0);
  CHECK(PairSet().size() == 0);
  for (const std::size_t n : {0u, 1u, 2u, 3u, 17u}) {
    const PairSet set = PairSet::all(n);
    CHECK(set.is_all());
    check_set(set, n, pairs_that(n, [](std::uint32_t, std::uint32_t) { return true; }));
  }
  CHECK(PairSet::all(100'000).size() == 4'999'950'000u);
  CHECK(PairSet::all(100'000)[4'999'949'999u] == PairIndex{99'998, 99'999});
}

TEST_CASE("pair sets: within a group, between two groups, and of a list") {
  Random random(51);
  for (std::size_t n = 0; n < 30; ++n) {
    CAPTURE(n);
    const std::vector<std::uint32_t> group = draw_group(random, n);
    std::vector<std::uint32_t> other = draw_group(random, n);
    std::erase_if(other, [&](std::uint32_t x) { return holds(group, x); });
    check_set(PairSet::within(n, group), n, pairs_that(n, [&](std::uint32_t x, std::uint32_t y) {
                return holds(group, x) && holds(group, y);
              }));
    check_set(PairSet::between(n, group, other), n,
              pairs_that(n, [&](std::uint32_t x, std::uint32_t y) {
                return (holds(group, x) && holds(other, y)) || (holds(other, x) && holds(group, y));
              }));
    const Pairs chosen =
        pairs_that(n, [&](std::uint32_t, std::uint32_t) { return random() % 4 == 0; });
    std::vector<PairIndex> list;
    for (const auto& [y, x] : chosen) list.push_back({x, y});
    if (!list.empty()) list.push_back(list.front());  // again
    std::shuffle(list.begin(), list.end(), random);
    check_set(PairSet::listed(n, list), n, chosen);
  }
}

TEST_CASE("pair sets: a group of all sequences and a list of all pairs are all pairs") {
  CHECK(PairSet::within(4, {2, 0, 3, 1}).is_all());
  CHECK(!PairSet::within(4, {2, 0, 3}).is_all());
  CHECK(PairSet::listed(3, {{0, 2}, {1, 2}, {0, 1}}).is_all());
  CHECK(!PairSet::listed(3, {{0, 2}, {0, 1}}).is_all());
}

TEST_CASE("pair sets: what is no pair, or no member, is refused") {
  CHECK_THROWS_AS(PairSet::listed(3, {{1, 1}}), Error);
  CHECK_THROWS_AS(PairSet::listed(3, {{2, 1}}), Error);
  CHECK_THROWS_AS(PairSet::listed(3, {{0, 3}}), Error);
  CHECK_THROWS_AS(PairSet::within(3, {0, 3}), Error);
  CHECK_THROWS_AS(PairSet::within(3, {0, 1, 0}), Error);
  CHECK_THROWS_AS(PairSet::between(3, {0}, {0, 1}), Error);
  CHECK_THROWS_AS(PairSet::between(3, {0}, {4}), Error);
  CHECK_THROWS_AS(PairSet::within(3, {0, 2}).number(0, 1), Error);
}
