// SPDX-License-Identifier: Apache-2.0
#include "stages/neighbor_joining/neighbor_joining_launch.hpp"

#include <algorithm>
#include <numeric>
#include <string>

#include "accord/base/error.hpp"
#include "base/text.hpp"

namespace accord::ocl {
namespace {

void add_task(NeighborJoiningLaunch& launch, std::size_t matrix, std::uint32_t leaves) {
  launch.matrices.push_back(matrix);
  launch.tasks.push_back({launch.cells, leaves, launch.places, launch.steps, 0});
  launch.bytes += join_bytes(leaves);
  launch.cells += accord_nj_row(leaves);
  launch.places += leaves;
  launch.steps += accord_nj_steps(leaves);
}

}  // namespace

std::size_t join_bytes(std::uint32_t leaves) {
  constexpr std::size_t kOfPlace = sizeof(std::int64_t) + 2 * sizeof(std::int32_t);
  constexpr std::size_t kOfStep = sizeof(accord_join) + sizeof(std::int64_t);
  constexpr std::size_t kOfGroup = 2 * sizeof(accord_nj_found) + sizeof(accord_nj_tally);
  return accord_nj_row(leaves) * sizeof(std::int32_t) + leaves * (kOfPlace + kOfStep) + kOfGroup +
         sizeof(accord_nj_task);
}

std::vector<NeighborJoiningLaunch> plan_neighbor_joining_launches(
    std::span<const std::uint32_t> leaves, const NeighborJoiningLimits& limits) {
  std::vector<std::size_t> order(leaves.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return leaves[a] > leaves[b]; });
  std::vector<NeighborJoiningLaunch> launches;
  for (const std::size_t matrix : order) {
    const std::uint32_t n = leaves[matrix];
    if (n < 2) break;
    const std::size_t bytes = join_bytes(n);
    if (bytes > limits.bytes) {
      throw Error(ErrorKind::out_of_memory,
                  "neighbour joining of " + counted(n, "sequence") + " needs " +
                      format_bytes(static_cast<double>(bytes)) + " on the device, which gives " +
                      format_bytes(static_cast<double>(limits.bytes)),
                  "{device=none} computes the same tree in the memory of the host, and "
                  "{tree=upgma} needs no device");
    }
    const bool whole_device = n > limits.group_places;
    if (launches.empty() || launches.back().whole_device || whole_device ||
        launches.back().tasks.size() >= limits.tasks ||
        launches.back().bytes + bytes > limits.bytes) {
      launches.emplace_back();
      launches.back().whole_device = whole_device;
    }
    add_task(launches.back(), matrix, n);
  }
  return launches;
}

}  // namespace accord::ocl
