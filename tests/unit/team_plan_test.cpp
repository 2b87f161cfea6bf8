// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "stages/posteriors/posterior_plan.hpp"
#include "stages/posteriors/self_test_family.hpp"

using namespace accord;

TEST_CASE("the self-test of a large GPU has pairs for teams of every size") {
  const auto team_of = [](const SelfTestFamily& family, std::size_t groups) {
    std::vector<PairLengths> pairs;
    for (std::uint32_t y = 1; y < family.set().size(); ++y) {
      for (std::uint32_t x = 0; x < y; ++x) {
        pairs.push_back({static_cast<std::uint32_t>(family.set().length(x)),
                         static_cast<std::uint32_t>(family.set().length(y))});
      }
    }
    return plan_teams(pairs, groups).front();
  };
  for (const std::size_t groups : {8, 100, 1000}) {
    CAPTURE(groups);
    CHECK(team_of(SelfTestFamily::short_pairs(), groups) == kTeams[0]);
    CHECK(team_of(SelfTestFamily::long_pair(), groups) == kTeams[1]);
  }
  CHECK(team_of(SelfTestFamily(), 1000) == kTeams[1]);
  const SequenceSet set = SelfTestFamily::long_pair().set();
  CHECK(std::uint64_t{set.length(0)} * set.length(1) >= kLongCells);
}

TEST_CASE(
    "pairs that fill half a device get small teams, few get large ones, long ones their own") {
  constexpr std::size_t kGroups = 1000;
  const auto teams = [](std::size_t count, std::uint32_t length) {
    return plan_teams(std::vector<PairLengths>(count, {length, length}), kGroups);
  };
  CHECK(teams(0, 300).empty());
  CHECK(teams(20000, 300) == std::vector<std::uint32_t>(20000, 8));
  CHECK(teams(1000, 300) == std::vector<std::uint32_t>(1000, 8));
  CHECK(teams(100, 500) == std::vector<std::uint32_t>(100, 64));
  CHECK(teams(20, 4) == std::vector<std::uint32_t>(20, 8));
  std::vector<PairLengths> mixed(2000, {300, 300});
  mixed.insert(mixed.begin(), {3000, 2000});
  std::vector<std::uint32_t> expected(2001, 8);
  expected.front() = 64;
  CHECK(plan_teams(mixed, kGroups) == expected);
}
