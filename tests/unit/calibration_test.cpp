// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "models/models.hpp"
#include "support/hash.hpp"

namespace accord {
namespace {

const std::vector<PosteriorCell> kCells = {{0, 2, 0.01f}, {2, 1, 0.5f}, {2, 4, 1.0f}};

std::vector<std::uint32_t> units_of(const SparseMatrix& matrix) {
  std::vector<std::uint32_t> units;
  for (std::uint32_t i = 0; i < matrix.rows(); ++i) {
    matrix.for_each_in_row(i, [&](std::uint32_t, std::uint32_t found) { units.push_back(found); });
  }
  return units;
}

TEST_CASE("calibration: an exponent of 1 changes nothing") {
  const SparseMatrix plain(3, 5, kCells);
  CHECK(Calibration().matrix(3, 5, kCells) == plain);
  CHECK(Calibration(1).matrix(3, 5, kCells) == plain);
  CHECK(Calibration()(4711) == 4711);
}

TEST_CASE("calibration: units are those of the power, rounded") {
  for (double exponent : {0.5, 0.69186, 1.7}) {
    const Calibration calibration(exponent);
    std::uint32_t before = 0;
    for (std::uint32_t units = 1; units < 65536; ++units) {
      const std::uint32_t mapped = calibration(units);
      const double exact = std::pow(units / 65536.0, exponent) * 65536;
      CHECK(std::abs(std::max(1.0, std::min(exact, 65535.0)) - mapped) <= 0.5 + 1e-9);
      CHECK(mapped >= before);
      before = mapped;
    }
    CHECK(calibration(0) == 0);
  }
}

TEST_CASE("calibration: a matrix keeps its cells at their places") {
  const SparseMatrix matrix = Calibration(0.5).matrix(3, 5, kCells);
  CHECK(matrix.rows() == 3);
  CHECK(matrix.cols() == 5);
  CHECK(matrix.row_begin().size() == 4);
  CHECK(units_of(matrix) == std::vector<std::uint32_t>{6552, 46341, 65535});
}

TEST_CASE("calibration: tables have the same bytes on every platform") {
  testing::Hash hash;
  const Calibration calibration(0.69186);
  for (std::uint32_t units = 0; units < 65536; ++units) hash.add(calibration(units));
  CHECK(hash.hex() == "78eeec736bf5d59f");
}

}  // namespace
}  // namespace accord
