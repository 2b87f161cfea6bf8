// SPDX-License-Identifier: Apache-2.0
// The consistency transform of every OpenCL device against the host backend, bit for bit.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "accord/base/error.hpp"
#include "accord/base/parallel.hpp"
#include "accord/host/host_backend.hpp"
#include "accord/opencl/consistency.hpp"
#include "kernels/opencl_devices.hpp"
#include "support/random_posteriors.hpp"

namespace accord::testing {
namespace {

void check_same(const RelaxBatch& batch, const std::vector<SparseMatrix>& expected,
                const std::vector<SparseMatrix>& found) {
  REQUIRE(found.size() == expected.size());
  for (std::size_t k = 0; k < expected.size(); ++k) {
    CAPTURE(batch.pairs[k].x);
    CAPTURE(batch.pairs[k].y);
    CHECK(found[k] == expected[k]);
  }
}

void compare_with_host(const PosteriorSet& set, const RelaxBatch& batch,
                       const std::vector<float>& weights, const ConsistencyParams& params) {
  set_thread_count(2);
  const std::vector<SparseMatrix> expected = HostBackend().relax(set, batch, weights, params);
  for (const ocl::DeviceInfo& device : devices_to_test()) {
    OpenClBackend backend(device);
    INFO(backend.name());
    check_same(batch, expected, backend.relax(set, batch, weights, params));
  }
}

TEST_CASE("random families of several sizes") {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    CAPTURE(seed);
    std::vector<std::uint32_t> lengths;
    for (std::uint64_t k = 0; k < 2 + 3 * seed; ++k) {
      lengths.push_back(static_cast<std::uint32_t>(5 + (seed * 31 + k * 17) % 90));
    }
    ConsistencyParams params;
    params.self_weight = seed % 2 ? 1.0f : 3.0f;
    params.cutoff = seed % 3 ? 0.01f : 0.2f;
    compare_with_host(random_posteriors(seed, lengths, 4), all_pairs(lengths.size()),
                      random_weights(seed, lengths.size()), params);
  }
}

TEST_CASE("sequences of length 0 and 1, and a pair alone") {
  const std::vector<std::uint32_t> lengths = {9, 8, 1, 1, 0, 0};
  compare_with_host(random_posteriors(21, lengths, 3), all_pairs(lengths.size()),
                    random_weights(21, lengths.size()), {});
  compare_with_host(random_posteriors(22, {40, 30}, 3), all_pairs(2), random_weights(22, 2), {});
}

TEST_CASE("columns further apart than a packed step") {
  SparseMatrixBuilder builder(200000);
  builder.add(3, 40000);
  builder.add(150000, 20000);
  builder.end_row();
  PosteriorSet set(3);
  set.at(0, 1) = builder.finish().transposed();  // 200000 x 1
  SparseMatrixBuilder other(1);
  for (std::uint32_t i = 0; i < 200000; ++i) {
    other.add(0, i == 3 ? 30000 : i == 150000 ? 50000 : 0);
    other.end_row();
  }
  set.at(0, 2) = other.finish();
  SparseMatrixBuilder single(1);
  single.add(0, 60000);
  single.end_row();
  set.at(1, 2) = single.finish();
  compare_with_host(set, all_pairs(3), random_weights(23, 3), {});
}

TEST_CASE("a batch of some pairs in any order, and an empty one") {
  const std::vector<std::uint32_t> lengths = {60, 55, 50, 45, 40, 35, 30, 25};
  const PosteriorSet set = random_posteriors(24, lengths, 4);
  RelaxBatch batch;
  batch.pairs = {{2, 5}, {0, 7}, {1, 2}, {5, 7}};
  compare_with_host(set, batch, random_weights(24, lengths.size()), {});
  compare_with_host(set, RelaxBatch{}, random_weights(24, lengths.size()), {});
}

TEST_CASE("a device with little memory gives the same cells in blocks and chunks") {
  const std::vector<std::uint32_t> lengths = {60, 58, 50, 45, 40, 39, 38, 25, 24, 3};
  const PosteriorSet set = random_posteriors(25, lengths, 4);
  const RelaxBatch batch = all_pairs(lengths.size());
  const std::vector<float> weights = random_weights(25, lengths.size());
  const std::vector<SparseMatrix> expected = HostBackend().relax(set, batch, weights, {});
  for (ocl::DeviceInfo device : devices_to_test()) {
    for (std::uint64_t memory : {120u, 200u, 400u}) {
      CAPTURE(memory);
      device.global_memory = memory << 10;
      OpenClBackend backend(device);
      INFO(backend.name());
      check_same(batch, expected, backend.relax(set, batch, weights, {}));
    }
    device.global_memory = 512;
    OpenClBackend backend(device);
    CHECK_THROWS_AS(backend.relax(set, batch, weights, {}), Error);
  }
}

}  // namespace
}  // namespace accord::testing
