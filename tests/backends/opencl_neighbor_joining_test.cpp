// SPDX-License-Identifier: Apache-2.0
// Neighbour joining on every OpenCL device against the host backend, bit for bit.
#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "accord/base/error.hpp"
#include "backends/opencl_devices.hpp"
#include "base/parallel.hpp"
#include "engine/host/host_backend.hpp"
#include "stages/neighbor_joining/neighbor_joining_call.hpp"
#include "support/distances.hpp"

namespace accord::testing {
namespace {

void compare_with_host(const std::vector<DistanceMatrix>& matrices) {
  const ThreadCount scope(2);
  HostBackend host;
  const std::vector<GuideTree> expected = join(host, matrices);
  for (const ocl::DeviceInfo& device : devices_to_test()) {
    OpenClBackend backend(device);
    INFO(backend.name());
    const std::vector<GuideTree> found = join(backend, matrices);
    REQUIRE(found.size() == expected.size());
    for (std::size_t k = 0; k < found.size(); ++k) {
      CAPTURE(k);
      CAPTURE(matrices[k].size());
      CHECK(same_bytes(expected[k], found[k]));
    }
  }
}

/// Matrices of all kinds: ties of every degree, distances like those of a tree, additive ones.
DistanceMatrix any_distances(std::uint32_t seed, std::uint32_t leaves) {
  Random random(seed);
  switch (seed % 6) {
    case 0:
      return random_distances(random, leaves, 1);
    case 1:
      return random_distances(random, leaves, 3);
    case 2:
      return random_distances(random, leaves, 1000000);
    case 3:
      return tree_like_distances(random, leaves, 0);
    case 4:
      return tree_like_distances(random, leaves, 200);
    default:
      return DistanceMatrix(leaves);  // all are 0
  }
}

TEST_CASE("neighbour joining: no matrix, and matrices of 0 to 70 leaves in one batch") {
  compare_with_host({});
  std::vector<DistanceMatrix> matrices;
  for (std::uint32_t seed = 0; seed < 1000; ++seed) {
    matrices.push_back(any_distances(seed, seed % 71));
  }
  compare_with_host(matrices);
}

TEST_CASE("neighbour joining: matrices that one work-group and that the whole device computes") {
  std::vector<DistanceMatrix> matrices;
  for (const std::uint32_t leaves : {150u, 255u, 256u, 257u, 700u}) {
    for (std::uint32_t kind = 0; kind < 5; ++kind) {
      if (leaves < 700 || kind % 2 == 0) matrices.push_back(any_distances(600 + kind, leaves));
    }
  }
  for (const std::uint32_t kind : {1u, 2u, 4u}) matrices.push_back(any_distances(kind, 1100));
  compare_with_host(matrices);
}

TEST_CASE("neighbour joining: distances out of range are refused") {
  DistanceMatrix bad(3);
  bad.set(1, 2, -0.25f);
  for (const ocl::DeviceInfo& device : devices_to_test()) {
    OpenClBackend backend(device);
    CHECK_THROWS_AS(join(backend, {&bad, 1}), Error);
  }
}

TEST_CASE("neighbour joining: a device with little memory takes one matrix after another") {
  std::vector<DistanceMatrix> matrices;
  for (std::uint32_t k = 0; k < 20; ++k) matrices.push_back(any_distances(k, 5 + 2 * k));
  HostBackend host;
  const std::vector<GuideTree> expected = join(host, matrices);
  for (ocl::DeviceInfo device : devices_to_test()) {
    device.global_memory = 9500;  // the largest matrix takes 6.3 KB of nine tenths of 80 %
    OpenClBackend backend(device);
    const std::vector<GuideTree> found = join(backend, matrices);
    for (std::size_t k = 0; k < found.size(); ++k) CHECK(same_bytes(expected[k], found[k]));
    device.global_memory = 3000;
    OpenClBackend small(device);
    CHECK_THROWS_AS(join(small, matrices), Error);
  }
}

}  // namespace
}  // namespace accord::testing
