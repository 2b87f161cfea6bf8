// SPDX-License-Identifier: Apache-2.0
// The consistency transform of every OpenCL device against the host backend, bit for bit.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "accord/base/error.hpp"
#include "backends/opencl_devices.hpp"
#include "backends/opencl_faults.hpp"
#include "base/parallel.hpp"
#include "engine/host/host_backend.hpp"
#include "stages/consistency/consistency_opencl.hpp"
#include "support/random_posteriors.hpp"
#include "support/transformed.hpp"

namespace accord::testing {
namespace {

constexpr float kCutoff = 0.01f;

ConsistencyWeights weights_of_all(std::uint64_t seed, std::size_t count) {
  return ConsistencyWeights(random_weights(seed, count), 1.0f);
}

void check_same(const std::vector<PairIndex>& batch, const std::vector<SparseMatrix>& expected,
                const std::vector<SparseMatrix>& found) {
  REQUIRE(found.size() == expected.size());
  for (std::size_t k = 0; k < expected.size(); ++k) {
    CAPTURE(batch[k].x);
    CAPTURE(batch[k].y);
    CHECK(found[k] == expected[k]);
  }
}

void compare_with_host(const PosteriorSet& set, const std::vector<PairIndex>& batch,
                       const ConsistencyWeights& weights, float cutoff) {
  set_thread_count(2);
  HostBackend host;
  const std::vector<SparseMatrix> expected = transformed_by(host, set, batch, weights, cutoff);
  for (const ocl::DeviceInfo& device : devices_to_test()) {
    OpenClBackend backend(device);
    INFO(backend.name());
    check_same(batch, expected, transformed_by(backend, set, batch, weights, cutoff));
  }
}

TEST_CASE("random families of several sizes") {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    CAPTURE(seed);
    std::vector<std::uint32_t> lengths;
    for (std::uint64_t k = 0; k < 2 + 3 * seed; ++k) {
      lengths.push_back(static_cast<std::uint32_t>(5 + (seed * 31 + k * 17) % 90));
    }
    compare_with_host(
        random_posteriors(seed, lengths, 4), all_pairs(lengths.size()),
        ConsistencyWeights(random_weights(seed, lengths.size()), seed % 2 ? 1.0f : 3.0f),
        seed % 3 ? kCutoff : 0.2f);
  }
}

TEST_CASE("through some of the sequences") {
  const std::vector<std::uint32_t> lengths = {60, 55, 50, 45, 40, 35, 30, 25};
  const PosteriorSet set = random_posteriors(26, lengths, 4);
  for (const std::vector<std::uint32_t>& intermediates :
       std::vector<std::vector<std::uint32_t>>{{0}, {7}, {2, 3}, {0, 4, 7}}) {
    compare_with_host(set, all_pairs(lengths.size()),
                      ConsistencyWeights(random_weights(26, lengths.size()), 3.0f, intermediates),
                      0.0f);
  }
}

TEST_CASE("each pair through the sequences in the lists of both") {
  const std::vector<std::uint32_t> lengths = {60, 55, 50, 45, 40, 35, 30, 25};
  const std::vector<std::vector<std::uint32_t>> lists = {
      {1, 2, 5}, {0, 2, 3, 5}, {5, 7}, {}, {0, 1, 2, 3, 5, 6, 7}, {2}, {2, 5}, {2, 3}};
  compare_with_host(random_posteriors(29, lengths, 4), all_pairs(lengths.size()),
                    ConsistencyWeights(random_weights(29, lengths.size()), 3.0f, lists), 0.0f);
}

TEST_CASE("chunks that stay on the device, and chunks that come by") {
  const std::vector<std::uint32_t> lengths = {70, 64, 60, 57, 50, 41, 40, 33, 21, 8, 1};
  const PosteriorSet set = random_posteriors(27, lengths, 4);
  const ConsistencyWeights weights = weights_of_all(27, lengths.size());
  const std::vector<PairIndex> all = all_pairs(lengths.size());
  HostBackend host;
  for (const std::size_t left_out : {0, 20}) {  // of a part of the family the lists are more
    const std::vector<PairIndex> batch(all.begin() + static_cast<std::ptrdiff_t>(left_out),
                                       all.end());
    const std::vector<SparseMatrix> expected = transformed_by(host, set, batch, weights, kCutoff);
    for (const ocl::DeviceInfo& device : devices_to_test()) {
      const ocl::Session session(device);
      ocl::ConsistencyStage stage(session, {1, 8000});
      for (int repeat = 0; repeat < 2; ++repeat) {
        std::vector<SparseMatrix> found(batch.size());
        const ConsistencySink sink = [&](std::size_t k, std::span<const std::uint16_t> units) {
          found[k] = set.at(batch[k].x, batch[k].y).with_units(units);
        };
        stage.run(ConsistencyCall{set, batch, weights, {&kCutoff, 1}, sink});
        check_same(batch, expected, found);
      }
    }
  }
}

TEST_CASE("rounds at once become what rounds one after another do") {
  const std::vector<std::uint32_t> lengths = {70, 64, 60, 57, 50, 41, 40, 33, 21, 8, 1};
  const PosteriorSet set = random_posteriors(28, lengths, 4);
  const ConsistencyWeights weights(random_weights(28, lengths.size()), 3.0f, {1, 2, 5, 7, 9});
  const std::vector<PairIndex> all = all_pairs(lengths.size());
  const std::vector<float> cutoffs = {0.1f, 0.05f, 0.02f};
  HostBackend host;
  PosteriorSet current = set;
  std::vector<SparseMatrix> expected;
  for (const float cutoff : cutoffs) {
    expected = transformed_by(host, current, all, weights, cutoff);
    for (std::size_t k = 0; k < all.size(); ++k) current.at(all[k].x, all[k].y) = expected[k];
  }
  REQUIRE(current.cells() < set.cells());
  check_same(all, expected, transformed_by(host, set, all, weights, cutoffs));
  for (const ocl::DeviceInfo& device : devices_to_test()) {
    const ocl::Session session(device);
    for (const ocl::ConsistencyStage::ChunkBytes bytes :
         {ocl::ConsistencyStage::ChunkBytes{},
          {1, 8000}}) {  // on the device, and by way of the host
      ocl::ConsistencyStage stage(session, bytes);
      std::vector<SparseMatrix> found(all.size());
      const ConsistencySink sink = [&](std::size_t k, std::span<const std::uint16_t> units) {
        found[k] = set.at(all[k].x, all[k].y).with_units(units);
      };
      stage.run(ConsistencyCall{set, all, weights, cutoffs, sink});
      check_same(all, expected, found);
    }
  }
}

TEST_CASE("sequences of length 0 and 1, and a pair alone") {
  const std::vector<std::uint32_t> lengths = {9, 8, 1, 1, 0, 0};
  compare_with_host(random_posteriors(21, lengths, 3), all_pairs(lengths.size()),
                    weights_of_all(21, lengths.size()), kCutoff);
  compare_with_host(random_posteriors(22, {40, 30}, 3), all_pairs(2), weights_of_all(22, 2),
                    kCutoff);
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
  compare_with_host(set, all_pairs(3), weights_of_all(23, 3), kCutoff);
}

TEST_CASE("a batch of some pairs in any order, and an empty one") {
  const std::vector<std::uint32_t> lengths = {60, 55, 50, 45, 40, 35, 30, 25};
  const PosteriorSet set = random_posteriors(24, lengths, 4);
  std::vector<PairIndex> batch;
  batch = {{2, 5}, {0, 7}, {1, 2}, {5, 7}};
  compare_with_host(set, batch, weights_of_all(24, lengths.size()), kCutoff);
  compare_with_host(set, std::vector<PairIndex>{}, weights_of_all(24, lengths.size()), kCutoff);
}

/// What a device with `memory` bytes for consistency, half of all that it has, makes of the batch
/// must be `expected`; how many kernels it ran.
std::uint64_t launches_with(ocl::DeviceInfo device, std::uint64_t memory, const PosteriorSet& set,
                            const std::vector<PairIndex>& batch, const ConsistencyWeights& weights,
                            const std::vector<SparseMatrix>& expected) {
  CAPTURE(memory);
  device.global_memory = 2 * memory;
  OpenClBackend backend(device);
  INFO(backend.name());
  const Faults counting("count");
  check_same(batch, expected, transformed_by(backend, set, batch, weights, kCutoff));
  return ocl::counted_calls().at("clEnqueueNDRangeKernel");
}

// A single chunk of all matrices takes 2 launches: 1 for the cell rows, and 1 for the cells. Chunks
// of cell rows that fit take 4 here, quarters up to 66.
TEST_CASE("a device with little memory gives the same cells in quarters and chunks") {
  const std::vector<std::uint32_t> lengths = {60, 58, 50, 45, 40, 39, 38, 25, 24, 3};
  const PosteriorSet set = random_posteriors(25, lengths, 4);
  const std::vector<PairIndex> batch = all_pairs(lengths.size());
  const ConsistencyWeights weights = weights_of_all(25, lengths.size());
  HostBackend host;
  const std::vector<SparseMatrix> expected = transformed_by(host, set, batch, weights, kCutoff);
  for (ocl::DeviceInfo device : devices_to_test()) {
    for (std::uint64_t memory : {80u, 90u, 120u}) {
      CHECK(launches_with(device, memory << 10, set, batch, weights, expected) > 2);
    }
    CHECK(launches_with(device, 8 << 20, set, batch, weights, expected) == 2);
    device.global_memory = 512;
    OpenClBackend backend(device);
    CHECK_THROWS_AS(transformed_by(backend, set, batch, weights, kCutoff), Error);
  }
}

TEST_CASE("a device with little memory, some of the pairs, through some of the sequences") {
  const std::vector<std::uint32_t> lengths = {60, 58, 50, 45, 40, 39, 38, 25, 24, 3};
  const PosteriorSet set = random_posteriors(27, lengths, 6);
  std::vector<PairIndex> batch;
  for (PairIndex pair : all_pairs(lengths.size())) {
    if ((pair.x + pair.y) % 3 != 0) batch.push_back(pair);
  }
  HostBackend host;
  for (const std::vector<std::uint32_t>& intermediates :
       std::vector<std::vector<std::uint32_t>>{{1}, {6, 9}, {0, 1, 2, 3, 4}}) {
    CAPTURE(intermediates.size());
    const ConsistencyWeights weights(random_weights(27, lengths.size()), 1.0f, intermediates);
    const std::vector<SparseMatrix> expected = transformed_by(host, set, batch, weights, kCutoff);
    for (const ocl::DeviceInfo& device : devices_to_test()) {
      for (std::uint64_t memory : {40u, 60u, 100u}) {
        CHECK(launches_with(device, memory << 10, set, batch, weights, expected) > 2);
      }
      CHECK(launches_with(device, 8 << 20, set, batch, weights, expected) == 2);
    }
  }
}

}  // namespace
}  // namespace accord::testing
