// SPDX-License-Identifier: Apache-2.0
// The host's consistency transform, with every instruction set, against the formula written out.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <numeric>
#include <vector>

#include "base/parallel.hpp"
#include "engine/host/host_backend.hpp"
#include "models/parameters.hpp"
#include "support/random_posteriors.hpp"
#include "support/transformed.hpp"

namespace accord::testing {
namespace {

constexpr float kUnit = 1.0f / 65536.0f;

/// S_ab as a dense matrix, for a and b in any order; 0 where there is no cell.
std::vector<std::vector<float>> dense(const PosteriorSet& set, std::uint32_t a, std::uint32_t b) {
  const SparseMatrix matrix = a < b ? set.at(a, b) : set.at(b, a).transposed();
  std::vector<std::vector<float>> values(matrix.rows(), std::vector<float>(matrix.cols(), 0.0f));
  for (std::uint32_t i = 0; i < matrix.rows(); ++i) {
    matrix.for_each_in_row(i, [&](std::uint32_t j, std::uint32_t units) {
      values[i][j] = static_cast<float>(units) * kUnit;
    });
  }
  return values;
}

/// The formula of consistency/transform.h: all terms of a cell in the order of (z, k), zeros
/// included, which change nothing.
SparseMatrix transformed(const PosteriorSet& set, PairIndex pair, const std::vector<float>& weights,
                         const ConsistencyParams& params,
                         const std::vector<std::uint32_t>& intermediates) {
  const auto [x, y] = pair;
  const float self = params.self_weight * (weights[x] + weights[y]);
  float total = 0.0f, direct = 0.0f, other = 0.0f;
  for (std::uint32_t z : intermediates) {
    total += weights[z];
    if (z == x) direct = weights[x];
    if (z == y) other = weights[y];
  }
  const float inverse_total = 1.0f / (self + (total - direct - other));
  std::vector<std::vector<float>> sums = dense(set, x, y);
  for (auto& row : sums) {
    for (float& sum : row) sum *= self;
  }
  for (std::uint32_t z : intermediates) {
    if (z == x || z == y) continue;
    const auto of_x = dense(set, x, z), of_y = dense(set, z, y);
    for (std::uint32_t i = 0; i < sums.size(); ++i) {
      for (std::uint32_t k = 0; k < of_y.size(); ++k) {
        for (std::uint32_t j = 0; j < sums[i].size(); ++j) {
          sums[i][j] = std::fma(weights[z] * of_x[i][k], of_y[k][j], sums[i][j]);
        }
      }
    }
  }
  SparseMatrixBuilder builder(set.at(x, y).cols());
  for (std::uint32_t i = 0; i < sums.size(); ++i) {
    set.at(x, y).for_each_in_row(i, [&](std::uint32_t j, std::uint32_t) {
      const float p = sums[i][j] * inverse_total;
      if (!(p < params.cutoff)) builder.add(j, probability_units(p));
    });
    builder.end_row();
  }
  return builder.finish();
}

/// Compares all instruction sets with the formula, on one thread and on three; through all
/// sequences if `intermediates` is empty.
void check(const PosteriorSet& set, const std::vector<PairIndex>& batch,
           const ConsistencyWeights& consistency_weights, const std::vector<SparseMatrix>& expected,
           const ConsistencyParams& params);

void check(const PosteriorSet& set, const std::vector<PairIndex>& batch,
           const std::vector<float>& weights, const ConsistencyParams& params = {},
           std::vector<std::uint32_t> intermediates = {}) {
  if (intermediates.empty()) {
    intermediates.resize(set.sequences());
    std::iota(intermediates.begin(), intermediates.end(), 0u);
  }
  std::vector<SparseMatrix> expected;
  for (PairIndex pair : batch) {
    expected.push_back(transformed(set, pair, weights, params, intermediates));
  }
  check(set, batch, ConsistencyWeights(weights, params.self_weight, intermediates), expected,
        params);
}

/// Compares all instruction sets with what is expected of each pair.
void check(const PosteriorSet& set, const std::vector<PairIndex>& batch,
           const ConsistencyWeights& consistency_weights, const std::vector<SparseMatrix>& expected,
           const ConsistencyParams& params) {
  for (const host::Kernels* kernels : host::available_kernels()) {
    for (int threads : {1, 3}) {
      set_thread_count(threads);
      HostBackend host(kernels);
      const std::vector<SparseMatrix> found =
          transformed_by(host, set, batch, consistency_weights, params.cutoff);
      REQUIRE(found.size() == expected.size());
      for (std::size_t k = 0; k < expected.size(); ++k) {
        INFO(kernels->name << ", " << threads << " threads, pair " << batch[k].x << ", "
                           << batch[k].y);
        CHECK(found[k] == expected[k]);
      }
    }
  }
  set_thread_count(1);
}

TEST_CASE("random families: odd sizes, cutoffs, self weights") {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    CAPTURE(seed);
    std::vector<std::uint32_t> lengths;
    for (std::uint64_t k = 0; k < 2 + 2 * seed; ++k) {
      lengths.push_back(static_cast<std::uint32_t>(1 + (seed * 31 + k * 17) % 43));
    }
    ConsistencyParams params;
    params.self_weight = seed % 2 ? 1.0f : 3.0f;
    params.cutoff = seed % 3 == 0 ? 0.0f : seed % 3 == 1 ? 0.01f : 0.2f;
    check(random_posteriors(seed, lengths, 6), all_pairs(lengths.size()),
          random_weights(seed, lengths.size()), params);
  }
}

TEST_CASE("more x's and y's than are worked on together") {
  const std::vector<std::uint32_t> lengths(75, 10);
  check(random_posteriors(11, lengths, 4), all_pairs(lengths.size()),
        random_weights(11, lengths.size()));
}

TEST_CASE("each pair through the sequences in the lists of both") {
  const std::vector<std::uint32_t> lengths = {40, 38, 31, 30, 30, 22, 17, 16, 9};
  const PosteriorSet set = random_posteriors(13, lengths, 5);
  // Weights whose sums are exact, in whatever order.
  const std::vector<float> weights = {0.5f, 1, 0.25f, 2, 1, 0.5f, 0.25f, 1, 2};
  const std::vector<std::vector<std::uint32_t>> lists = {
      {1, 2, 5}, {0, 2, 3, 5}, {5, 7}, {},       {0, 1, 2, 3, 5, 6, 7, 8},
      {2},       {2, 5},       {2, 3}, {2, 5, 6}};
  const std::vector<PairIndex> batch = all_pairs(lengths.size());
  const ConsistencyParams params;
  std::vector<SparseMatrix> expected;
  for (const auto [x, y] : batch) {
    std::vector<std::uint32_t> both;
    std::ranges::set_intersection(lists[x], lists[y], std::back_inserter(both));
    expected.push_back(transformed(set, {x, y}, weights, params, both));
  }
  const ConsistencyWeights of_lists(weights, static_cast<float>(params.self_weight), lists);
  CHECK(std::ranges::equal(of_lists.intermediates(),
                           std::vector<std::uint32_t>{0, 1, 2, 3, 5, 6, 7, 8}));
  check(set, batch, of_lists, expected, params);
}

TEST_CASE("through some of the sequences") {
  const std::vector<std::uint32_t> lengths = {40, 38, 31, 30, 30, 22, 17, 16, 9};
  const PosteriorSet set = random_posteriors(12, lengths, 5);
  const std::vector<float> weights = random_weights(12, lengths.size());
  for (const std::vector<std::uint32_t>& intermediates :
       std::vector<std::vector<std::uint32_t>>{{0}, {8}, {3, 4}, {0, 2, 5, 8}}) {
    check(set, all_pairs(lengths.size()), weights, {}, intermediates);
  }
}

TEST_CASE("a family that is one column of units that cannot grow") {
  PosteriorSet set(5);
  for (std::uint32_t y = 1; y < 5; ++y) {
    for (std::uint32_t x = 0; x < y; ++x) {
      SparseMatrixBuilder builder(1);
      builder.add(0, 65535);
      builder.end_row();
      set.at(x, y) = builder.finish();
    }
  }
  check(set, all_pairs(5), {1.0f, 1.0f, 1.0f, 1.0f, 1.0f});
}

TEST_CASE("sequences of length 0 and 1, and a pair alone") {
  const std::vector<std::uint32_t> lengths = {9, 8, 1, 1, 0, 0};
  check(random_posteriors(21, lengths, 3), all_pairs(lengths.size()),
        random_weights(21, lengths.size()));
  check(random_posteriors(22, {40, 30}, 3), all_pairs(2), random_weights(22, 2));
}

TEST_CASE("columns further apart than a packed step") {
  constexpr std::uint32_t kLength = 140000;
  const auto row_of = [](std::uint32_t cols, std::initializer_list<PosteriorCell> cells) {
    return SparseMatrix(1, cols, std::vector<PosteriorCell>(cells));
  };
  PosteriorSet set(3);
  set.at(0, 1) =
      row_of(kLength, {{0, 3, 0.5f}, {0, 65540, 0.25f}, {0, 139999, 0.125f}}).transposed();
  set.at(0, 2) = row_of(kLength, {{0, 3, 0.25f}, {0, 139999, 0.75f}}).transposed();
  set.at(1, 2) = row_of(1, {{0, 0, 0.9375f}});
  check(set, all_pairs(3), {0.5f, 0.75f, 1.0f});
}

TEST_CASE("a batch of some pairs in any order, and an empty one") {
  const std::vector<std::uint32_t> lengths = {40, 35, 33, 32, 31, 25, 18, 17};
  const PosteriorSet set = random_posteriors(24, lengths, 4);
  std::vector<PairIndex> batch;
  batch = {{2, 5}, {0, 7}, {1, 2}, {5, 7}};
  check(set, batch, random_weights(24, lengths.size()));
  check(set, std::vector<PairIndex>{}, random_weights(24, lengths.size()));
}

}  // namespace
}  // namespace accord::testing
