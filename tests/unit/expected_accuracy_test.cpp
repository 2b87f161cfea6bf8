// SPDX-License-Identifier: Apache-2.0
#include "stages/posteriors/expected_accuracy.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "support/align_cases.hpp"

using namespace accord;
using namespace accord::testing;

namespace {

SparseMatrix random_matrix(Random& random, std::uint32_t rows, std::uint32_t cols,
                           std::uint32_t chance) {
  SparseMatrixBuilder builder(cols);
  for (std::uint32_t i = 0; i < rows; ++i) {
    for (std::uint32_t j = 0; j < cols; ++j) {
      if (draw(random, 1, 100) <= chance) builder.add(j, draw(random, 1, 65535));
    }
    builder.end_row();
  }
  return builder.finish();
}

/// The distance by the recursion over the whole matrix.
float obvious_distance(const SparseMatrix& matrix) {
  const std::uint32_t m = matrix.rows(), n = matrix.cols();
  std::vector<std::vector<std::uint64_t>> value(m + 1, std::vector<std::uint64_t>(n + 1, 0));
  std::vector<std::uint64_t> row(n);
  for (std::uint32_t i = 0; i < m; ++i) {
    std::fill(row.begin(), row.end(), 0);
    matrix.for_each_in_row(i, [&](std::uint32_t j, std::uint32_t units) { row[j] = units; });
    for (std::uint32_t j = 0; j < n; ++j) {
      value[i + 1][j + 1] = std::max({value[i][j] + row[j], value[i][j + 1], value[i + 1][j]});
    }
  }
  if (std::min(m, n) == 0) return 1.0f;
  const double accuracy = static_cast<double>(value[m][n]) / 65536.0;
  return static_cast<float>(std::max(0.0, 1.0 - accuracy / std::min(m, n)));
}

SparseMatrix diagonal(std::uint32_t length, std::uint32_t units) {
  SparseMatrixBuilder builder(length);
  for (std::uint32_t i = 0; i < length; ++i) {
    builder.add(i, units);
    builder.end_row();
  }
  return builder.finish();
}

}  // namespace

TEST_CASE("expected accuracy: the sparse recursion finds what the whole matrix gives") {
  constexpr unsigned kSeed = 45;
  CAPTURE(kSeed);
  Random random(kSeed);
  for (int k = 0; k < 400; ++k) {
    CAPTURE(k);
    const SparseMatrix matrix = random_matrix(random, draw(random, 1, 40), draw(random, 1, 40),
                                              draw(random, 0, 1) == 0 ? 4 : 60);
    CHECK(expected_accuracy_distance(matrix) == obvious_distance(matrix));
  }
}

TEST_CASE("expected accuracy: a matrix and its transpose have the same distance") {
  Random random(46);
  for (int k = 0; k < 50; ++k) {
    const SparseMatrix matrix = random_matrix(random, draw(random, 1, 60), draw(random, 1, 60), 20);
    CHECK(expected_accuracy_distance(matrix) == expected_accuracy_distance(matrix.transposed()));
  }
}

TEST_CASE("expected accuracy: from certainty to nothing") {
  CHECK(expected_accuracy_distance(diagonal(100, 65535)) ==
        static_cast<float>(1.0 - 65535.0 / 65536.0));
  CHECK(expected_accuracy_distance(diagonal(100, 32768)) == 0.5f);
  CHECK(expected_accuracy_distance(SparseMatrix(7, 5, {})) == 1.0f);
  CHECK(expected_accuracy_distance(SparseMatrix(7, 0, {})) == 1.0f);
  CHECK(expected_accuracy_distance(SparseMatrix(0, 0, {})) == 1.0f);
  CHECK(expected_accuracy_distance(SparseMatrix()) == 1.0f);
}

TEST_CASE("expected accuracy: two cells of one row or column cannot both count") {
  const std::vector<PosteriorCell> cells = {{0, 0, 0.5f}, {0, 1, 0.25f}, {1, 0, 0.25f}};
  CHECK(expected_accuracy_distance(SparseMatrix(2, 2, cells)) == 0.75f);
}
