// SPDX-License-Identifier: Apache-2.0
#include "core/sparse_matrix.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <random>
#include <utility>
#include <vector>

#include "accord/base/error.hpp"
#include "core/posterior_set.hpp"
#include "tolerances.hpp"

namespace accord {
namespace {

using Position = std::pair<std::uint32_t, std::uint32_t>;
using Units = std::map<Position, std::uint32_t>;

/// All cells of a matrix; also checks that columns increase and lie inside.
Units cells_of(const SparseMatrix& matrix) {
  Units cells;
  for (std::uint32_t i = 0; i < matrix.rows(); ++i) {
    std::int64_t last = -1;
    matrix.for_each_in_row(i, [&](std::uint32_t column, std::uint32_t units) {
      CHECK(static_cast<std::int64_t>(column) > last);
      CHECK(column < matrix.cols());
      CHECK(units > 0);
      last = column;
      cells[{i, column}] = units;
    });
  }
  return cells;
}

/// Random cells in random order, at different positions, some of them too small to be stored.
std::vector<PosteriorCell> random_cells(std::uint32_t rows, std::uint32_t cols, std::size_t count,
                                        unsigned seed) {
  std::mt19937 random(seed);
  std::map<Position, float> chosen;
  while (chosen.size() < count) {
    const float p = static_cast<float>(random()) * 0x1p-32f;
    chosen[{random() % rows, random() % cols}] = random() % 8 == 0 ? p * 1e-5f : p;
  }
  std::vector<PosteriorCell> cells;
  for (const auto& [position, p] : chosen) cells.push_back({position.first, position.second, p});
  std::shuffle(cells.begin(), cells.end(), random);
  return cells;
}

Units expected_units(const std::vector<PosteriorCell>& cells) {
  Units units;
  for (const PosteriorCell& cell : cells) {
    const std::uint32_t u = probability_units(cell.probability);
    if (u > 0) units[{cell.row, cell.column}] = u;
  }
  return units;
}

constexpr Position kShapes[] = {{1, 1}, {1, 300}, {300, 1}, {40, 70}, {3, 200000}, {200000, 3}};

TEST_CASE("sparse matrix: cells go in in any order and come out by row and column") {
  for (const auto& [rows, cols] : kShapes) {
    const std::size_t count = std::min<std::size_t>(rows * std::size_t{cols} / 3 + 1, 500);
    const auto cells = random_cells(rows, cols, count, rows);
    const SparseMatrix matrix(rows, cols, cells);
    CHECK(matrix.rows() == rows);
    CHECK(matrix.cols() == cols);
    CHECK(cells_of(matrix) == expected_units(cells));
  }
}

TEST_CASE("sparse matrix: the transpose has the same cells; twice is the same matrix") {
  for (const auto& [rows, cols] : kShapes) {
    const std::size_t count = std::min<std::size_t>(rows * std::size_t{cols} / 3 + 1, 500);
    auto cells = random_cells(rows, cols, count, cols);
    const SparseMatrix matrix(rows, cols, cells);
    const SparseMatrix transposed = matrix.transposed();
    CHECK(transposed.transposed() == matrix);
    for (PosteriorCell& cell : cells) std::swap(cell.row, cell.column);
    CHECK(transposed == SparseMatrix(cols, rows, cells));
  }
}

TEST_CASE("sparse matrix: steps of more than 65535 columns go through fillers") {
  for (std::uint32_t column : {65534u, 65535u, 65536u, 131070u, 131071u, 4000000u}) {
    const PosteriorCell cells[] = {{0, column, 0.5f}, {0, 2 * column + 1, 0.25f}, {1, 0, 1.0f}};
    const SparseMatrix matrix(2, 2 * column + 2, cells);
    CHECK(cells_of(matrix) ==
          Units{{{0, column}, 32768}, {{0, 2 * column + 1}, 16384}, {{1, 0}, 65535}});
    CHECK(matrix.packed().size() == 3 + (column - 1) / 65535 + column / 65535);
    CHECK(matrix.transposed().transposed() == matrix);
  }
}

TEST_CASE("sparse matrix: cells are packed as the kernels read them") {
  const PosteriorCell cells[] = {{1, 5, 0.5f}, {1, 2, 0.125f}, {3, 7, 1.0f}};
  const SparseMatrix matrix(4, 8, cells);
  const std::vector<std::uint32_t> begin(matrix.row_begin().begin(), matrix.row_begin().end());
  CHECK(begin == std::vector<std::uint32_t>{0, 0, 2, 2, 3});
  const std::vector<std::uint32_t> packed(matrix.packed().begin(), matrix.packed().end());
  CHECK(packed == std::vector<std::uint32_t>{8192u << 16 | 2, 32768u << 16 | 3, 65535u << 16 | 7});
  CHECK(ACCORD_CELL_VALUE(packed[1]) == 0.5f);
}

TEST_CASE("sparse matrix: probabilities are stored to half a unit of 2^-16") {
  std::mt19937 random(5);
  for (int k = 0; k < 100000; ++k) {
    const float p = static_cast<float>(random()) * 0x1p-32f;
    const std::uint32_t units = probability_units(p);
    CHECK_MESSAGE(units <= 65535u, p);
    const double error = std::abs(units / 65536.0 - static_cast<double>(p));
    if (units < 65535u) CHECK_MESSAGE(error <= testing::kStoredProbabilityError, p);
    CHECK_MESSAGE(error <= testing::kStoredOneError, p);
  }
  CHECK(probability_units(0.0f) == 0);
  CHECK(probability_units(1.0f) == 65535);
  CHECK(probability_units(0.5f / 65536) == 1);
  CHECK(probability_units(std::numeric_limits<float>::min()) == 0);
}

TEST_CASE("sparse matrix: builder") {
  SparseMatrixBuilder builder(10);
  builder.add(3, 100);
  builder.add(4, 0);  // left out
  builder.add(9, 7);
  builder.end_row();
  builder.end_row();
  const SparseMatrix matrix = builder.finish();
  CHECK(matrix.rows() == 2);
  CHECK(matrix.cols() == 10);
  CHECK(cells_of(matrix) == Units{{{0, 3}, 100}, {{0, 9}, 7}});
  CHECK(builder.finish().rows() == 0);
}

TEST_CASE("sparse matrix: other units, with which cells are lost, all of them, or none") {
  std::mt19937 random(5);
  for (const auto& [rows, cols] : kShapes) {
    const std::size_t count = std::min<std::size_t>(rows * std::size_t{cols} / 3 + 1, 500);
    const SparseMatrix before(rows, cols, random_cells(rows, cols, count, rows));
    for (const unsigned kept_of_8 : {0u, 3u, 7u, 8u}) {
      CAPTURE(kept_of_8);
      std::vector<std::uint16_t> units;
      SparseMatrixBuilder expected(cols);
      for (std::uint32_t i = 0; i < rows; ++i) {
        std::uint32_t column = 0;
        for (std::uint32_t at = before.row_begin()[i]; at < before.row_begin()[i + 1]; ++at) {
          const std::uint32_t cell = before.packed()[at];
          column += ACCORD_CELL_STEP(cell);
          const bool stays = ACCORD_CELL_UNITS(cell) != 0 && random() % 8 < kept_of_8;
          units.push_back(stays ? static_cast<std::uint16_t>(1 + random() % 65535) : 0);
          expected.add(column, units.back());
        }
        expected.end_row();
      }
      CHECK(before.with_units(units) == expected.finish());
    }
  }
}

TEST_CASE("sparse matrix: without cells, rows or columns") {
  CHECK(SparseMatrix().rows() == 0);
  CHECK(SparseMatrix().transposed() == SparseMatrix());
  const SparseMatrix empty(3, 4, {});
  CHECK(empty.rows() == 3);
  CHECK(cells_of(empty).empty());
  CHECK(empty.transposed().rows() == 4);
  CHECK(empty.transposed().cols() == 3);
  CHECK(SparseMatrix(0, 4, {}).transposed().rows() == 4);
}

TEST_CASE("posterior set: one matrix for each pair") {
  PosteriorSet set(4);
  std::uint32_t k = 1;
  for (std::size_t y = 1; y < 4; ++y) {
    for (std::size_t x = 0; x < y; ++x) set.at(x, y) = SparseMatrix(k++, 2, {});
  }
  k = 1;
  for (std::size_t y = 1; y < 4; ++y) {
    for (std::size_t x = 0; x < y; ++x) CHECK(set.at(x, y).rows() == k++);
  }
  CHECK(set.sequences() == 4);
  CHECK(set.bytes() >= 6 * sizeof(SparseMatrix));
  CHECK(PosteriorSet(0).sequences() == 0);
  CHECK(PosteriorSet(1).sequences() == 1);
}

TEST_CASE("posterior set: matrices of some pairs alone") {
  const std::vector<std::uint32_t> lengths = {9, 8, 7, 6, 5};
  PosteriorSet set(PairSet::between(5, {1, 4}, {0, 3}));
  for (std::size_t k = 0; k < set.pairs().size(); ++k) {
    const auto [x, y] = set.pairs()[k];
    SparseMatrixBuilder builder(lengths[y]);
    for (std::uint32_t i = 0; i < lengths[x]; ++i) {
      if (k > 0) builder.add(i % lengths[y], 100 + x);  // the first has no cells
      builder.end_row();
    }
    set[k] = builder.finish();
  }
  CHECK(set.sequences() == 5);
  CHECK(set.at(0, 1).rows() == 9);
  CHECK(set.at(1, 3).cols() == 6);
  CHECK_THROWS_AS(set.at(0, 3), Error);
  for (const std::size_t x : {0u, 1u, 3u, 4u}) CHECK(set.length(x) == lengths[x]);
  CHECK(set.length(2) == 0);  // in no pair
  CHECK(set.cells() == set.at(1, 3).rows() + set.at(0, 4).rows() + set.at(3, 4).rows());
  const PosteriorSet empty = set.without_cells(PairSet::listed(5, {{0, 1}, {0, 4}}));
  CHECK(empty.pairs().size() == 2);
  CHECK(empty.at(0, 1) == set.at(0, 1));
  CHECK(empty.at(0, 4) == SparseMatrix());
  CHECK_THROWS_AS(set.without_cells(PairSet::listed(5, {{0, 3}})), Error);
}

}  // namespace
}  // namespace accord
