// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>

#include "accord/base/error.hpp"
#include "stages/neighbor_joining/neighbor_joining_opencl.hpp"
#include "support/align_cases.hpp"

using namespace accord;
using namespace accord::testing;
using accord::ocl::NeighborJoiningLaunch;
using accord::ocl::NeighborJoiningLimits;
using accord::ocl::plan_neighbor_joining_launches;

namespace {

/// Every matrix with a tree to be computed once, largest first, tasks one after another.
void check_plan(const std::vector<std::uint32_t>& leaves, const NeighborJoiningLimits& limits) {
  std::vector<int> seen(leaves.size(), 0);
  std::uint32_t before = 0xffffffff;
  for (const NeighborJoiningLaunch& launch : plan_neighbor_joining_launches(leaves, limits)) {
    REQUIRE(!launch.tasks.empty());
    REQUIRE(launch.tasks.size() == launch.matrices.size());
    std::uint64_t cells = 0;
    std::uint32_t places = 0;
    std::uint32_t steps = 0;
    for (std::size_t k = 0; k < launch.tasks.size(); ++k) {
      const accord_nj_task& task = launch.tasks[k];
      ++seen[launch.matrices[k]];
      CHECK(task.places == leaves[launch.matrices[k]]);
      CHECK(task.places <= before);
      before = task.places;
      CHECK(task.cells == cells);
      CHECK(task.first_place == places);
      CHECK(task.first_step == steps);
      cells += std::uint64_t{task.places} * (task.places - 1) / 2;
      places += task.places;
      steps += std::max(task.places, 3u) - 2;
      CHECK(launch.whole_device == (task.places > limits.group_places));
    }
    CHECK(launch.cells == cells);
    CHECK(launch.places == places);
    CHECK(launch.steps == steps);
    CHECK(launch.bytes >= 4 * cells);
    CHECK(launch.bytes <= limits.bytes);
    if (launch.whole_device) CHECK(launch.tasks.size() == 1);
    if (limits.tasks > 0) CHECK(launch.tasks.size() <= limits.tasks);
  }
  for (std::size_t k = 0; k < leaves.size(); ++k) CHECK(seen[k] == (leaves[k] >= 2));
}

}  // namespace

TEST_CASE("join launches: nothing to join") {
  CHECK(plan_neighbor_joining_launches({}, {100, 10, 10}).empty());
  check_plan({0, 1, 1, 0}, {0, 0, 0});
}

TEST_CASE("join launches: any limits give a plan with every matrix once") {
  for (std::uint32_t seed = 0; seed < 50; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    std::vector<std::uint32_t> leaves(draw(random, 0, 60));
    std::uint32_t largest = 2;
    for (std::uint32_t& n : leaves) largest = std::max(largest, n = draw(random, 0, 90));
    const std::size_t least = ocl::join_bytes(largest);
    for (const std::size_t bytes : {least, least + 7, 3 * least, SIZE_MAX}) {
      for (const std::size_t tasks : {std::size_t{0}, std::size_t{1}, std::size_t{7}, SIZE_MAX}) {
        for (const std::uint32_t places : {0u, 1u, 40u, 0xffffffffu}) {
          check_plan(leaves, {bytes, tasks, places});
        }
      }
    }
    if (largest > 2) {
      leaves.push_back(largest);
      CHECK_THROWS_AS(plan_neighbor_joining_launches(leaves, {least - 1, 8, 40}), Error);
    }
  }
}

TEST_CASE("join launches: 10,000 taxa take half of the full matrix's memory") {
  constexpr std::size_t kTaxa = 10000, kFullMatrix = kTaxa * kTaxa * sizeof(std::int32_t);
  const std::vector<NeighborJoiningLaunch> launches =
      plan_neighbor_joining_launches({{kTaxa}}, {SIZE_MAX, 1, 0});
  REQUIRE(launches.size() == 1);
  CHECK(launches[0].cells * sizeof(std::int32_t) <= kFullMatrix / 2);
  CHECK(launches[0].bytes <= kFullMatrix / 1000 * 505);  // with what is kept of places and steps
}
